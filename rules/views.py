"""The editor's JSON endpoints about versions: reading, saving, review, publishing, going back."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import content_disposition_header

from console.accounts.models import User
from console.matters.jsonviews import answer
from rules import examples, publishing, selectors, services
from rules.acknowledgements import acknowledgements
from rules.endpoints import author_endpoint, body_of, shaped
from rules.models import PackVersion

STEPS = {"submit": services.submit, "discard": services.discard, "publish": publishing.publish}


@author_endpoint("GET")
def overview(request: HttpRequest, user: User, slug: str) -> JsonResponse:
    """What is in force, who has taken it up, and every version."""
    pack = selectors.pack_of(slug)
    active, reason = selectors.pack_in_force(pack)
    return answer(
        {
            "active": active,
            "away": reason,
            "four_eyes": pack.four_eyes,
            "versions": selectors.history(pack),
            "acknowledgements": acknowledgements(slug),
        }
    )


@author_endpoint("GET")
def version(request: HttpRequest, user: User, slug: str, version_id: int) -> JsonResponse:
    found = selectors.version_of(slug, version_id)
    return answer({**selectors.version_view(found, user), "steps": selectors.steps_of(found)})


@author_endpoint("POST")
def begin(request: HttpRequest, user: User, slug: str) -> JsonResponse:
    """{base, reason} → the new draft."""
    body = body_of(request, base=int, reason=str)
    base = selectors.version_of(slug, body["base"])
    draft = services.begin(pack=base.pack, base=base, user=user, reason=body["reason"])
    return answer(selectors.version_view(draft, user), status=201)


@author_endpoint("POST")
def save(request: HttpRequest, user: User, slug: str, version_id: int) -> JsonResponse:
    """{base_revision, document} → {revision}; 409 with both documents when somebody was first."""
    body = body_of(request, base_revision=int, document=dict)
    found = selectors.version_of(slug, version_id)
    saved = services.save(
        version_id=found.pk,
        user=user,
        base_revision=body["base_revision"],
        document=shaped(body["document"], slug),
    )
    return answer({"revision": saved.revision, "digest": saved.digest})


@author_endpoint("POST")
def step(request: HttpRequest, user: User, slug: str, version_id: int, name: str) -> JsonResponse:
    """submit, discard, publish: what the version is afterwards."""
    found = selectors.version_of(slug, version_id)
    if name not in STEPS:
        raise selectors.not_found()
    after: PackVersion = STEPS[name](version_id=found.pk, user=user)
    return answer(selectors.version_view(after, user))


@author_endpoint("POST")
def example(request: HttpRequest, user: User) -> JsonResponse:
    """{matter, claim} → {text, state}: a claim of the author's own teams, saved nowhere yet."""
    body = body_of(request, matter=str, claim=str)
    return answer(examples.take_claim(user=user, matter_id=body["matter"], claim_id=body["claim"]))


@author_endpoint("POST")
def give_back(request: HttpRequest, user: User, slug: str, version_id: int) -> JsonResponse:
    body = body_of(request, reason=str)
    found = selectors.version_of(slug, version_id)
    after = services.give_back(version_id=found.pk, user=user, reason=body["reason"])
    return answer(selectors.version_view(after, user))


@author_endpoint("POST")
def go_back(request: HttpRequest, user: User, slug: str) -> JsonResponse:
    """{number, over}: version `number` into force in place of `over`, which the page showed."""
    body = body_of(request, number=int, over=int)
    pack = selectors.pack_of(slug)
    publishing.go_back(pack=pack, number=body["number"], over=body["over"], user=user)
    return answer({"active": body["number"]})


@author_endpoint("POST")
def four_eyes(request: HttpRequest, user: User, slug: str) -> JsonResponse:
    body = body_of(request, on=bool)
    services.set_four_eyes(pack=selectors.pack_of(slug), user=user, on=body["on"])
    return answer({"on": body["on"]})


@author_endpoint("GET")
def export(request: HttpRequest, user: User, slug: str, version_id: int) -> HttpResponse:
    """The whole pack as one file, which `imported` takes back."""
    found = selectors.version_of(slug, version_id)
    name = f"{slug}-{found.number or 'draft'}.json"
    params: dict[str, Any] = {"ensure_ascii": False, "indent": 1}
    response = JsonResponse(found.document, json_dumps_params=params)
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response


@author_endpoint("POST")
def imported(request: HttpRequest, user: User) -> JsonResponse:
    """{document, reason} → a new draft of that pack; a pack that is not known yet is made."""
    body = body_of(request, document=dict, reason=str)
    document = shaped(body["document"])
    draft = services.take_in(document=document, user=user, reason=body["reason"])
    return answer({"id": draft.pk, "slug": draft.pack.slug, "pack": draft.pack_id}, status=201)
