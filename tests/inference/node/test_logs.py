"""What a client wrote does not reach the log."""

import io
import logging
from collections.abc import Iterator

import pytest

from inference.node import logs

SECRET = "一种客户的秘密装置"
SERVING = "vllm.entrypoints.openai.completion.serving"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the loggers under "vllm" write once the product has seen to them."""
    factory = logging.getLogRecordFactory()
    logs.install()
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    parent = logging.getLogger("vllm")
    parent.addHandler(handler)
    yield out
    parent.removeHandler(handler)
    logging.setLogRecordFactory(factory)


def test_values_in_warnings_of_talkative_loggers_are_left_out(log: io.StringIO) -> None:
    logging.getLogger("vllm.v1.core.sched.scheduler").error("rejected tokens %s of %s", [1], SECRET)
    assert log.getvalue() == (
        "vllm.v1.core.sched.scheduler rejected tokens %s of %s [values left out]\n"
    )


def test_other_loggers_keep_their_values(log: io.StringIO) -> None:
    logging.getLogger("vllm.v1.engine").warning("%d requests", 3)
    assert log.getvalue() == "vllm.v1.engine 3 requests\n"


def test_exceptions_keep_type_and_place_but_not_their_message(log: io.StringIO) -> None:
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger(SERVING).exception("It failed.")
    written = log.getvalue()
    assert "It failed." in written
    assert "ValueError [message left out]" in written
    assert "test_logs.py" in written
    assert SECRET not in written


def test_a_refused_request_is_one_line(log: io.StringIO) -> None:
    refused = type("VLLMValidationError", (Exception,), {})
    try:
        raise refused(SECRET)
    except refused:
        logging.getLogger(SERVING).exception("It failed.")
    assert log.getvalue() == f"{SERVING} It failed.\nVLLMValidationError [message left out]\n"


def test_an_exception_chained_to_another_brings_neither_message(log: io.StringIO) -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise ValueError(SECRET) from error
    except ValueError:
        logging.getLogger(SERVING).exception("It failed.")
    assert SECRET not in log.getvalue()


def test_an_exception_outside_of_requests_is_kept_whole(log: io.StringIO) -> None:
    try:
        raise RuntimeError("no room for the cache")
    except RuntimeError:
        logging.getLogger("vllm.v1.engine.core").exception("The engine did not start.")
    assert "RuntimeError: no room for the cache" in log.getvalue()
