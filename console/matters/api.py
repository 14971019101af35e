"""The JSON that the workspace reads and writes."""

from dataclasses import asdict
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from console.accounts import audit
from console.accounts.models import User
from console.matters import claimset, selectors, services
from console.matters.changes import OperationResult
from console.matters.claimset import ClaimSetError
from console.matters.exporting import claims_docx, export_name
from console.matters.jsonviews import answer, matter_endpoint, problem, read_json
from console.matters.models import DocumentKind, Matter
from console.matters.operations import BadOperation, read_operation_id, read_request

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@matter_endpoint("GET", "HEAD")
def state(request: HttpRequest, matter: Matter) -> HttpResponse:
    known = request.GET.get("disclosure", "")
    return answer(selectors.state_of(matter, known_disclosure=known))


@matter_endpoint("POST")
def operations(request: HttpRequest, matter: Matter) -> HttpResponse:
    asked = read_request(read_json(request))
    document = selectors.claims_document(matter.pk)
    try:
        result = services.apply_operation(
            document_id=document.pk,
            user=cast(User, request.user),
            base_revision=asked.base_revision,
            op=asked.operation,
            operation_id=asked.operation_id,
        )
    except ClaimSetError as error:
        return _refused(error, matter)
    return answer(_result(result))


@matter_endpoint("GET", "HEAD")
def versions(request: HttpRequest, matter: Matter) -> HttpResponse:
    before = request.GET.get("before")
    if before is not None and not (before.isdecimal() and len(before) < 10):
        raise BadOperation("before")
    document = selectors.claims_document(matter.pk)
    found, more = selectors.versions_of(document, before=int(before) if before else None)
    return answer({"versions": [asdict(each) for each in found], "more": more})


@matter_endpoint("GET", "HEAD")
def version(request: HttpRequest, matter: Matter, revision: int) -> HttpResponse:
    found = selectors.version_of(selectors.claims_document(matter.pk), revision)
    claims = claimset.numbered(claimset.read(found.content))
    return answer({"revision": found.revision, "claims": claims})


@matter_endpoint("POST")
def restore(request: HttpRequest, matter: Matter, revision: int) -> HttpResponse:
    body = read_json(request)
    if not isinstance(body, dict):
        raise BadOperation("body")
    document = selectors.claims_document(matter.pk)
    selectors.version_of(document, revision)
    try:
        result = services.restore_version(
            document_id=document.pk,
            user=cast(User, request.user),
            revision=revision,
            operation_id=read_operation_id(body),
        )
    except ClaimSetError as error:
        return _refused(error, matter)
    return answer(_result(result))


@matter_endpoint("GET", "HEAD")
def export(request: HttpRequest, matter: Matter) -> HttpResponse:
    """The claims that have a text, in the office's layout; what is still being written is not."""
    document = selectors.claims_document(matter.pk)
    texts = claimset.written_texts(claimset.read(document.content))
    if not texts:
        return problem("nothing_to_export", _("还没有可以导出的权利要求。"), 422)
    audit.record(
        actor=cast(User, request.user),
        action="claims.export",
        target=f"matter:{matter.pk}",
        revision=document.revision,
    )
    name = export_name(matter.title, matter.reference, str(DocumentKind.CLAIMS.label))
    file = HttpResponse(claims_docx(texts), content_type=_WORD)
    file["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return file


def _result(result: OperationResult) -> dict[str, Any]:
    return asdict(result)


def _refused(error: ClaimSetError, matter: Matter) -> JsonResponse:
    """With the claims as they are: the browser has already shown what was not to be."""
    document = selectors.claims_document(matter.pk)
    claims = claimset.numbered(claimset.read(document.content))
    sentence = _(error.template) % error.values
    return problem(error.code, sentence, 422, revision=document.revision, claims=claims)
