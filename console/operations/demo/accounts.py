"""The three demo accounts. Their passwords are made at the first start and kept as hashes only."""

from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db import transaction

from console.accounts import passwords
from console.accounts.models import Membership, Role, Team, User


@dataclass(frozen=True)
class DemoAccount:
    title: str
    display_name: str
    role: Role
    in_team: bool = False


DEMO = {
    "agent": DemoAccount("patent agent", "林知远", Role.AGENT, in_team=True),
    "author": DemoAccount("rule author", "沈若衡", Role.RULE_AUTHOR),
    "operator": DemoAccount("operator", "周启明", Role.OPERATOR),
}


def create(team: Team) -> dict[str, User]:
    """The accounts, without a password yet: nobody can sign in with them."""
    users = {}
    for username, account in DEMO.items():
        user = User(username=username, display_name=account.display_name)
        user.set_unusable_password()
        user.save()
        user.groups.add(Group.objects.get(name=account.role.value))
        if account.in_team:
            Membership.objects.create(user=user, team=team)
        users[username] = user
    return users


@transaction.atomic
def give_first_passwords() -> dict[str, str]:
    """A password for each demo account that has never had one; the only time they can be read."""
    given = {}
    for user in User.objects.select_for_update().filter(username__in=DEMO):
        if not user.has_usable_password():
            given[user.username] = passwords.generated()
            user.set_password(given[user.username])
            user.save(update_fields=["password"])
    return {name: given[name] for name in DEMO if name in given}
