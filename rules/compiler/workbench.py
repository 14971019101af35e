"""What every check works with: the grammar, its names, and a way to say what is wrong."""

from .errors import Problem, caret
from .tree import Grammar, Place


class Workbench:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.definitions = {definition.name: definition for definition in grammar.definitions}
        self.parameters = {parameter.name: parameter for parameter in grammar.parameters}

    def problem(
        self, code: str, place: Place, zh: str, en: str, hint_zh: str = "", hint_en: str = ""
    ) -> Problem:
        excerpt = caret(self.grammar.source, place.line, place.column)
        return Problem(code, place.line, place.column, excerpt, zh, en, hint_zh, hint_en)
