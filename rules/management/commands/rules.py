"""Rule packs: publishing to the rule store."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.compiler import PackError, compile_pack
from rules.packs import builtin_slugs, load_builtin
from rules.store.client import StoreError, store


class Command(BaseCommand):
    help = "Publishes rule packs."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        publish = commands.add_parser("publish", help="Put packs into force.")
        publish.add_argument(
            "--builtin",
            action="store_true",
            required=True,
            help="The packs that come with the software, where no author's version is in force.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for slug in builtin_slugs():
            try:
                document = compile_pack(load_builtin(slug)).document
                in_force = store().publish_builtin(document)
            except PackError as error:
                raise CommandError(f"{slug} cannot be compiled:\n{error}") from error
            except StoreError as error:
                raise CommandError(f"{slug} cannot be published: {error}") from error
            self.stdout.write(
                f"{slug}: version {in_force.version} by {in_force.author} is in force."
            )
