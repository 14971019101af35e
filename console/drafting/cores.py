"""What of a disclosure the model gets to read, and what of it an independent claim says. Pure."""

import re
from collections.abc import Sequence

from console.drafting.disclosure import WEIGHT, Sentence, read_sentences
from console.drafting.ngrams import ngrams
from console.drafting.phrases import (
    ELABORATES,
    NAMED,
    PARTS,
    PREFACE,
    REFINEMENT,
    STEP_MARK,
    TELLS,
)

# Below so many characters nothing is cut from what an independent claim is written from; above
# ENOUGH no further sentence is taken; with fewer than LEAST an independent claim says too little.
SHORT = 120
ENOUGH = 350
LEAST = 24


def passages(sentences: Sequence[Sentence], budget: int) -> str:
    """What of a disclosure goes into the prompt: at most `budget` characters, in its own order.

    Sentences that repeat chosen ones are left out: an embodiment often says the summary again.
    """
    chosen: list[Sentence] = []
    seen: set[str] = set()
    room = budget
    for sentence in sorted(sentences, key=lambda one: (-WEIGHT[one.section], one.place)):
        if WEIGHT[sentence.section] == 0 and chosen:
            continue
        grams = ngrams(sentence.text, 3)
        if grams and len(grams & seen) > 0.8 * len(grams):
            continue
        if len(sentence.text) > room:
            if room < 0.2 * budget:
                break
            continue
        chosen.append(sentence)
        seen |= grams
        room -= len(sentence.text)
    if not chosen and sentences:
        return max(sentences, key=lambda one: WEIGHT[one.section]).text[:budget]
    return "".join(one.text for one in sorted(chosen, key=lambda one: one.place))


def cores(passages: str) -> list[str]:
    """What an independent claim could be written from, the fullest first; never empty for a text.

    A first claim that holds everything protects little and leaves nothing for its dependents. So
    even the fullest ends where the disclosure goes from the invention to its refinements: at the
    first 进一步, or inside a long sentence at the first 所述…为, and after two thirds of it anyway.
    A procedure is kept whole. The others hold fewer and fewer clauses.
    """
    kept: list[str] = []
    for sentence in read_sentences(passages):
        if not kept and not TELLS.search(sentence.text):
            continue
        length = sum(map(len, kept))
        procedure = looks_like_steps("".join(kept) + sentence.text)
        if kept and (
            REFINEMENT.match(sentence.text)
            or WEIGHT[sentence.section] < WEIGHT["other"]
            or length > (ENOUGH if procedure else SHORT)
        ):
            break
        kept.append(sentence.text)
    text = PREFACE.sub("", "".join(kept)) or passages
    clauses = re.findall(r"[^，；。]+[，；。]?", text)
    if looks_like_steps(text):
        steps = _without_elaborations(clauses)
        return [text] if len(steps) == len(clauses) else [text, _ended("".join(steps))]
    fullest = len(clauses) if len(text) < SHORT else _first_clauses(clauses)
    shorter = ("".join(clauses[:place]) for place in range(fullest - 1, 0, -1))
    return [_ended("".join(clauses[:fullest]))] + [
        _ended(one)
        for one in shorter
        if (named := NAMED.match(one)) and len(one) - named.end() >= LEAST
    ]


def _ended(text: str) -> str:
    return text.rstrip("，；。") + "。"


def _without_elaborations(clauses: Sequence[str]) -> list[str]:
    """The clauses of a procedure that are steps, without 其中 and 所述…为 in between."""
    kept: list[str] = []
    elaborating = False
    for clause in clauses:
        if clause.startswith("其中") or ELABORATES.match(clause):
            elaborating = True
        elif STEP_MARK.search(clause):
            elaborating = False
        if not elaborating:
            kept.append(clause)
    return kept


def _first_clauses(clauses: Sequence[str]) -> int:
    """How many clauses stand before the refinements."""
    total, length = sum(map(len, clauses)), 0
    for place, clause in enumerate(clauses):
        share = length / total
        if length > SHORT // 3 and (share > 0.66 or (share > 0.25 and ELABORATES.match(clause))):
            return place
        length += len(clause)
    return len(clauses)


def looks_like_steps(text: str) -> bool:
    """Whether a text tells a procedure: such a claim needs all of its steps."""
    return len(STEP_MARK.findall(text)) > 2


def told_categories(sentences: Sequence[Sentence]) -> list[str]:
    """What a disclosure tells: what a thing is ("product"), how a thing is done ("method")."""
    solution = "".join(one.text for one in sentences if WEIGHT[one.section] > 2)
    first = next(iter(cores(passages(sentences, ENOUGH * 2))), "")
    told = [] if looks_like_steps(first) and not PARTS.search(first) else ["product"]
    return [*told, "method"] if looks_like_steps(solution) else told
