"""The prompt of one claim, within a budget. The form itself is inference/prompting.py. Pure."""

from collections.abc import Sequence

from console.drafting.families import ReadClaim, family_of
from console.drafting.plan import PlannedClaim
from inference.prompting import claim_line, head, hint_line

# Characters of the disclosure in the prompt. All claims of a document share them, so that they meet
# a warm prefix on their node; what else the disclosure holds reaches the model through the notes.
DISCLOSURE_CHARACTERS = 1_500
# A Chinese character is about 0.6 tokens; formulae and Latin names take more.
TOKENS_A_CHARACTER = 0.75
MAX_TOKENS = {"independent": 400, "dependent": 220}


def prompt_text(
    title: str,
    passages: str,
    claims: Sequence[ReadClaim],
    planned: PlannedClaim,
    number: int,
    hint: str,
    *,
    context_tokens: int,
) -> str:
    """The text after which the model writes claim `number`.

    Where the earlier claims do not fit, the oldest ones give way, but never the independent claim
    that the new one belongs to.
    """
    earlier = [claim for claim in claims if claim.number < number]
    start = head(title, passages)
    end = f"{hint_line(hint) if hint else ''}{number}."
    room = (context_tokens - MAX_TOKENS[planned.kind]) / TOKENS_A_CHARACTER - len(start) - len(end)
    kept = _fitting(earlier, family_of(earlier, planned)[:1], int(room))
    written = "".join(claim_line(claim.number, claim.text) for claim in kept)
    return f"{start}{written}{end}"


def _fitting(claims: Sequence[ReadClaim], root: Sequence[ReadClaim], room: int) -> list[ReadClaim]:
    kept = list(root)
    room -= sum(_length(claim) for claim in root)
    for claim in reversed(claims):
        if claim in root:
            continue
        room -= _length(claim)
        if room < 0:
            break
        kept.append(claim)
    return sorted(kept, key=lambda claim: claim.number)


def _length(claim: ReadClaim) -> int:
    return len(claim_line(claim.number, claim.text))
