"""The rule compiler: pack documents in, llguidance grammars out. Pure: no Django, no vLLM.

migrate  documents of older formats                    (migrate.py)
extend   house rules put together with their base      (extend.py)
parse    Lark text → syntax tree with places           (parse.py, dialect.lark, tree.py)
check    what a grammar may not be                     (check.py and what it calls; document.py)
lower    flat rules, recursion unrolled, forbidden     (lower.py, depth.py, forbidden.py, terms.py)
         terms as conditions
engine   what the serving engine can carry             (engine.py)
emit     rules + the document's state → llguidance     (emit.py, citations.py, state.py)
verdict  texts judged by the serving engine            (verdict.py, reasons.py)
verify   every example judged, by lark as well         (verify.py, earley.py, spans.py)
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
