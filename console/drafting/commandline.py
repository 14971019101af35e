"""What the options of `manage.py draft` ask for: parameters, the user, the matter or a new one."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.accounts.models import Role, Team, User
from console.drafting.inventionname import MAX_TITLE, title_of
from console.drafting.ownclaim import own_claim
from console.drafting.protocol import MAX_CLAIMS, DraftParams, ProtocolError, read_params
from console.matters import services as matter_services
from console.matters.importing import ImportedText, ImportRefused, read_disclosure
from console.matters.models import Matter


class WrongUse(Exception):
    """An option or a file that cannot be used; the sentence says which and why."""


@dataclass(frozen=True)
class NewMatter:
    """A matter that is made once nothing else can stop the draft."""

    user: User
    team: Team
    title: str
    source_name: str
    disclosure: ImportedText

    def make(self) -> Matter:
        matter = matter_services.create_matter(
            user=self.user, team_id=self.team.pk, title=self.title
        )
        matter_services.store_disclosure(
            matter_id=matter.pk,
            user=self.user,
            text=self.disclosure.text,
            source_name=self.source_name,
            source_format=self.disclosure.format,
        )
        return matter


def params_of(options: Mapping[str, Any]) -> DraftParams:
    """Raises WrongUse."""
    if not 1 <= options["claims"] <= MAX_CLAIMS:
        raise WrongUse(f"--claims must be a number from 1 to {MAX_CLAIMS}.")
    categories = [word.strip() for word in options["categories"].split(",") if word.strip()]
    if set(categories) - {"product", "method"}:
        raise WrongUse("--categories knows product and method.")
    own = _first_claim(options["first_claim"])
    if own and options["claims"] < 2:
        raise WrongUse("--claims counts your claim 1 too: it must be 2 or more.")
    try:
        return read_params(
            {
                "count": options["claims"],
                "categories": categories,
                "product_subject": options["product_subject"],
                "method_subject": options["method_subject"],
                "first_claim": own,
                "instruction": options["instruction"],
            }
        )
    except ProtocolError as error:
        raise WrongUse(error.message) from error


def source_of(options: Mapping[str, Any]) -> tuple[User, Matter | NewMatter]:
    """In whose name, and where, the draft is to be. Raises WrongUse."""
    if options["matter"]:
        try:
            matter = Matter.objects.select_related("team").get(pk=uuid.UUID(options["matter"]))
        except (Matter.DoesNotExist, ValueError):
            raise WrongUse(f"There is no matter {options['matter']}.") from None
        return _user(options["user"], matter.team), matter
    path = options["disclosure"]
    read = _read(path)
    title = options["title"].strip() or title_of(read.text)
    if not title:
        raise WrongUse(f"No title is found in {path}; give --title.")
    if len(title) > MAX_TITLE:
        raise WrongUse(f"--title has more than {MAX_TITLE} characters.")
    user = _user(options["user"], None)
    team = Team.objects.filter(members=user).first()
    if team is None:
        raise WrongUse(f"{user} is in no team; name another --user.")
    return user, NewMatter(user, team, title, path.name, read)


def _first_claim(path: Path | None) -> str:
    """The one claim of the file, without its number; "" without a file."""
    if path is None:
        return ""
    claim = own_claim(_read(path).text)
    if claim is None:
        raise WrongUse(f"{path} should hold your claim 1 only.")
    return claim


def _user(username: str, team: Team | None) -> User:
    agents = User.objects.filter(is_active=True, groups__name=Role.AGENT.value)
    if team is not None:
        agents = agents.filter(teams=team)
    if username:
        user = agents.filter(username=username).first()
    else:
        user = agents.filter(teams__isnull=False).order_by("pk").first()
    if user is None:
        who = f"{username} is no agent" if username else "There is no agent"
        raise WrongUse(f"{who} who may draft here.")
    return user


def _read(path: Path) -> ImportedText:
    try:
        return read_disclosure(path.name, path.read_bytes())
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}.") from error
    except ImportRefused as error:
        raise WrongUse(f"{path}: {error}") from error
