"""What a browser may ask of the claims: the JSON of an operation, read into values. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from console.matters.characters import clean

_OPERATION_ID = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")
_CLAIM_ID = re.compile(r"[A-Za-z0-9]{1,32}\Z")


class BadOperation(Exception):
    """The request does not have the form of an operation. The sentence names the field."""

    code = "bad_request"


@dataclass(frozen=True)
class Edit:
    claim_id: str
    rev: int
    text: str


@dataclass(frozen=True)
class Insert:
    after_id: str | None
    text: str


@dataclass(frozen=True)
class Move:
    claim_id: str
    to: int


@dataclass(frozen=True)
class Remove:
    claim_id: str


@dataclass(frozen=True)
class Accept:
    claim_id: str


@dataclass(frozen=True)
class Reject:
    claim_id: str


@dataclass(frozen=True)
class Undo:
    pass


@dataclass(frozen=True)
class Redo:
    pass


Operation = Edit | Insert | Move | Remove | Accept | Reject | Undo | Redo


@dataclass(frozen=True)
class OperationRequest:
    operation_id: str
    base_revision: int
    operation: Operation


def read_request(data: object) -> OperationRequest:
    """Raises BadOperation."""
    body = _object(data, "body")
    operation_id = read_operation_id(body)
    return OperationRequest(
        operation_id, _number(body, "base_revision"), read_operation(body.get("op"))
    )


def read_operation_id(body: Mapping[str, object]) -> str:
    value = body.get("operation_id")
    if not isinstance(value, str) or not _OPERATION_ID.match(value):
        raise BadOperation("operation_id")
    return value


def read_operation(data: object) -> Operation:
    op = _object(data, "op")
    match op.get("kind"):
        case "edit":
            return Edit(_claim_id(op, "claim_id"), _number(op, "rev"), _text(op))
        case "insert":
            after = None if op.get("after_id") is None else _claim_id(op, "after_id")
            return Insert(after, _text(op))
        case "move":
            return Move(_claim_id(op, "claim_id"), _number(op, "to"))
        case "remove":
            return Remove(_claim_id(op, "claim_id"))
        case "accept":
            return Accept(_claim_id(op, "claim_id"))
        case "reject":
            return Reject(_claim_id(op, "claim_id"))
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case _:
            raise BadOperation("op.kind")


def _object(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadOperation(name)
    return value


def _number(op: Mapping[str, object], name: str) -> int:
    value = op.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise BadOperation(name)
    return value


def _claim_id(op: Mapping[str, object], name: str) -> str:
    value = op.get(name)
    if not isinstance(value, str) or not _CLAIM_ID.match(value):
        raise BadOperation(name)
    return value


def _text(op: Mapping[str, object]) -> str:
    value = op.get("text")
    if not isinstance(value, str):
        raise BadOperation("text")
    return clean(value)
