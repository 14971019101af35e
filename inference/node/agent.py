"""The agent of a node: starts vLLM, warms it up, registers it, and takes it out again."""

import contextlib
import ctypes
import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from time import monotonic
from types import FrameType

from inference.cluster.client import GenerationRequest, NodeClient, NodeError
from inference.cluster.registry import Registration
from inference.node.acknowledging import Acknowledger
from inference.node.plan import LaunchPlan

log = logging.getLogger("claimwright.node")

START_SECONDS = 900.0
STOP_SECONDS = 20.0
LOAD_EVERY_SECONDS = 5.0
DRAIN_LOOK_SECONDS = 0.5
# Used once, before the node is called ready: its first grammar makes the engine build its grammar
# tokenizer, which holds everything up for seconds.
WARM_UP_PROMPT = "发明名称：一种支架\n技术交底：支架包括底座和立杆。\n权利要求书：\n1."
WARM_UP_GRAMMAR = r"start: /一种[^。\n]+。/"
PR_SET_PDEATHSIG = 1


class NodeStopped(Exception):
    """vLLM ended before it was ready, or took too long. The sentence says which."""


class Agent:
    """Runs one node in the foreground: `run()` returns the exit status for the process."""

    def __init__(
        self,
        plan: LaunchPlan,
        client: NodeClient,
        registration: Registration | None,
        acknowledger: Acknowledger | None = None,
        *,
        drain_seconds: float = 0.0,
    ) -> None:
        """`drain_seconds`: how long requests that run when the node is asked to stop may go on,
        while the registry shows it as draining. Agent starts and closes what it is given."""
        self._plan = plan
        self._client = client
        self._registration = registration
        self._acknowledger = acknowledger
        self._drain_seconds = drain_seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._asked_to_stop = threading.Event()

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        # The child first: the registration's threads must not be there when it is forked.
        child = self._child = self._start()
        if self._registration is not None:
            self._registration.start()
        if self._acknowledger is not None:
            self._acknowledger.start()
        try:
            self._become_ready(child)
            self._watch(child)
        except NodeStopped as stopped:
            if not self._asked_to_stop.is_set():
                log.error("%s", stopped)
        finally:
            self._drain(child)
            if self._acknowledger is not None:
                self._acknowledger.close()
            if self._registration is not None:
                self._registration.close()
            status = self._stop(child)
        # Ended because it was asked to: that is success, whatever signal vLLM died of.
        return 0 if self._asked_to_stop.is_set() else (status or 1)

    def _start(self) -> "subprocess.Popen[bytes]":
        log.info("Starting vLLM: %s", " ".join(self._plan.argv[1:]))
        return subprocess.Popen(  # noqa: S603
            self._plan.argv,
            env=without_secrets(os.environ) | dict(self._plan.environment),
            stdin=subprocess.DEVNULL,
            # A group of its own: a Ctrl-C at the terminal comes to the agent alone, which first
            # takes the node out of the registry; and what vLLM leaves behind can be ended with it.
            start_new_session=True,
            preexec_fn=_die_with_parent(),
        )

    def _become_ready(self, child: "subprocess.Popen[bytes]") -> None:
        began = monotonic()
        while not self._client.healthy():
            if child.poll() is not None:
                raise NodeStopped(f"vLLM ended with status {child.returncode} while starting.")
            if self._asked_to_stop.wait(0.3):
                raise NodeStopped("The node was stopped while starting.")
            if monotonic() - began > START_SECONDS:
                raise NodeStopped(f"vLLM did not answer within {START_SECONDS:g} s.")
        served = monotonic()
        try:
            warm_up(self._client)
        except NodeError as error:
            raise NodeStopped(f"The warm-up request failed: {error}") from error
        log.info(
            "Ready: vLLM up after %.1f s, warm after %.1f s more.",
            served - began,
            monotonic() - served,
        )
        self._tell(state="ready")

    def _watch(self, child: "subprocess.Popen[bytes]") -> None:
        last = monotonic()
        while child.poll() is None and not self._asked_to_stop.wait(0.2):
            if self._registration is not None and monotonic() - last >= LOAD_EVERY_SECONDS:
                last = monotonic()
                with contextlib.suppress(NodeError):
                    self._tell(load=self._client.load())
        if child.returncode is not None:
            raise NodeStopped(f"vLLM ended with status {child.returncode}.")

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._asked_to_stop.is_set() and self._child is not None:
            _end_group(self._child.pid, signal.SIGKILL)
        self._asked_to_stop.set()

    def _drain(self, child: "subprocess.Popen[bytes]") -> None:
        self._tell(state="draining")
        deadline = monotonic() + self._drain_seconds
        with contextlib.suppress(NodeError):
            while (
                child.poll() is None
                and monotonic() < deadline
                and self._client.running_requests() > 0
            ):
                time.sleep(DRAIN_LOOK_SECONDS)

    def _tell(self, **changes: object) -> None:
        if self._registration is not None:
            self._registration.update(**changes)

    def _stop(self, child: "subprocess.Popen[bytes]") -> int:
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                log.warning("vLLM did not stop within %g s and is killed.", STOP_SECONDS)
        # Also when it has ended by itself: engine processes may be left.
        _end_group(child.pid, signal.SIGKILL)
        return child.wait()


def warm_up(client: NodeClient) -> None:
    """One constrained request through the real path, part of it resumed. Raises NodeError."""
    prompt = client.tokenize(WARM_UP_PROMPT)
    begun = client.tokenize("一种")[1:]
    request = GenerationRequest(
        prompt_ids=(*prompt, *begun),
        resume_tokens=len(begun),
        grammar=WARM_UP_GRAMMAR,
        max_tokens=8,
        temperature=0.0,
        top_p=1.0,
        seed=None,
        request_id=f"warm-up-{os.getpid()}",
    )
    generation = client.generate(request)
    while not generation.finished:
        generation.read(1.0)
    if generation.finish_reason == "error":
        raise NodeError("node_error", "The engine gave the request up.")


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What vLLM gets of the environment: not the console's settings, keys and passwords."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith("CLAIMWRIGHT_") and name != "DATABASE_URL"
    }


def _die_with_parent() -> Callable[[], None]:
    """Makes the child end when the agent is killed: a node that nobody watches must not serve."""
    libc = ctypes.CDLL(None)

    def set_death_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return set_death_signal


def _end_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)
