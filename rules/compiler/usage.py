"""Rules, terminals and parameters that nothing uses."""

from collections.abc import Iterator

from .errors import Problem
from .recursion import mentions
from .tree import Call, walk
from .workbench import Workbench


class UsageChecks(Workbench):
    def unreachable(self) -> Iterator[Problem]:
        graph = mentions(self.definitions)
        mentioned = {there for name, found in graph.items() for there in found if there != name}
        mentioned.update(reference.name for reference in self.grammar.forbidding)
        queue = [entry for p in self.grammar.parameters for entry in p.entries]
        mentioned.update(queue)
        reached = set(queue)
        for name in queue:
            for there in graph.get(name, ()):
                if there not in reached:
                    reached.add(there)
                    queue.append(there)
        for name, definition in self.definitions.items():
            if name in reached:
                continue
            if name not in mentioned:
                yield self.problem(
                    "unused",
                    definition.place,
                    f"没有任何规则使用“{name}”。",
                    f"Nothing uses “{name}”.",
                    "删除它，或者在某条规则中使用它。",
                    "Remove it, or use it in a rule.",
                )
            else:
                yield self.problem(
                    "unreachable",
                    definition.place,
                    f"从起始规则到不了“{name}”。",
                    f"“{name}” cannot be reached from an entry rule.",
                    "使用它的规则本身也没有被用到。",
                    "What uses it is not used itself.",
                )

    def unused_parameters(self) -> Iterator[Problem]:
        used = {
            name
            for definition in self.grammar.definitions
            for node in walk(definition.node)
            if isinstance(node, Call)
            for name in node.arguments[:1]
        }
        used.update(d.each[1] for d in self.grammar.definitions if d.each)
        for parameter in self.grammar.parameters:
            if parameter.type != "entry" and parameter.name not in used:
                yield self.problem(
                    "unused-parameter",
                    parameter.place,
                    f"没有任何规则使用参数“{parameter.name}”。",
                    f"No rule uses the parameter “{parameter.name}”.",
                    "删除这一行声明。",
                    "Remove the declaration.",
                )
