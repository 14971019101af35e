"""Stage 4: the flat rules and the state become llguidance's Lark text for exactly this text.

An alternative that needs something the state does not have (a citable claim, a second one for an
alternative citation) is left out, and so is every rule that can no longer be finished or reached.
"""

from dataclasses import dataclass

from .citations import Joiners, any_of, one_of
from .errors import StateError
from .lower import Alternative, Item, Lowered, Rule, spelled
from .state import Bindings, Member, members, numbers_of, texts_of
from .terminals import repetition
from .tree import Call


@dataclass(frozen=True)
class _Part:
    """A piece of an alternative's final text and the rule or terminal it depends on."""

    text: str
    rule: str = ""
    terminal: str = ""
    optional: bool = False


_Rules = dict[str, list[list[_Part]]]


def emit(lowered: Lowered, bindings: Bindings) -> str:
    """Raises StateError: unknown-entry, or nothing-to-write when the state leaves nothing that this
    text may say."""
    start = bindings.entry or lowered.entries[0]
    if start not in lowered.entries:
        raise StateError(
            "unknown-entry",
            f"规则包没有起始规则“{start}”。",
            f"The pack has no entry rule “{start}”.",
        )
    binder = _Binder(lowered, bindings)
    rules = _finishable(binder.rules, set(binder.generated))
    if start not in rules:
        raise StateError(
            "nothing-to-write",
            f"在此文档状态下，“{start}”没有可写的内容。",
            f"In this state of the document there is nothing that “{start}” may say.",
        )
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

    def __init__(self, lowered: Lowered, bindings: Bindings) -> None:
        self.values = bindings.values
        self.generated: dict[str, str] = {}
        self.joiners: dict[str, tuple[str, ...]] = {}
        self.names: dict[tuple[object, ...], str] = {}
        self.rules: _Rules = {}
        for rule in lowered.rules.values():
            if rule.each is None:
                self.rules[rule.name] = self._alternatives(rule, None, "")
            else:
                self._copies(rule, members(self.values.get(rule.each[1], ()), rule.in_a_row))

    def _copies(self, rule: Rule, bound: tuple[Member, ...]) -> None:
        copies = [f"{rule.name}__g{index}" for index in range(len(bound))]
        for index, member in enumerate(bound):
            self.rules[copies[index]] = self._alternatives(rule, member, f"__g{index}")
        parts = [_Part(name, rule=name) for name in copies]
        self.rules[rule.name] = [parts] if rule.in_a_row else [[part] for part in parts]

    def _alternatives(self, rule: Rule, member: Member | None, suffix: str) -> list[list[_Part]]:
        bound = (self._parts(parts, member, suffix) for parts in rule.alternatives)
        return [parts for parts in bound if parts is not None]

    def _parts(
        self, alternative: Alternative, member: Member | None, suffix: str
    ) -> list[_Part] | None:
        parts = []
        for item in alternative:
            part = self._part(item, member, suffix)
            if part is None:
                return None
            parts.append(part)
        return parts

    def _part(self, item: Item, member: Member | None, suffix: str) -> _Part | None:
        if item.call:
            return self._call(item.call, member)
        times = repetition(item.low, item.high)
        if item.rule:
            name = item.rule + suffix if item.local else item.rule
            return _Part(name + times, rule=name, optional=item.low == 0)
        return _Part(item.text + times, terminal=item.terminal)

    def _call(self, call: Call, member: Member | None) -> _Part | None:
        """None where the state has no such text or not enough claims for the call."""
        value = self.values.get(call.arguments[0], () if member is None else member)
        if call.name == "TEXT":
            text = value.text if isinstance(value, Member) else value
            return _Part(spelled(text)) if text and isinstance(text, str) else None
        numbers = value.numbers if isinstance(value, Member) else numbers_of(value)
        if call.name == "NUMBER":
            return _Part(spelled(str(numbers[0]))) if numbers else None
        texts = () if isinstance(value, Member) else texts_of(value)
        if len(numbers) + len(texts) < (1 if call.name == "ONE" else 2):
            return None
        key = (call.name, numbers, texts, call.arguments[1:])
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = f"{call.name.lower()}__{len(self.names)}"
            self.joiners[name] = call.arguments[1:]
            if call.name == "ANY_OF":
                self.generated[name] = any_of(name, numbers, Joiners(*call.arguments[1:]))
            elif numbers:
                self.generated[name] = one_of(name, numbers)
            else:
                self.generated[name] = f"{name}: " + " | ".join(map(spelled, texts))
        return _Part(name, rule=name)
