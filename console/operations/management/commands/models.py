"""The models that nodes serve."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inference.models import profiles, recipes
from inference.models.errors import ModelError

LONG_STEP_SECONDS = 0.5


class Command(BaseCommand):
    help = "Builds the model of a profile from its packages, once, into the model cache."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        build = commands.add_parser("build", help=self.help)
        build.add_argument("profile", nargs="?", default=settings.NODE_PROFILE)

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["profile"]
        try:
            profile = profiles.load(name)
            if not profile.recipe:
                self.stdout.write(f"Profile {name} serves {profile.repo}; nothing to build.")
                return
            folder = recipes.build(name, settings.MODELS_DIR, Progress(self.stdout))
            licence = recipes.license_text(name).strip().splitlines()[0]
        except ModelError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The model of {name} is in {folder}.")
        self.stdout.write(f"Licence: {licence}")
        self.stdout.write(f"In full: {folder / recipes.terms_name(name)}")


class Progress:
    """One line per step, and further ones at most every half second."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._step = ""
        self._told_at = 0.0

    def __call__(self, step: str, share: float) -> None:
        now = time.monotonic()
        if step == self._step and now - self._told_at < LONG_STEP_SECONDS and share < 1:
            return
        self._step, self._told_at = step, now
        filled = round(share * 20)
        self._out.write(f"[{'#' * filled}{'.' * (20 - filled)}] {share:4.0%}  {step}")
