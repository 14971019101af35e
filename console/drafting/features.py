"""The note (要点) of a dependent claim: the next feature of the disclosure that is still unclaimed.

A model this small repeats claim 1 when nothing tells it what is left. Notes have the form in which
it was trained: one or two clauses of at most 60 characters, without 所述. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from console.drafting.disclosure import WEIGHT, Sentence
from console.drafting.ngrams import ngrams
from console.drafting.phrases import (
    BACK_REFERENCE,
    CLAUSE_NUMBER,
    EFFECT,
    FURTHER,
    LEADS,
    LIST,
    NO_FEATURE,
    NOT_OF_THE_MEMBER,
    NOT_OF_THE_NAME,
    RANGE,
    SOFT,
    STEP,
    STRUCTURE,
    SYMBOL,
    TECHNICAL,
)
from console.drafting.signs import without_signs

MAX_HINT = 60
# With so few characters a note holds one clause: for disclosures that offer little.
ONE_CLAUSE = 12
MIN_SCORE = 0.2
NEARLY = 0.75
EFFECT_WEIGHT = 0.45
SAID = 0.85
_MIN_HINT = 6


@dataclass(frozen=True)
class Feature:
    """One thing that a dependent claim could be about: `weight` says how much it looks like one."""

    text: str
    grams: frozenset[str]
    weight: float
    steps: bool
    structure: bool
    place: int


def read_features(sentences: Sequence[Sentence], *, size: int = MAX_HINT) -> list[Feature]:
    """Every feature that a disclosure offers, in its order. The costly part: once for a job.

    Clauses that follow each other are one feature as long as they have at most `size` characters.
    """
    features: list[Feature] = []
    seen: set[str] = set()
    for sentence in sentences:
        if WEIGHT[sentence.section] < 3:
            continue
        for text, whole in _notes(sentence.text, size):
            key = re.sub(r"\W+", "", text)
            if key in seen or not _is_feature(text):
                continue
            seen.add(key)
            features.append(_feature(text, sentence, whole, len(features)))
    return features


def next_hint(
    features: Sequence[Feature],
    claimed: Sequence[str],
    used: Sequence[str],
    *,
    category: str,
    instruction: str = "",
) -> str:
    """The note for the next dependent claim; never one of `used`; "" when nothing is left to say.

    `claimed` are the texts of the claims of its family. A feature counts the less the more of it
    stands there already. With an `instruction` of the agent, what touches it comes first.
    """
    known: set[str] = set()
    for text in (*claimed, *used):
        known |= ngrams(clean(text), 2)
    wish = ngrams(instruction, 2)
    scored = [
        (_score(feature, known, category, wish), feature)
        for feature in features
        if feature.text not in used
    ]
    best = max((score for score, _ in scored), default=0.0)
    if best < MIN_SCORE:
        return ""
    # Among about equals the one that the disclosure tells first: later ones often build on it.
    return next(feature.text for score, feature in scored if score >= NEARLY * best)


def narrower(disclosure: str) -> list[str]:
    """Notes for when every feature is claimed: one member of a list, one end of a range.

    Both stand in the disclosure, so a claim to them has its support.
    """
    text = clean(without_signs(disclosure))
    text = BACK_REFERENCE.sub("", text)
    notes: list[str] = []
    ranges = [(NOT_OF_THE_NAME.sub("", name), *rest) for name, *rest in RANGE.findall(text)]
    # Of something that may be absent, "0份" says nothing.
    notes += [f"{name}为{low}{unit}" for name, low, _, unit in ranges if name and float(low)]
    notes += [f"{name}为{high}{unit}" for name, _, high, unit in ranges if name]
    for name, members in LIST.findall(text):
        for member in re.split("[、或]", members):
            member = NOT_OF_THE_MEMBER.sub("", member)
            if 1 < len(member) <= 16 and name not in member:
                notes.append(f"{name}{'' if name.endswith('用于') else '为'}{member}")
    plausible = [one for one in dict.fromkeys(notes) if not NO_FEATURE.search(one)]
    return [one for one in plausible if not EFFECT.search(one)]


def count_hints(
    features: Sequence[Feature], claimed: Sequence[str], wanted: int, *, category: str
) -> int:
    """How many notes there would be beside the claimed texts, up to `wanted`."""
    used: list[str] = []
    while len(used) < wanted:
        hint = next_hint(features, claimed, used, category=category)
        if not hint:
            break
        used.append(hint)
    return len(used)


def says(text: str, hint: str) -> bool:
    """Whether a text has said what the note asks for."""
    asked = ngrams(hint, 2)
    return len(asked & ngrams(clean(text), 2)) >= SAID * len(asked)


def clean(text: str) -> str:
    """A clause as a note: no lead-in, no 所述, none of the words that a claim must not have."""
    text = CLAUSE_NUMBER.sub("", text.strip())
    for _ in range(2):
        text = LEADS.sub("", text, count=1)
    text = BACK_REFERENCE.sub("", text)
    for pattern, replacement in SOFT:
        text = pattern.sub(replacement, text)
    return text.strip("，,；;。：:、 ")


def _notes(sentence: str, size: int) -> list[tuple[str, bool]]:
    """The notes that one sentence yields, each with whether it began with 进一步 and the like."""
    notes: list[tuple[str, bool]] = []
    # What follows 进一步 is one dependent claim in the making: its parts stay together.
    whole = bool(FURTHER.match(sentence.strip()))
    for part in [re.sub("[；;。]", "，", sentence)] if whole else re.split(r"[；;。]", sentence):
        further = whole or bool(FURTHER.match(part.strip()))
        clauses = [clean(clause) for clause in re.split(r"[，,]", part)]
        packed = ""
        for clause in (one for one in clauses if one):
            if packed and len(packed) + len(clause) + 1 > size:
                notes.append((packed, further))
                packed = ""
            packed = f"{packed}，{clause}" if packed else clause
        if packed:
            notes.append((packed, further))
    return [(_shortened(text), further) for text, further in notes]


def _shortened(text: str) -> str:
    """At most MAX_HINT characters, ended at the last complete item of a list where there is one."""
    if len(text) <= MAX_HINT:
        return text
    cut = max(text.rfind(mark, 0, MAX_HINT) for mark in "、，")
    return text[: cut if cut > MAX_HINT // 2 else MAX_HINT]


def _is_feature(text: str) -> bool:
    chinese = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    return (
        len(text) >= _MIN_HINT
        and chinese >= 0.5 * len(text)
        and not NO_FEATURE.search(text)
        and not SYMBOL.match(text)
        and bool(TECHNICAL.search(text) or STEP.search(text))
    )


def _feature(text: str, sentence: Sentence, further: bool, place: int) -> Feature:
    weight = 1.0 + 0.1 * (WEIGHT[sentence.section] - 3)
    weight *= 1.3 if further else 1.0
    weight *= 1.1 if re.search(r"\d", text) else 1.0
    weight *= 0.8 if len(text) < 10 else 1.0
    weight *= EFFECT_WEIGHT if EFFECT.search(text) else 1.0
    return Feature(
        text=text,
        grams=frozenset(ngrams(text, 2)),
        weight=weight,
        steps=bool(STEP.search(text)),
        structure=bool(STRUCTURE.search(text)),
        place=place,
    )


def _score(feature: Feature, known: set[str], category: str, wish: set[str]) -> float:
    if not feature.grams:
        return 0.0
    novelty = 1.0 - len(feature.grams & known) / len(feature.grams)
    if novelty < 0.35:
        return 0.0
    fits = feature.steps if category == "method" else feature.structure or not feature.steps
    score = feature.weight * (0.4 + 0.6 * novelty) * (1.0 if fits else 0.75)
    if wish:
        score *= 1.0 + 3.0 * len(feature.grams & wish) / len(wish)
    return score - 0.0005 * feature.place
