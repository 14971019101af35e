"""Who may work on rules: rule authors and superusers. Agents and operators may not."""

from console.accounts.models import Role, User


def is_rule_author(user: object) -> bool:
    return isinstance(user, User) and (
        (user.is_active and user.is_superuser) or user.has_role(Role.RULE_AUTHOR)
    )
