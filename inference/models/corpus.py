"""Training text: claim sets, normalised and in the prompt form, with a weight of loss."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inference.prompting import claim_line, head, hint_line

TRAIN_FILE = Path(__file__).parent / "data" / "train_claim_sets.jsonl"

_CJK = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_FULL_WIDTH = {",": "，", ";": "；", ":": "：", "?": "？"}

# What a formal check refuses, or warns about, in the words of one claim.
_UNCLEAN = re.compile(
    r"例如|比如|诸如|最好|尤其|优选|特别是|必要时|较佳|大约|左右|约\s*[\d一二三四五六七八九十]"
    r"|类似物|本发明|如图|说明书|附图|。."
)
_REFERENCE = re.compile(r"^[^，：；。]{0,12}权利要求[^，：；。]*[，：]?")
_CONNECTOR = re.compile(r"^(?:其)?特征(?:在于|是|为)[，：]?|^其中[，：]?")
_BACK_REFERENCE = re.compile(r"所述的?|上述的?|前述的?|该(?=[\u4e00-\u9fff])")
_OPENINGS = ("", "", "", "优选地，", "进一步地，", "具体地，", "在一个实施例中，", "可选地，")


@dataclass(frozen=True)
class ClaimSet:
    """One publication: title, abstract and the claims 1 to n in order, all normalised."""

    title: str
    abstract: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """A stretch of training text and the weight of the loss on its tokens."""

    text: str
    weight: float


def normalise(text: str) -> str:
    """Chinese text as an agent would type it: full-width punctuation, no stray spaces or doubles.

    Punctuation between Latin letters or digits (1,3-二甲苯, 20:1) stays as it is.
    """
    text = " ".join(text.split())
    text = re.sub(rf"(?<=[{_CJK}]) | (?=[{_CJK}])", "", text)
    text = re.sub(rf"(?<=[{_CJK}])[,;:?]|[,;:?](?=[{_CJK}])", _widen, text)
    text = re.sub(
        rf"(?<=[{_CJK}])\(([^()]*)\)|\(([^()]*[{_CJK}][^()]*)\)|\(([^()]*)\)(?=[{_CJK}])",
        lambda match: f"（{''.join(group or '' for group in match.groups())}）",
        text,
    )
    text = re.sub(r"[,;](?=$)|(?<=[^\d])\.$", "。", text)
    text = re.sub(r"[，、；：]+(?=[；。])|([，、；：。])(?=\1)", "", text)
    return text.strip()


def _without_drawing_text(abstract: str) -> str:
    """The abstract up to its last full stop: after it stands what the OCR read in the drawing."""
    return abstract[: abstract.rfind("。") + 1] or abstract + "。"


def _widen(match: re.Match[str]) -> str:
    return _FULL_WIDTH[match.group()]


def is_clean(claim: str) -> bool:
    """Whether a claim is fit to be imitated: nothing in it that a formal check would refuse."""
    return claim.endswith("。") and not _UNCLEAN.search(claim)


def is_dependent(claim: str) -> bool:
    return bool(re.match(r"(?:根据|如|按照|依据|依照)?(?:前述|上述)?权利要求", claim))


def limiting_part(claim: str) -> str:
    """What a dependent claim adds, without its reference, connector, 所述 and full stop."""
    rest = _CONNECTOR.sub("", _REFERENCE.sub("", claim, count=1), count=1)
    return _BACK_REFERENCE.sub("", rest).strip("，：；。")


def hint(claim: str, rng: random.Random, limit: int = 60) -> str:
    """A note of what a dependent claim is about, as an agent would give it; '' where none is left.

    One or two of its clauses, sometimes in the other order, at most `limit` characters.
    """
    clauses = [clause for clause in re.split(r"[，；]", limiting_part(claim)) if len(clause) > 1]
    if not clauses:
        return ""
    start = rng.randrange(len(clauses)) if rng.random() < 0.3 else 0
    chosen = clauses[start : start + rng.choice((1, 2, 2))]
    if rng.random() < 0.15:
        chosen.reverse()
    text = "，".join(chosen)
    return text if len(text) <= limit else chosen[0][:limit]


def disclosure(claim_set: ClaimSet, rng: random.Random) -> str:
    """The abstract, mostly with sentences that disclose what the dependent claims will add.

    A real disclosure contains the features of its dependent claims, an abstract does not: without
    these sentences the model would learn to invent features.
    """
    if rng.random() < 0.15:
        return claim_set.abstract
    share = rng.choice((0.5, 0.8, 1.0))
    added = [
        rng.choice(_OPENINGS) + limiting_part(claim) + "。"
        for claim in claim_set.claims
        if is_dependent(claim) and len(limiting_part(claim)) > 3 and rng.random() < share
    ]
    if rng.random() < 0.5:
        rng.shuffle(added)
    return claim_set.abstract + "".join(added)


def training_text(
    claim_set: ClaimSet, rng: random.Random, *, head_weight: float = 0.1
) -> list[Piece]:
    """One document in the prompt form of inference/prompting.py.

    Full loss on clean claims with their line end, which teaches the model to stop; a light one on
    the head, to learn the vocabulary of the field; none on numbers, hints and unclean claims.
    """
    pieces = [Piece(head(claim_set.title, disclosure(claim_set, rng)), head_weight)]
    for number, claim in enumerate(claim_set.claims, start=1):
        note = hint(claim, rng) if is_dependent(claim) and rng.random() < 0.5 else ""
        line = claim_line(number, claim)
        prefix = f"{number}."
        pieces.append(Piece((hint_line(note) if note else "") + prefix, 0.0))
        pieces.append(Piece(line.removeprefix(prefix), 1.0 if is_clean(claim) else 0.0))
    return pieces


def read_sets(path: Path = TRAIN_FILE) -> Iterator[ClaimSet]:
    """The claim sets of a JSONL file. Raises ValueError where a line is not a claim set."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            claims: Sequence[dict[str, str]] = row["claims"]
            yield ClaimSet(
                title=normalise(row["title"]),
                abstract=_without_drawing_text(normalise(row["abstract"])),
                claims=tuple(normalise(claim["text"]) for claim in claims),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path.name}, line {number}: not a claim set ({error}).") from error
