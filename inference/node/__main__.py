"""python -m inference.node: one vLLM node, planned for this machine, with its registration.

etcd's TLS files, user and password come from the environment (CLAIMWRIGHT_ETCD_CA, _CERT, _KEY,
_USER, _PASSWORD or _PASSWORD_FILE).
"""

import argparse
import logging
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from inference.cluster.client import NodeClient
from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import Registration
from inference.etcd import EtcdSettings
from inference.models import profiles
from inference.models.errors import ModelError
from inference.node.acknowledging import Acknowledger
from inference.node.agent import Agent
from inference.node.engine import GrammarEngine, tokenizer_file
from inference.node.machine import this_machine, weights_gib
from inference.node.plan import PlanError, plan


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        profile = profiles.load(options.profile)
        model_dir: Path | None = options.model_dir
        if model_dir is not None and not (model_dir / "config.json").is_file():
            return _refuse(f"There is no model in {model_dir}: build it first.")
        if model_dir is None and not profile.repo:
            return _refuse(f"Profile {profile.name} needs --model-dir with its built model.")
        launch = plan(
            profile,
            this_machine(),
            model=str(model_dir or profile.repo),
            weights_gib=weights_gib(model_dir or Path(profile.repo)),
            host=options.host,
            port=options.port,
        )
    except (ModelError, PlanError) as error:
        return _refuse(str(error))
    if not _is_free(options.host, options.port):
        return _refuse(f"Port {options.port} is taken: another program listens there.")
    local = f"http://{_reachable(options.host)}:{options.port}"
    registration = acknowledger = None
    if options.etcd is not None:
        settings = EtcdSettings.from_environment()
        if options.etcd:
            settings = replace(settings, endpoints=tuple(options.etcd.split(",")))
        record = NodeRecord(
            id=options.node_id or f"node-{options.port}",
            address=options.address or local,
            model=profile.name,
            plan=launch.summary,
        )
        registration = Registration(settings, record)
        load = partial(_engine, str(model_dir or profile.repo))
        acknowledger = Acknowledger(settings, registration, record.id, load)
    agent = Agent(
        launch, NodeClient(local), registration, acknowledger, drain_seconds=options.drain
    )
    return agent.run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m inference.node", description=__doc__)
    parser.add_argument("--profile", default=profiles.DEFAULT)
    parser.add_argument("--model-dir", type=Path, help="folder of the built model")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--node-id", help="name in the registry; default node-<port>")
    parser.add_argument("--address", help="base URL under which others reach this node")
    parser.add_argument(
        "--etcd",
        nargs="?",
        const="",
        metavar="HOST:PORT,...",
        help="register there; without a value, at CLAIMWRIGHT_ETCD",
    )
    parser.add_argument(
        "--drain",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="how long running requests may go on when the node is asked to stop",
    )
    return parser


def _engine(model: str) -> GrammarEngine:
    return GrammarEngine(tokenizer_file(model))


def _is_free(host: str, port: int) -> bool:
    """Asked before the start: a server that is there already would pass for this node's own."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::", "") else host  # noqa: S104


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
