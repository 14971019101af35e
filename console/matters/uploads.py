"""Taking in a disclosure: a file of bounded size, or pasted text.

The sequence matters. Django reads the form as soon as anybody asks for POST, and the CSRF check
asks first. So the outer view, which that check skips, sets the bounds; the inner one is checked.
"""

from typing import Any, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from console.accounts.models import User
from console.matters import selectors, services
from console.matters.characters import clean_line
from console.matters.importing import read_pasted
from console.matters.jsonviews import answer, matter_endpoint, problem, read_json
from console.matters.models import Disclosure, Matter
from console.matters.operations import BadOperation

_LONGEST_NAME = 200


class BoundedUpload(TemporaryFileUploadHandler):
    """Writes the file to disk as it comes and stops reading it beyond the limit."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.too_large = False
        self._received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> Any:
        self._received += len(raw_data)
        if self._received > settings.MAX_IMPORT_BYTES:
            self.too_large = True
            raise StopUpload(connection_reset=False)
        return super().receive_data_chunk(raw_data, start)


@csrf_exempt
@matter_endpoint("POST")
def disclosure(request: HttpRequest, matter: Matter) -> HttpResponseBase:
    if request.content_type == "multipart/form-data":
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = settings.MAX_IMPORT_BYTES + settings.IMPORT_FORM_BYTES
        if length.isdecimal() and int(length) > most:
            return _too_large()
        handler = BoundedUpload(request)
        request.upload_handlers = [handler]
        result = _checked(request, matter)
        return _too_large() if handler.too_large else result
    return _checked(request, matter)


@csrf_protect
def _checked(request: HttpRequest, matter: Matter) -> HttpResponse:
    user = cast(User, request.user)
    if request.content_type == "application/json":
        body = read_json(request, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        text = body.get("text") if isinstance(body, dict) else None
        if not isinstance(text, str):
            raise BadOperation("text")
        return _stored(_paste(matter, user, text))
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        # An interrupted upload has no size and no content; the outer view answers for it.
        if not file.size and not file.name:
            return problem("nothing_sent", _("没有收到文件或文字。"), 400)
        name = clean_line(file.name or "")[-_LONGEST_NAME:]
        return _stored(
            services.import_disclosure(matter_id=matter.pk, user=user, name=name, data=file.read())
        )
    text = request.POST.get("text")
    if text is None:
        return problem("nothing_sent", _("没有收到文件或文字。"), 400)
    return _stored(_paste(matter, user, text))


def _paste(matter: Matter, user: User, text: str) -> Disclosure:
    read = read_pasted(text)
    return services.store_disclosure(matter_id=matter.pk, user=user, text=read.text)


def _stored(stored: Disclosure) -> JsonResponse:
    return answer({"disclosure": selectors.disclosure_view(stored)})


def _too_large() -> JsonResponse:
    limit = settings.MAX_IMPORT_BYTES // (1024 * 1024)
    sentence = _("文件超过%(limit)d MB，无法导入。请删去其中的大图后再试，或只粘贴文字。")
    return problem("file_too_large", sentence % {"limit": limit}, 413)
