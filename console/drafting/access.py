"""Whether a WebSocket's login still holds and may still see its matter; asked again and again."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import Http404

from console.accounts.models import User
from console.matters import selectors as matters
from console.matters.models import Matter


class LoginExpired(Exception):
    """The session has ended, or the user was switched off."""


class NotVisible(Exception):
    """The matter is not there for this user. Which of the two is not said."""


class _SessionHolder:
    """What django.contrib.auth.get_user asks of a request."""

    def __init__(self, session: Any) -> None:
        self.session = session


def visible_matter(session_key: str | None, matter_id: str) -> tuple[User, Matter]:
    """User and matter, read from the database now. Raises LoginExpired, NotVisible."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    user = get_user(_SessionHolder(store(session_key)))  # type: ignore[arg-type]
    if not isinstance(user, User) or not user.is_active:
        raise LoginExpired
    try:
        return user, matters.matter_for(user, matter_id)
    except Http404:
        raise NotVisible from None
