"""What a draft changes over texts that exist: public claim sets, and the agency's documents.

Texts of clients are counted and named by document and claim, never shown: who writes rules is in
no team.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from console.matters import claimset
from console.matters.models import Document, DocumentKind
from inference.models.corpus import TRAIN_FILE
from rules.bench.process import Bench
from rules.claimstates import normalised, states
from rules.comparison import compare
from rules.compiler import ClaimState
from rules.linter import Claim
from rules.models import Regression

LISTED = 200
"""Changed texts that are kept with a regression; more are counted only."""
_MAX_SECONDS = 3600.0
# Never stop_wanted, which the page sets meanwhile.
_PROGRESS = [
    *("status", "total", "done", "seconds"),
    *("refused_count", "accepted_count", "refused", "accepted"),
]


@dataclass(frozen=True)
class StoredText:
    """`source` is a publication number, or document:<id>; `public` texts may be shown."""

    source: str
    claim: int
    text: str
    state: ClaimState
    public: bool


def stored_texts(document: dict[str, Any]) -> Iterator[StoredText]:
    """Every stored text of the pack's kind. Only Chinese claims are stored so far."""
    if (document.get("jurisdiction"), document.get("kind")) != ("cn", "claims"):
        return
    with TRAIN_FILE.open(encoding="utf-8") as lines:
        for line in lines:
            known = json.loads(line)
            texts = [normalised(claim["text"]) for claim in known["claims"]]
            yield from _with_states(known["publication"], texts, public=True)
    documents = Document.objects.filter(kind=DocumentKind.CLAIMS, claim_count__gt=0)
    for stored in documents.order_by("pk").iterator(chunk_size=100):
        rows = claimset.read(stored.content)["claims"]
        if rows and all(row["text"].strip() for row in rows):
            texts = [row["text"] for row in rows]
            yield from _with_states(f"document:{stored.pk}", texts, public=False)


def run(regression: Regression, active: dict[str, Any], bench: Bench) -> None:
    """Judges every stored text under the document in force and under the draft.

    Progress is saved after each thousand texts or so, where a wish to stop is seen too. Raises
    RulesError when one of the documents does not compile, within the limits of `bench`.
    """
    draft = regression.version.document
    for document in (active, draft):
        bench.judge(document, [])
    texts = list(stored_texts(draft))
    regression.total = len(texts)
    regression.status = "running"
    regression.done = regression.refused_count = regression.accepted_count = 0
    regression.refused, regression.accepted = [], []
    regression.save(update_fields=_PROGRESS)
    started = timezone.now()

    def progress(done: int) -> None:
        regression.done = done
        regression.seconds = (timezone.now() - started).total_seconds()
        regression.save(update_fields=["done", "seconds"])

    def stop() -> bool:
        regression.refresh_from_db(fields=["stop_wanted"])
        return regression.stop_wanted or regression.seconds > _MAX_SECONDS

    judged = [(one.state, one.text) for one in texts]
    found = compare(active, draft, judged, progress=progress, stop=stop)
    refused = [texts[place] for place in found.newly_refused]
    accepted = [texts[place] for place in found.newly_accepted]
    regression.refused_count, regression.accepted_count = len(refused), len(accepted)
    # Where the text is refused by the one of the two documents that does.
    regression.refused = _listed(bench, draft, refused)
    regression.accepted = _listed(bench, active, accepted)
    regression.status = "stopped" if found.stopped else "done"
    regression.save(update_fields=_PROGRESS)


def _listed(
    bench: Bench, refusing: dict[str, Any], texts: Sequence[StoredText]
) -> list[dict[str, Any]]:
    shown = texts[:LISTED]
    examples = [
        {"text": one.text, "state": asdict(one.state), "verdict": "accepted"} for one in shown
    ]
    return [
        {
            "source": one.source,
            "claim": one.claim,
            "text": one.text if one.public else "",
            "position": verdict.get("position"),
        }
        for one, verdict in zip(shown, bench.judge_all(refusing, examples), strict=True)
    ]


def _with_states(source: str, texts: Sequence[str], *, public: bool) -> Iterator[StoredText]:
    claims = [Claim(number, text) for number, text in enumerate(texts, start=1)]
    for claim, state in states(claims):
        yield StoredText(source, claim.number, claim.text, state, public)
