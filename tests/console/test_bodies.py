import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from console.bodies import BoundedBodies

LIMIT = 20


def passed_on(pieces: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[bytes, Any, Any]:
    """What the application behind gets of a body: bytes, Content-Length, and the message after."""
    found: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        found.extend([body, lengths, await receive()])

    messages = [
        {"type": "http.request", "body": piece, "more_body": place < len(pieces) - 1}
        for place, piece in enumerate(pieces)
    ]
    left = iter([*messages, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(left)

    async def send(message: Any) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "headers": headers}
    asyncio.run(BoundedBodies(application, limit=LIMIT)(scope, receive, send))
    return found[0], found[1], found[2]


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=6), st.booleans())
def test_only_so_much_goes_on_and_the_length_is_of_all_that_came(
    pieces: list[bytes], announced: bool
) -> None:
    whole = b"".join(pieces)
    headers = [(b"content-length", b"7")] if announced and whole else []
    body, lengths, after = passed_on(pieces, headers)
    assert body == whole[:LIMIT]
    assert lengths == ([str(len(whole)).encode()] if whole else [])
    assert after == {"type": "http.disconnect"}
