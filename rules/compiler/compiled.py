"""A compiled pack: the costly part is done once, a claim's grammar is then a substitution."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .check import check
from .depth import unroll
from .document import check_document, in_order, terms_of
from .emit import emit
from .engine import carried, carries, strain
from .errors import PackError, StateError
from .lower import Lowered, lower
from .migrate import migrate
from .parse import parse
from .state import ClaimState, State
from .terms import Term
from .tree import Grammar

_CITED = re.compile(r"权利要求([0-9、或至到和~～—–-]+)|\bclaims? ([0-9]+)")
_DIGITS = re.compile("[0-9]+")


class CompiledPack:
    """Made by compile_pack. Immutable; threads may share it.

    `terminals`, `guarded` (those under the table of terms) and `terms` are what verify.py judges by
    without the engine. `left_to_linter` are enforced terms for which the engine had no room: those
    of warnings before those of errors, the last rows of the table first.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._text = json.dumps(document, ensure_ascii=False, sort_keys=True)
        document = migrate(document)
        check_document(document)
        grammar = parse(document["grammar"])
        terms = terms_of(document)
        grammar = unroll(check(grammar, document, len(terms)), document.get("max_depth", {}))
        self.guarded = tuple(reference.name for reference in grammar.forbidding)
        self._lowered = lower(grammar, terms)
        self.left_to_linter: tuple[str, ...] = ()
        if not carries(self._lowered, self.guarded, terms):
            terms = self._cut(grammar, in_order(terms, document))
        self.definitions = grammar.definitions
        self.terms = terms
        self.terminals = {d.name: d for d in grammar.definitions if d.is_terminal}
        self._vague = tuple(document.get("subjects", {}).get("refused_endings", ()))
        self._joined = tuple(document.get("subjects", {}).get("refused_parts", ()))
        self.slug: str = document["slug"]
        self.kind: str = document["kind"]
        self.version: int = document["version"]
        self.digest = hashlib.sha256(self._text.encode()).hexdigest()

    def _cut(self, grammar: Grammar, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """As many of the terms as the engine can carry; the others only the linter
        knows. Raises PackError where it cannot even carry one alone."""

        def lowering(some: Sequence[Term]) -> Lowered:
            return lower(grammar, some)

        if problems := tuple(strain(lowering, self.guarded, terms)):
            raise PackError(problems)
        number = carried(lowering, self.guarded, terms)
        self.left_to_linter = tuple(term.text for term in terms[number:])
        self._lowered = lowering(terms[:number])
        return terms[:number]

    @property
    def document(self) -> dict[str, Any]:
        """A fresh JSON-able copy of what was compiled."""
        copy: dict[str, Any] = json.loads(self._text)
        return copy

    def instantiate(self, state: State) -> str:
        """llguidance's Lark for exactly this text; a claim's is without its number.

        Raises StateError when the state is not one of this kind of document or admits no text: a
        claim with nothing to cite, a cited claim that does not stand earlier, a subject that names
        no category.
        """
        document = "claims" if isinstance(state, ClaimState) else state.document
        if document != self.kind:
            raise StateError(
                "wrong-document",
                f"规则包“{self.slug}”不适用于这种文档。",
                f"The pack “{self.slug}” is for {self.kind}, not for {document}.",
            )
        if isinstance(state, ClaimState):
            self._check_claim(state)
        return emit(self._lowered, state.bindings())

    def _check_claim(self, state: ClaimState) -> None:
        if state.kind == "dependent" and not state.citable:
            raise StateError(
                "nothing-to-cite",
                f"第{state.number}项没有可以引用的在前权利要求，不能写成从属权利要求。",
                f"Claim {state.number} has no earlier claim to cite, so it cannot be dependent.",
            )
        late = [claim.number for claim in state.citable if claim.number >= state.number]
        if late:
            raise StateError(
                "cites-later-claim",
                f"第{state.number}项只能引用在前的权利要求，不能引用第{late[0]}项（细则25.2）。",
                f"Claim {state.number} may cite earlier claims only, not claim {late[0]}.",
            )
        self._check_subject(state)
        known = {claim.number for claim in state.citable}
        named = {
            int(digits)
            for cited in _CITED.finditer(state.subject)
            for digits in _DIGITS.findall(cited[0])
        }
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
    """Compile a pack document that stands alone (see extend.py for one with a base). Raises
    PackError with every problem found."""
    return CompiledPack(document)
