"""Do drafted claims obey the office's formal rules? Drafts from real abstracts, and the linter.

    .venv/bin/python -m tests.benchmarks.compliance [--quick]

Every set is drafted twice by the same model: through the product (worker, rules, node), and by
the bare model with the same prompt form, one attempt, no grammar. Every claim of both is then
checked by the linter, which shares no code with the grammar. Counted as a breach: an error-level
finding of a rule that the pack claims to enforce. A claim that the product gave up on is not
stored; such claims are printed beside the rest, not hidden.

The product stores nothing that its own checks refuse. What the grammar does without them stands in
a column of its own: each claim's first attempt as the node wrote it, judged in the document of that
moment, whether it was stored afterwards or not.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.benchmarks import evalsets, stack
from tests.benchmarks.report import Target, machine, print_table, print_targets

SETS = {"quick": 4, "full": 79}
CLAIMS = 8
AT_ONCE = 8
FREE_TOKENS = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sets, within five minutes")
    options = parser.parse_args()
    sets = evalsets.usable_sets(SETS["quick" if options.quick else "full"])
    with tempfile.TemporaryDirectory(prefix="claimwright-bench-") as name:
        folder = Path(name)
        stack.prepare(folder)
        with stack.running(folder / "log"):
            started = time.monotonic()
            product = draft_all(sets)
            middle = time.monotonic()
            free = free_all(sets)
            ended = time.monotonic()
    report(sets, product, free, middle - started, ended - middle)


def draft_all(sets: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per set: the claims in the document, what was given up with its reason, and token counts."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(_draft, sets))


def _draft(claim_set: dict[str, Any]) -> dict[str, Any]:
    from django.db import connection

    from console.drafting.eventlog import EventLog
    from console.drafting.events import ENDINGS
    from console.drafting.services import start_draft
    from console.matters import selectors

    user, matter = evalsets.make_matter(claim_set)
    job = start_draft(
        user=user,
        matter=matter,
        params=evalsets.parameters(CLAIMS),
        request_id=claim_set["publication"],
    )
    log = EventLog(job.pk)
    seen: list[Any] = []
    while not (seen and seen[-1]["kind"] in ENDINGS):
        seen += log.wait(seen[-1]["seq"] if seen else 0, 5)
    rows = selectors.claim_set(job.document_id)
    time.sleep(0.5)  # the counts follow the last event
    job.refresh_from_db()
    connection.close()
    return {
        "ending": seen[-1]["kind"],
        "texts": [row["text"] for row in rows if row["text"]],
        "first_attempts": first_attempts(seen),
        "given_up": [event["reason"] for event in seen if event["kind"] == "claim.failed"],
        "retries": [event["reason"] for event in seen if event["kind"] == "claim.retry"],
        "tokens": job.tokens,
    }


def first_attempts(events: Sequence[Any]) -> list[list[str]]:
    """The claims before it and the text of each first attempt that ended by itself."""
    claims: list[str] = []
    attempts: list[list[str]] = []
    text, attempt = "", 0
    for event in events:
        match event["kind"]:
            case "claim.started":
                text, attempt = "", event["attempt"]
            case "claim.delta":
                text += event["text"]
            case "claim.retry" | "claim.completed":
                if attempt == 1 and text.endswith("。"):
                    attempts.append([*claims, text])
                if event["kind"] == "claim.completed":
                    claims.insert(event["number"] - 1, event["text"])
    return attempts


def free_all(sets: Sequence[dict[str, Any]]) -> list[list[str]]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(_free, sets))


def _free(claim_set: dict[str, Any]) -> list[str]:
    """Eight claims by the model alone: greedy, each ended by the line break that it writes."""
    from django.conf import settings

    from inference.cluster.client import GenerationRequest, NodeClient
    from inference.prompting import claim_prompt

    node = NodeClient(f"http://127.0.0.1:{settings.NODE_PORT}")
    texts: list[str] = []
    for number in range(1, CLAIMS + 1):
        prompt = claim_prompt(claim_set["title"], claim_set["abstract"], texts, number=number)
        generation = node.generate(
            GenerationRequest(
                prompt_ids=tuple(node.tokenize(prompt)),
                resume_tokens=0,
                grammar=None,
                max_tokens=FREE_TOKENS,
                temperature=0.0,
                top_p=1.0,
                seed=None,
                request_id=f"free-{claim_set['publication']}-{number}",
            )
        )
        text = ""
        while not generation.finished and "\n" not in text:
            text += "".join(piece.text for piece in generation.read(5.0))
        generation.cancel()
        texts.append(text.partition("\n")[0].strip())
    return texts


def breaches(texts: Sequence[str], title: str) -> list[tuple[int, str]]:
    """Claim number and rule of each error-level finding of a rule that cn-claims enforces."""
    from console.drafting.checks import enforced_rules
    from rules.linter import Claim, LintSettings, lint_claims
    from rules.packs import load_builtin

    pack = load_builtin("cn-claims")
    claims = [Claim(number, text) for number, text in enumerate(texts, start=1)]
    findings = lint_claims(claims, LintSettings.from_pack(pack), title=title)
    enforced = set(enforced_rules(pack))
    return [(f.claim, f.rule) for f in findings if f.severity == "error" and f.rule in enforced]


def report(
    sets: Sequence[dict[str, Any]],
    product: Sequence[dict[str, Any]],
    free: Sequence[Sequence[str]],
    product_seconds: float,
    free_seconds: float,
) -> None:
    print(f"Machine: {machine()}")
    titles = [claim_set["title"] for claim_set in sets]
    drafted = _score([draft["texts"] for draft in product], titles)
    bare = _score(free, titles)
    first = _score_last(product, titles)
    tokens: Counter[str] = Counter()
    for draft in product:
        tokens["delivered"] += draft["tokens"].get("delivered", 0)
        tokens["discarded"] += sum(draft["tokens"].get("discarded", {}).values())
    given_up = Counter(reason for draft in product for reason in draft["given_up"])
    retries = Counter(reason for draft in product for reason in draft["retries"])
    endings = Counter(draft["ending"] for draft in product)
    ways = (drafted, first, bare)
    print_table(
        ("", "Claimwright", "grammar alone, first attempts", "same model, no grammar"),
        [
            ("sets", *[len(sets)] * 3),
            ("claims", *(way["claims"] for way in ways)),
            ("claims with a breach", *(way["broken"] for way in ways)),
            ("compliant", *(_percent(way["compliant"]) for way in ways)),
            ("end properly", *(_percent(way["ended"]) for way in ways)),
            ("breaches by rule", *(_counts(way["rules"]) or 0 for way in ways)),
        ],
    )
    asked = CLAIMS * len(sets)
    complete = sum(len(draft["texts"]) == CLAIMS for draft in product)
    print_table(
        ("drafts through the product", ""),
        [
            ("claims asked for", asked),
            (f"sets with all {CLAIMS} claims", complete),
            ("claims given up", _counts(given_up) or 0),
            ("attempts repeated", _counts(retries) or 0),
            ("drafts by ending", _counts(endings)),
            ("tokens delivered", tokens["delivered"]),
            ("tokens discarded", tokens["discarded"]),
            ("seconds", product_seconds),
            ("seconds of the same model, no grammar", free_seconds),
        ],
    )
    print_targets(
        {
            "compliant_share": Target(drafted["compliant"], 0.9997),
            "properly_ended_share": Target(drafted["ended"], 1.0),
            "complete_sets": Target(complete, min(30, len(sets) // 2)),
        }
    )


def _score_last(product: Sequence[dict[str, Any]], titles: Sequence[str]) -> dict[str, Any]:
    """As _score, of the last claim of each list alone."""
    total = _score([], [])
    for draft, title in zip(product, titles, strict=True):
        for texts in draft["first_attempts"]:
            found = [rule for number, rule in breaches(texts, title) if number == len(texts)]
            total["claims"] += 1
            total["broken"] += bool(found)
            total["rules"].update(found)
            total["ended"] += texts[-1].count("。") == 1
    claims = total["claims"] or 1
    return total | {
        "compliant": 1 - total["broken"] / claims,
        "ended": total["ended"] / claims,
    }


def _score(drafts: Sequence[Sequence[str]], titles: Sequence[str]) -> dict[str, Any]:
    rules: Counter[str] = Counter()
    claims = broken = ended = 0
    for texts, title in zip(drafts, titles, strict=True):
        found = breaches(texts, title)
        rules.update(rule for _, rule in found)
        claims += len(texts)
        broken += len({number for number, _ in found})
        ended += sum(text.endswith("。") and text.count("。") == 1 for text in texts)
    if not claims:
        return {"claims": 0, "broken": 0, "compliant": 0.0, "ended": 0.0, "rules": rules}
    return {
        "claims": claims,
        "broken": broken,
        "compliant": 1 - broken / claims,
        "ended": ended / claims,
        "rules": rules,
    }


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _counts(counter: Counter[str]) -> str:
    return " ".join(f"{name}:{count}" for name, count in counter.most_common())


if __name__ == "__main__":
    main()
