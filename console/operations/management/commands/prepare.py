"""What has to be done before the console can start, and after every upgrade before it starts again.
Repeating it changes nothing."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from console.operations import static_files
from console.operations.demo.load import load, write_samples
from rules import builtin
from rules.compiler import PackError
from rules.services import adopt
from rules.store.client import StoreError


class Command(BaseCommand):
    help = "Migrates, collects static files, loads the demo data once, publishes built-in rules."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="Leave an empty database empty.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as error:
            raise CommandError(f"The database cannot be migrated: {error}") from error
        self.stdout.write("The database is up to date.")
        if static_files.collect():
            self.stdout.write("The static files are collected.")
        if not options["no_demo"]:
            if load():
                self.stdout.write("The demo team and its matters are loaded.")
            for path in write_samples(settings.DATA_DIR / "samples"):
                self.stdout.write(f"A disclosure to try the import with: {path}")
        try:
            for pack in builtin.publish(self.stdout.write):
                adopt(pack)
        except PackError as error:
            raise CommandError(f"A pack of this release cannot be compiled:\n{error}") from error
        except StoreError as error:
            raise CommandError(f"The rules cannot be published: {error}") from error
