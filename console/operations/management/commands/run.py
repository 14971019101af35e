"""Everything on one machine, under one supervisor, until Ctrl-C."""

import asyncio
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from console.operations.demo import accounts
from console.operations.supervisor import preflight, programs, servers
from console.operations.supervisor.output import OWN, Stream
from console.operations.supervisor.shell import Milestone, Shell
from inference.models.errors import ModelError


class Command(BaseCommand):
    help = "Starts Valkey, etcd, web, worker and one inference node, and keeps them running."
    # Migrations are one of the steps, and the checks run in `prepare`.
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-demo", action="store_true", help="Do not load the demo team and its matters."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with preflight.data_folder(settings.DATA_DIR):
                preflight.check_ports(programs.ports())
                services = programs.services(demo=not options["no_demo"])
                stream = Stream([service.program.name for service in services])
                every = {s.program.name for s in services if not s.program.once}
                welcome = Welcome(stream)
                milestones = [Milestone(frozenset(every), welcome.all_ready)]
                if "node" in every:
                    # Listed first, so that it is told first when both are reached at once.
                    milestones.insert(
                        0, Milestone(frozenset(every - {"node"}), welcome.console_ready)
                    )
                shell = Shell(services, stream, milestones, folder=settings.BASE_DIR)
                code = asyncio.run(shell.run())
        except (preflight.PreflightError, servers.ServerMissing, ModelError) as error:
            raise CommandError(str(error)) from error
        if code:
            raise SystemExit(code)


class Welcome:
    """What the terminal says when the console answers, and again when the model does too."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._passwords: dict[str, str] = {}

    def console_ready(self) -> None:
        self._tell("The console answers; the model is still loading.")

    def all_ready(self) -> None:
        self._tell("Everything is ready.")

    def _tell(self, headline: str) -> None:
        self._passwords |= accounts.give_first_passwords()
        connection.close()  # this thread's; it may not be asked for again
        say = self._stream.line
        say(OWN, "")
        say(OWN, f"{headline}  {programs.address()}")
        if self._passwords:
            say(OWN, "Demo accounts (the passwords are shown at this first start only):")
            width = max(map(len, self._passwords))
            for name, password in self._passwords.items():
                say(OWN, f"    {name:<{width}}  {password}   {accounts.DEMO[name].title}")
            say(OWN, "A new password: manage.py reset_password NAME.  Stop: Ctrl-C.")
        say(OWN, "")
