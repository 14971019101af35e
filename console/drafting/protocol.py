"""What browser and server say to each other over /ws/matters/<id>/: a TypedDict a message. Pure.

Text frames of JSON, each an object with "type". `read_message` is the only way in: whatever a
browser sends becomes a message of the types below or a ProtocolError with a stable code.
"""

import json
import uuid
from typing import Any, Literal, NotRequired, TypedDict, cast

from console.drafting.events import Event
from console.matters.characters import clean

MAX_FRAME_CHARACTERS = 64_000
MAX_CLAIMS = 30
MAX_FIRST_CLAIM_CHARACTERS = 10_000
MAX_INSTRUCTION_CHARACTERS = 500
MAX_SUBJECT_CHARACTERS = 120

# Why a connection was closed.
CLOSE_LOGIN_EXPIRED = 4401
CLOSE_NOT_FOUND = 4404
CLOSE_JUNK = 4400
CLOSE_FLOOD = 4429

Category = Literal["product", "method"]


class DraftParams(TypedDict):
    """What the agent asks for. `count` is the number of claims of the draft, an own first included.

    Empty strings mean: take it from the title (subjects), nothing given (first claim, instruction).
    Empty `categories` mean those that the title names. `claim_id` stands only in a job that writes
    that one claim anew.
    """

    count: int
    categories: list[Category]
    product_subject: str
    method_subject: str
    first_claim: str
    pause_after_each: bool
    instruction: str
    claim_id: NotRequired[str]


class JobError(TypedDict):
    code: str
    message: str


class JobView(TypedDict):
    """A job as its team sees it. `queue_position` counts from 1 and is null once the job runs."""

    id: str
    status: str
    params: DraftParams
    done: int
    total: int
    error: JobError | None
    last_seq: int
    queue_position: int | None
    current_claim_id: str | None


class Hello(TypedDict):
    type: Literal["hello"]
    job: str | None
    after: int


class DraftStart(TypedDict):
    type: Literal["draft.start"]
    request_id: str
    params: DraftParams


class DraftControl(TypedDict):
    type: Literal["draft.stop", "draft.pause", "draft.resume"]
    job: str


class DraftRegenerate(TypedDict):
    type: Literal["draft.regenerate"]
    request_id: str
    claim_id: str
    instruction: str


class Ping(TypedDict):
    type: Literal["ping"]


ClientMessage = Hello | DraftStart | DraftControl | DraftRegenerate | Ping


class Welcome(TypedDict):
    type: Literal["welcome"]
    document_revision: int
    job: JobView | None


class JobEvents(TypedDict):
    type: Literal["job.events"]
    job: str
    events: list[Event]


class JobViewMessage(TypedDict):
    type: Literal["job.view"]
    job: JobView


class DocumentChanged(TypedDict):
    type: Literal["document.changed"]
    revision: int


class ErrorMessage(TypedDict):
    type: Literal["error"]
    code: str
    message: str
    request_id: NotRequired[str]


class Pong(TypedDict):
    type: Literal["pong"]


ServerMessage = Welcome | JobEvents | JobViewMessage | DocumentChanged | ErrorMessage | Pong


class ProtocolError(Exception):
    """A frame that is no message. `code` is stable, `request_id` the one it carried, if any."""

    def __init__(self, code: str, message: str, request_id: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request_id = request_id


def read_message(frame: str) -> ClientMessage:
    """The message in a text frame. Raises ProtocolError: frame_too_large, not_json, unknown_type,
    bad_field."""
    if len(frame) > MAX_FRAME_CHARACTERS:
        raise ProtocolError("frame_too_large", "消息过长，未处理。")
    try:
        value = json.loads(frame)
    except (ValueError, RecursionError):
        raise ProtocolError("not_json", "消息不是有效的 JSON。") from None
    if not isinstance(value, dict):
        raise ProtocolError("not_json", "消息必须是 JSON 对象。")
    kind = value.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise ProtocolError("unknown_type", "不认识的消息类型。", _request_id_or_empty(value))
    try:
        return cast(ClientMessage, reader(value))
    except _BadField as error:
        raise ProtocolError(
            "bad_field", f"字段 {error} 缺失或取值不正确。", _request_id_or_empty(value)
        ) from None


def read_params(value: Any) -> DraftParams:
    """Checked draft parameters from untrusted JSON. Raises ProtocolError with code bad_field."""
    try:
        return _params(value)
    except _BadField as error:
        raise ProtocolError("bad_field", f"字段 {error} 缺失或取值不正确。") from None


class _BadField(Exception):
    """Names the field."""


def _params(value: Any) -> DraftParams:
    if not isinstance(value, dict):
        raise _BadField("params")
    count = value.get("count")
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MAX_CLAIMS:
        raise _BadField("count")
    categories = value.get("categories", [])
    if not isinstance(categories, list) or any(
        item not in ("product", "method") for item in categories
    ):
        raise _BadField("categories")
    pause = value.get("pause_after_each", False)
    if not isinstance(pause, bool):
        raise _BadField("pause_after_each")
    return {
        "count": count,
        "categories": list(dict.fromkeys(categories)),
        "product_subject": _text(value, "product_subject", MAX_SUBJECT_CHARACTERS),
        "method_subject": _text(value, "method_subject", MAX_SUBJECT_CHARACTERS),
        "first_claim": _text(value, "first_claim", MAX_FIRST_CLAIM_CHARACTERS),
        "pause_after_each": pause,
        "instruction": _text(value, "instruction", MAX_INSTRUCTION_CHARACTERS),
    }


def _text(value: dict[str, Any], name: str, limit: int) -> str:
    text = value.get(name, "")
    if not isinstance(text, str) or len(text) > limit or "\x00" in text:
        raise _BadField(name)
    # Half a character would end the connection of everybody to whom the job is shown.
    return clean(text).strip()


def _hello(value: dict[str, Any]) -> Hello:
    after = value.get("after", 0)
    if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after < 2**53:
        raise _BadField("after")
    job = value.get("job")
    return {"type": "hello", "job": None if job is None else _uuid(value, "job"), "after": after}


def _start(value: dict[str, Any]) -> DraftStart:
    return {
        "type": "draft.start",
        "request_id": _request_id(value),
        "params": _params(value.get("params")),
    }


def _control(value: dict[str, Any]) -> DraftControl:
    return {"type": value["type"], "job": _uuid(value, "job")}


def _regenerate(value: dict[str, Any]) -> DraftRegenerate:
    claim_id = _text(value, "claim_id", 40)
    if not claim_id:
        raise _BadField("claim_id")
    return {
        "type": "draft.regenerate",
        "request_id": _request_id(value),
        "claim_id": claim_id,
        "instruction": _text(value, "instruction", MAX_INSTRUCTION_CHARACTERS),
    }


def _ping(value: dict[str, Any]) -> Ping:
    return {"type": "ping"}


def _uuid(value: dict[str, Any], name: str) -> str:
    try:
        return str(uuid.UUID(value.get(name)))
    except (ValueError, TypeError, AttributeError):
        raise _BadField(name) from None


def _request_id(value: dict[str, Any]) -> str:
    request_id = _text(value, "request_id", 64)
    if not request_id:
        raise _BadField("request_id")
    return request_id


def _request_id_or_empty(value: dict[str, Any]) -> str:
    request_id = value.get("request_id")
    return clean(request_id) if isinstance(request_id, str) and len(request_id) <= 64 else ""


_READERS = {
    "hello": _hello,
    "draft.start": _start,
    "draft.stop": _control,
    "draft.pause": _control,
    "draft.resume": _control,
    "draft.regenerate": _regenerate,
    "ping": _ping,
}
