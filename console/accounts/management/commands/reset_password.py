"""A new password for one user, printed once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from console.accounts import audit, passwords
from console.accounts.models import User


class Command(BaseCommand):
    help = "Gives a user a new generated password, prints it once, and ends the user's sessions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        with transaction.atomic():
            user = User.objects.select_for_update().filter(username=name).first()
            if user is None:
                known = ", ".join(
                    User.objects.order_by("username").values_list("username", flat=True)[:20]
                )
                raise CommandError(f"There is no user {name!r}. Users: {known or 'none yet'}.")
            password = passwords.generated()
            # Sessions carry a hash of the password, so the old ones end here.
            user.set_password(password)
            user.save(update_fields=["password"])
            audit.record(actor=None, action="password.reset", target=f"user:{user.pk}")
        self.stdout.write(f"The new password of {name}, shown once: {password}")
