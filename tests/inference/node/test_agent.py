"""The life of a node's agent, with a small server in the place of vLLM and a real etcd."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import EtcdNodes
from inference.etcd import Etcd, EtcdSettings
from tests.support.ports import free_ports
from tests.support.waiting import until

pytestmark = pytest.mark.services

# The agent as a process: its plan starts argv[3:] as the node's server.
AGENT = """
import logging, sys
from inference.cluster.client import NodeClient
from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import Registration
from inference.etcd import EtcdSettings
from inference.node.agent import Agent
from inference.node.plan import LaunchPlan
logging.basicConfig(level=logging.INFO)
port, endpoint, argv = sys.argv[1], sys.argv[2], sys.argv[3:]
url = f"http://127.0.0.1:{port}"
record = NodeRecord(id="agent-test", address=url, model="m", plan={"device": "cpu"})
registration = Registration(EtcdSettings(endpoints=(endpoint,)), record)
plan = LaunchPlan(tuple(argv), {}, {})
sys.exit(Agent(plan, NodeClient(url), registration, drain_seconds=30.0).run())
"""
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def port() -> int:
    return free_ports(1)[0]


@pytest.fixture
def start(etcd: Etcd, port: int, tmp_path: Path) -> Iterator[Start]:
    """Starts an agent around the given command; whatever is left of it is killed afterwards."""
    started = []

    def start_agent(*argv: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", AGENT, str(port), settings.ETCD_ENDPOINTS[0], *argv]
        with (tmp_path / "agent.log").open("w") as log:
            agent = subprocess.Popen(command, stderr=log, text=True)
        started.append(agent)
        return agent

    yield start_agent
    for agent in started:
        if agent.poll() is None:
            agent.kill()
            agent.wait()


@pytest.fixture
def nodes(etcd: Etcd) -> Iterator[EtcdNodes]:
    found = EtcdNodes(EtcdSettings(endpoints=tuple(settings.ETCD_ENDPOINTS)))
    yield found
    found.close()


def server(port: int, *, running: int = 0) -> tuple[str, ...]:
    return (sys.executable, "-m", "tests.support.scripted_node", str(port), str(running))


def states(nodes: EtcdNodes) -> list[str]:
    return [node.state for node in nodes.nodes()]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ignores_sigterm(pid: int) -> bool:
    mask = Path(f"/proc/{pid}/status").read_text().split("SigIgn:")[1].split()[0]
    return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)


def gone(pid: int) -> bool:
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return True


def test_a_node_is_registered_when_it_is_warm_and_taken_out_when_asked_to_stop(
    start: Start, nodes: EtcdNodes, port: int
) -> None:
    agent = start(*server(port))
    until(lambda: states(nodes) == ["ready"])
    address = f"http://127.0.0.1:{port}"
    assert nodes.nodes()[0].address == address
    assert isinstance(nodes.nodes()[0], NodeRecord)
    (child,) = children(agent.pid)
    agent.send_signal(signal.SIGTERM)
    assert agent.wait(15) == 0
    until(lambda: nodes.nodes() == ())
    assert gone(child)


def test_a_node_with_running_requests_drains_before_it_goes(
    start: Start, nodes: EtcdNodes, port: int
) -> None:
    agent = start(*server(port, running=1))
    until(lambda: states(nodes) == ["ready"])
    agent.send_signal(signal.SIGTERM)
    until(lambda: states(nodes) == ["draining"])
    assert agent.poll() is None
    agent.send_signal(signal.SIGTERM)  # it is not to wait any longer
    assert agent.wait(15) == 0
    until(lambda: nodes.nodes() == ())


def test_the_server_gets_none_of_the_consoles_secrets(start: Start, tmp_path: Path) -> None:
    found = tmp_path / "environment"
    code = f"import os; open({str(found)!r}, 'w').write(chr(10).join(os.environ))"
    assert start(sys.executable, "-c", code).wait(15) != 0
    names = found.read_text().split()
    assert "PATH" in names
    assert not [name for name in names if name.startswith("CLAIMWRIGHT_")]
    assert "DATABASE_URL" not in names


def test_a_node_is_not_ready_before_its_server_answers(start: Start, nodes: EtcdNodes) -> None:
    agent = start(sys.executable, "-c", "import time; time.sleep(60)")
    until(lambda: states(nodes) == ["starting"])
    agent.send_signal(signal.SIGINT)
    assert agent.wait(15) == 0
    until(lambda: nodes.nodes() == ())


def test_a_server_that_ends_while_starting_ends_the_agent_with_a_sentence(
    start: Start, nodes: EtcdNodes, tmp_path: Path
) -> None:
    agent = start(sys.executable, "-c", "import sys; sys.exit(3)")
    assert agent.wait(15) == 3
    assert "vLLM ended with status 3 while starting." in (tmp_path / "agent.log").read_text()
    until(lambda: nodes.nodes() == ())


def test_a_server_that_dies_takes_the_agent_and_the_registration_with_it(
    start: Start, nodes: EtcdNodes, port: int
) -> None:
    agent = start(*server(port))
    until(lambda: states(nodes) == ["ready"])
    os.kill(children(agent.pid)[0], signal.SIGKILL)
    assert agent.wait(15) != 0
    until(lambda: nodes.nodes() == ())


def test_when_the_agent_is_killed_its_server_does_not_go_on_alone(
    start: Start, nodes: EtcdNodes, port: int
) -> None:
    agent = start(*server(port))
    until(lambda: states(nodes) == ["ready"])
    (child,) = children(agent.pid)
    agent.kill()
    agent.wait()
    until(lambda: gone(child))
    until(lambda: nodes.nodes() == ())


def test_a_server_that_ignores_the_signal_is_killed_at_the_second(
    start: Start, nodes: EtcdNodes
) -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    agent = start(sys.executable, "-c", stubborn)
    until(lambda: states(nodes) == ["starting"])
    (child,) = children(agent.pid)
    until(lambda: ignores_sigterm(child))
    agent.send_signal(signal.SIGTERM)
    until(lambda: nodes.nodes() == ())
    agent.send_signal(signal.SIGTERM)
    assert agent.wait(10) == 0
    assert gone(child)
