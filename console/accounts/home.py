"""Where each role's work begins."""

from django.urls import reverse

from console.accounts.models import Role, User


def home_of(user: User) -> str:
    """The address that the user is led to after signing in, and by the mark in the page's head."""
    roles = set(user.groups.values_list("name", flat=True))
    if Role.AGENT in roles:
        return reverse("matters:list")
    if Role.OPERATOR in roles:
        return reverse("operations:overview")
    if Role.RULE_AUTHOR in roles or user.is_superuser:
        return reverse("admin:index")
    return reverse("matters:list")
