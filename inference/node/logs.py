"""Keeps what clients wrote out of vLLM's log."""

import logging
import traceback
from typing import Any

# Loggers whose warnings carry tokens or quote grammars.
TALKATIVE = frozenset(
    {
        "vllm.v1.structured_output",
        "vllm.v1.structured_output.backend_guidance",
        "vllm.v1.core.sched.scheduler",
    }
)
# Where requests come in.
REQUESTS = "vllm.entrypoints."
REFUSED = "VLLMValidationError"


def install() -> None:
    """For this process. At the source of all records, because vLLM configures its loggers and their
    handlers anew after plugins have run."""
    make = logging.getLogRecordFactory()

    def make_without_client_text(*values: Any, **named: Any) -> logging.LogRecord:
        record = make(*values, **named)
        strip(record)
        return record

    logging.setLogRecordFactory(make_without_client_text)


def strip(record: logging.LogRecord) -> None:
    """Takes out of a record what could quote a client.

    Warnings of the talkative loggers keep their sentence but not the values filled into it.
    Exceptions there, and where requests come in, keep their type and place but not their message;
    elsewhere they stay whole, so that a node that does not start says why.
    """
    talkative = record.name in TALKATIVE
    if talkative and record.levelno >= logging.WARNING:
        record.msg, record.args = f"{record.msg} [values left out]", ()
    if record.exc_info and (talkative or record.name.startswith(REQUESTS)):
        kind, _, place = record.exc_info
        name = kind.__name__ if kind is not None else "no exception"
        # A request that vLLM does not take is no fault of the code: where it came up says nothing.
        frames = [] if name == REFUSED else traceback.format_tb(place)
        record.exc_text = "".join(frames) + f"{name} [message left out]"
        record.exc_info = None
