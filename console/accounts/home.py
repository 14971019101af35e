"""Where each role's work begins."""

from django.urls import reverse

from console.accounts.models import User


def home_of(user: User) -> str:
    """The address that the user is led to after signing in, and by the mark in the page's head."""
    if user.is_agent:
        return reverse("matters:list")
    if user.is_operator:
        return reverse("operations:overview")
    if user.enters_admin:
        return reverse("admin:index")
    return reverse("matters:list")
