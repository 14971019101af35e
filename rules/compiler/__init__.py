"""The rule compiler: pack documents in, llguidance grammars out. Pure: no Django, no vLLM.

parse    Lark text → syntax tree with places          (parse.py, dialect.lark, tree.py)
check    undefined, unused, endless, misused names     (check.py, shape.py, document.py)
lower    flat rules, forbidden terms as conditions      (lower.py, forbidden.py, terms.py)
engine   what the serving engine can carry              (engine.py)
emit     rules + the claim's state → llguidance Lark    (emit.py, citations.py, state.py)
verdict  texts judged by the serving engine             (verdict.py)
"""

from .compiled import CompiledPack, compile_pack
from .errors import PackError, Problem, StateError
from .extend import resolve
from .migrate import migrate
from .state import CitableClaim, ClaimState, DocumentState, State, state_from

__all__ = [
    "CitableClaim",
    "ClaimState",
    "CompiledPack",
    "DocumentState",
    "PackError",
    "Problem",
    "State",
    "StateError",
    "compile_pack",
    "migrate",
    "resolve",
    "state_from",
]
