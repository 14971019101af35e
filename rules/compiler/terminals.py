"""A terminal's expression in llguidance's Lark."""

import json

from .tree import (
    Both,
    Call,
    Choice,
    Literal_,
    Node,
    Not,
    Pattern,
    Reference,
    Repeat,
    Sequence_,
)


def terminal_text(node: Node) -> str:
    match node:
        case Literal_():
            return quoted(node.text)
        case Pattern():
            return f"/{node.source}/"
        case Reference():
            return node.name
        case Sequence_():
            return " ".join(_wrapped(item) for item in node.items)
        case Choice():
            return " | ".join(terminal_text(item) for item in node.items)
        case Both():
            return " & ".join(_wrapped(item) for item in node.items)
        case Not():
            return f"~{_wrapped(node.item)}"
        case Repeat():
            return f"{_wrapped(node.item)}{repetition(node.low, node.high)}"
        case Call():
            return '""'  # check reports calls in terminals


def _wrapped(node: Node) -> str:
    text = terminal_text(node)
    return text if isinstance(node, Literal_ | Pattern | Reference) else f"({text})"


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def repetition(low: int, high: int | None) -> str:
    match low, high:
        case 1, 1:
            return ""
        case 0, 1:
            return "?"
        case 0, None:
            return "*"
        case 1, None:
            return "+"
    return f"{{{low},{'' if high is None else high}}}"
