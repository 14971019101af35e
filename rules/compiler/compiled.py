"""A compiled pack: the costly part is done once, a claim's grammar is then a substitution."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from .check import check
from .document import check_document, terms_of
from .emit import emit
from .engine import strain
from .errors import PackError, StateError
from .lower import lower
from .parse import parse
from .state import ClaimState

_CITED = re.compile(r"权利要求([0-9、或至到和~～—–-]+)")
_DIGITS = re.compile("[0-9]+")


class CompiledPack:
    """Made by compile_pack. Immutable; threads may share it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        check_document(document)
        grammar = parse(document["grammar"])
        check(grammar)
        terms = terms_of(document)
        self._lowered = lower(grammar, terms)
        guarded = [reference.name for reference in grammar.forbidding]
        if problems := tuple(strain(self._lowered, guarded, terms)):
            raise PackError(problems)
        self._text = json.dumps(document, ensure_ascii=False, sort_keys=True)
        self._vague = tuple(document.get("subjects", {}).get("refused_endings", ()))
        self._joined = tuple(document.get("subjects", {}).get("refused_parts", ()))
        self.slug: str = document["slug"]
        self.version: int = document.get("version", 0)
        self.digest = hashlib.sha256(self._text.encode()).hexdigest()

    @property
    def document(self) -> dict[str, Any]:
        """A fresh JSON-able copy of what was compiled."""
        copy: dict[str, Any] = json.loads(self._text)
        return copy

    def instantiate(self, state: ClaimState) -> str:
        """llguidance's Lark for exactly this claim's text, without its number.

        Raises StateError when the state admits no claim: nothing to cite, a claim that does not
        stand earlier, or a subject that names no category.
        """
        self._check_state(state)
        return emit(self._lowered, state)

    def _check_state(self, state: ClaimState) -> None:
        late = [claim.number for claim in state.citable if claim.number >= state.number]
        if late:
            raise StateError(
                "cites-later-claim",
                f"第{state.number}项只能引用在前的权利要求，不能引用第{late[0]}项（细则25.2）。",
                f"Claim {state.number} may cite earlier claims only, not claim {late[0]}.",
            )
        self._check_subject(state)
        known = {claim.number for claim in state.citable}
        named = {int(n) for part in _CITED.findall(state.subject) for n in _DIGITS.findall(part)}
        if state.kind == "independent" and named - known:
            raise StateError(
                "subject-cites-unknown-claim",
                f"主题名称中引用的权利要求{min(named - known)}不是在前的权利要求。",
                f"The subject cites claim {min(named - known)}, which is no earlier claim.",
            )

    def _check_subject(self, state: ClaimState) -> None:
        subject = state.subject
        if state.kind == "dependent":
            return
        if subject.endswith(self._vague):
            raise StateError(
                "subject-without-category",
                f"主题名称“{subject}”看不出是产品还是方法，请改写，例如“…方法”“…装置”。",
                f"“{subject}” names neither a product nor a method.",
            )
        if any(part in subject for part in self._joined):
            raise StateError(
                "subject-with-two-categories",
                f"主题名称“{subject}”既有产品又有方法，请分别撰写独立权利要求。",
                f"“{subject}” names a product and a method; write a claim for each.",
            )


def compile_pack(document: Mapping[str, Any]) -> CompiledPack:
    """Compile a pack document. Raises PackError with every problem found."""
    return CompiledPack(document)
