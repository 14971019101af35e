"""What a draft changes over texts that exist: public claim sets, and the agency's documents.

Texts of clients are counted and named by document and claim, never shown: who writes rules is in
no team.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from django.utils import timezone

from console.matters import claimset
from console.matters.models import Document, DocumentKind
from inference.models.corpus import TRAIN_FILE
from rules.bench.process import EXAMPLES_AT_ONCE, Bench
from rules.claimstates import normalised, states
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
    state: dict[str, Any]
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

    Progress is saved after each batch, where a wish to stop is seen too. Raises RulesError.
    """
    draft = regression.version.document
    texts = list(stored_texts(draft))
    regression.total = len(texts)
    regression.status = "running"
    regression.done = regression.refused_count = regression.accepted_count = 0
    regression.refused, regression.accepted = [], []
    regression.save(update_fields=_PROGRESS)
    started = timezone.now()
    pending = iter(texts)
    while batch := list(islice(pending, EXAMPLES_AT_ONCE)):
        _compare(regression, batch, _kinds(bench, active, batch), _kinds(bench, draft, batch))
        regression.done += len(batch)
        regression.seconds = (timezone.now() - started).total_seconds()
        regression.save(update_fields=_PROGRESS)
        regression.refresh_from_db(fields=["stop_wanted"])
        if regression.stop_wanted or regression.seconds > _MAX_SECONDS:
            break
    regression.status = "done" if regression.done == regression.total else "stopped"
    regression.save(update_fields=["status"])


def _kinds(
    bench: Bench, document: dict[str, Any], batch: Sequence[StoredText]
) -> list[dict[str, Any]]:
    examples = [{"text": one.text, "state": one.state, "verdict": "accepted"} for one in batch]
    return bench.judge(document, examples)


def _compare(
    regression: Regression,
    batch: Sequence[StoredText],
    before: Sequence[dict[str, Any]],
    after: Sequence[dict[str, Any]],
) -> None:
    for text, was, becomes in zip(batch, before, after, strict=True):
        if was["as_stated"] == becomes["as_stated"]:
            continue
        row = {"source": text.source, "claim": text.claim, "text": text.text if text.public else ""}
        if becomes["as_stated"]:
            regression.accepted_count += 1
            if len(regression.accepted) < LISTED:
                regression.accepted.append({**row, "position": was.get("position")})
        else:
            regression.refused_count += 1
            if len(regression.refused) < LISTED:
                regression.refused.append({**row, "position": becomes.get("position")})


def _with_states(source: str, texts: Sequence[str], *, public: bool) -> Iterator[StoredText]:
    claims = [Claim(number, text) for number, text in enumerate(texts, start=1)]
    for claim, state in states(claims):
        yield StoredText(source, claim.number, claim.text, asdict(state), public)
