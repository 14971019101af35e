"""Keeps what clients wrote out of vLLM's log."""

import logging
import traceback

# Loggers whose warnings carry tokens or quote grammars.
TALKATIVE = frozenset(
    {
        "vllm.v1.structured_output",
        "vllm.v1.structured_output.backend_guidance",
        "vllm.v1.core.sched.scheduler",
    }
)


def without_client_text(record: logging.LogRecord) -> bool:
    """A filter for log handlers; lets every record pass, without what could quote a client.

    Warnings of the talkative loggers keep their sentence but not the values filled into it, and
    exceptions keep their type and place but not their message.
    """
    if record.levelno >= logging.WARNING and record.name in TALKATIVE:
        record.msg, record.args = f"{record.msg} [values left out]", ()
    if record.exc_info:
        kind, _, place = record.exc_info
        name = kind.__name__ if kind is not None else "no exception"
        record.exc_text = "".join(traceback.format_tb(place)) + f"{name} [message left out]"
        record.exc_info = None
    return True
