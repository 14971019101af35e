"""Refuses sign-in attempts after repeated failures.

Failures are rows in the database, so that all web processes count together. Three limits within
the window: per account and address (a guesser), per address (one trying many accounts), and a wider
one per account (a guesser with many addresses). Account names are kept as digests: people type
passwords into the wrong field.
"""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.utils import timezone

from console.accounts.models import FailedLogin

WINDOW = timedelta(minutes=15)
_LONGEST_ADDRESS = 45


@dataclass(frozen=True)
class Limits:
    account_and_address: int = 5
    address: int = 30
    account: int = 50


LIMITS = Limits()


def admits(*, username: str, address: str) -> bool:
    """Whether another attempt may be made. It counts as failed until `forget` is called: so a
    hundred attempts at once are no way around the limits. One that is refused does not count."""
    FailedLogin.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    account, address = _digest(username), address[:_LONGEST_ADDRESS]
    attempt = FailedLogin.objects.create(account=account, address=address)
    recent = FailedLogin.objects.all()
    if (
        recent.filter(account=account, address=address).count() > LIMITS.account_and_address
        or recent.filter(address=address).count() > LIMITS.address
        or recent.filter(account=account).count() > LIMITS.account
    ):
        attempt.delete()
        return False
    return True


def forget(*, username: str, address: str) -> None:
    """After a success: the person's own typing errors no longer count."""
    FailedLogin.objects.filter(
        account=_digest(username), address=address[:_LONGEST_ADDRESS]
    ).delete()


def _digest(username: str) -> str:
    keyed = f"{settings.SECRET_KEY}:{username.strip().casefold()}"
    return sha256(keyed.encode()).hexdigest()
