"""Stage 4: the flat rules and a claim's state become llguidance's Lark text for exactly this claim.

An alternative that needs something the state does not have (a citable claim, a second one for an
alternative citation) is left out, and so is every rule that can no longer be finished or reached.
"""

from dataclasses import dataclass

from .citations import Joiners, any_of, one_of
from .errors import StateError
from .lower import Alternative, Item, Lowered, Rule, repetition, spelled
from .state import ClaimState, Group, basis, complete_subject, groups, others
from .tree import Call


@dataclass(frozen=True)
class _Part:
    """A piece of an alternative's final text and the rule or terminal it depends on."""

    text: str
    rule: str = ""
    terminal: str = ""
    optional: bool = False


_Rules = dict[str, list[list[_Part]]]


def emit(lowered: Lowered, state: ClaimState) -> str:
    """Raises StateError when the state leaves nothing that this claim may say."""
    binder = _Binder(lowered, state)
    rules = _finishable(binder.rules, set(binder.generated))
    if state.kind not in rules:
        raise StateError(
            "nothing-to-cite",
            f"第{state.number}项没有可以引用的在前权利要求，不能写成从属权利要求。",
            f"Claim {state.number} has no earlier claim to cite, so it cannot be dependent.",
        )
    start: str = state.kind
    lines = [f"start: {start}"]
    seen, queue = {start}, [start]
    terminals: dict[str, None] = {}
    while queue:
        name = queue.pop()
        if name in binder.generated:
            lines.append(binder.generated[name])
            wanted = binder.joiners[name]
        else:
            lines.append(_line(name, rules[name]))
            parts = [part for parts in rules[name] for part in parts]
            wanted = tuple(part.rule for part in parts if part.rule)
            terminals |= dict.fromkeys(part.terminal for part in parts if part.terminal)
        fresh = [rule for rule in dict.fromkeys(wanted) if rule not in seen]
        seen.update(fresh)
        queue.extend(fresh)
    lines.extend(lowered.terminals[name] for name in _closure(lowered, terminals))
    return "\n".join(lines) + "\n"


def _line(name: str, alternatives: list[list[_Part]]) -> str:
    texts = (" ".join(part.text for part in parts) or '""' for parts in alternatives)
    return f"{name}: " + " | ".join(texts)


def _finishable(rules: _Rules, generated: set[str]) -> _Rules:
    """The rules that can end, without the alternatives and optional parts that cannot."""
    done = set(generated)
    grown = True
    while grown:
        grown = False
        for name, alternatives in rules.items():
            if name not in done and any(_ends(parts, done) for parts in alternatives):
                done.add(name)
                grown = True
    return {
        name: [
            [part for part in parts if not part.rule or part.rule in done]
            for parts in alternatives
            if _ends(parts, done)
        ]
        for name, alternatives in rules.items()
        if name in done
    }


def _ends(parts: list[_Part], done: set[str]) -> bool:
    return all(not part.rule or part.rule in done or part.optional for part in parts)


def _closure(lowered: Lowered, terminals: dict[str, None]) -> list[str]:
    names = dict(terminals)
    queue = list(terminals)
    while queue:
        for name in lowered.needs[queue.pop()]:
            if name not in names:
                names[name] = None
                queue.append(name)
    return list(names)


class _Binder:
    """Fills the holes of the flat rules. `rules` are the bound rules, `generated` the Lark text of
    the citations, `joiners` the author's rules that each of those mentions."""

    def __init__(self, lowered: Lowered, state: ClaimState) -> None:
        self.texts = {
            "subject": state.subject,
            "complete": complete_subject(state),
        }
        sets = {"citable": state.citable, "others": others(state), "basis": basis(state)}
        self.groups = {name: groups(claims) for name, claims in sets.items()}
        self.numbers = {
            name: tuple(sorted(claim.number for claim in claims)) for name, claims in sets.items()
        }
        self.generated: dict[str, str] = {}
        self.joiners: dict[str, tuple[str, ...]] = {}
        self.names: dict[tuple[object, ...], str] = {}
        self.rules: _Rules = {}
        for rule in lowered.rules.values():
            if rule.each is None:
                self.rules[rule.name] = self._alternatives(rule, None, "")
            else:
                self._copies(rule, self.groups[rule.each[1]])

    def _copies(self, rule: Rule, bound: tuple[Group, ...]) -> None:
        copies = [f"{rule.name}__g{index}" for index in range(len(bound))]
        for index, group in enumerate(bound):
            self.rules[copies[index]] = self._alternatives(rule, group, f"__g{index}")
        self.rules[rule.name] = [[_Part(name, rule=name)] for name in copies]

    def _alternatives(self, rule: Rule, group: Group | None, suffix: str) -> list[list[_Part]]:
        bound = (self._parts(parts, group, suffix) for parts in rule.alternatives)
        return [parts for parts in bound if parts is not None]

    def _parts(
        self, alternative: Alternative, group: Group | None, suffix: str
    ) -> list[_Part] | None:
        parts = []
        for item in alternative:
            part = self._part(item, group, suffix)
            if part is None:
                return None
            parts.append(part)
        return parts

    def _part(self, item: Item, group: Group | None, suffix: str) -> _Part | None:
        if item.call:
            return self._call(item.call, group)
        times = repetition(item.low, item.high)
        if item.rule:
            name = item.rule + suffix if item.local else item.rule
            return _Part(name + times, rule=name, optional=item.low == 0)
        return _Part(item.text + times, terminal=item.terminal)

    def _call(self, call: Call, group: Group | None) -> _Part | None:
        """None where the state has no such text or not enough claims for the call."""
        source = call.arguments[0]
        if call.name == "TEXT":
            text = self.texts.get(source, group.subject if group else "")
            return _Part(spelled(text)) if text else None
        numbers = self.numbers.get(source, group.numbers if group else ())
        if len(numbers) < (1 if call.name == "ONE" else 2):
            return None
        key = (call.name, numbers, call.arguments[1:])
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = f"{call.name.lower()}__{len(self.names)}"
            self.joiners[name] = call.arguments[1:]
            self.generated[name] = (
                one_of(name, numbers)
                if call.name == "ONE"
                else any_of(name, numbers, Joiners(*call.arguments[1:]))
            )
        return _Part(name, rule=name)
