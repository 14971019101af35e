"""The measuring split: titles and abstracts of real applications, and matters made of them."""

import json
import random
import uuid
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "eval_claim_sets.jsonl"
# Drafts of these sets were read while the drafting was improved: they measure nothing any more.
SEEN = frozenset(
    [
        "CN114031432A",
        "CN112878543A",
        "CN107956084A",
        "CN113929808A",
        "CN111364578A",
        "CN113882191A",
        "CN111953894A",
        "CN109869146A",
        "CN114000055A",
        "CN112333338A",
        "CN114369755A",
        "CN111623429A",
    ]
)
# A scan now and then lost its title or its abstract: such a set is no disclosure.
SHORTEST_ABSTRACT = 80


def usable_sets(count: int, seed: int = 20261130) -> list[dict[str, Any]]:
    """`count` different sets that have a title and an abstract, always the same ones."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    sets = [json.loads(line) for line in lines]
    whole = [
        one
        for one in sets
        if one["title"].strip()
        and len(one["abstract"]) >= SHORTEST_ABSTRACT
        and one["publication"] not in SEEN
    ]
    return random.Random(seed).sample(whole, count)


def make_matter(claim_set: dict[str, Any]) -> tuple[Any, Any]:
    """A user of its own (so that limits per user do not matter) and the set's matter."""
    from django.contrib.auth.models import Group

    from console.accounts.models import Role, Team, User
    from console.matters import services

    name = f"bench-{uuid.uuid4().hex[:12]}"
    user = User.objects.create_user(username=name)
    group, _ = Group.objects.get_or_create(name=Role.AGENT.value)
    user.groups.add(group)
    team = Team.objects.create(name=name)
    team.members.add(user)
    matter = services.create_matter(user=user, team_id=team.pk, title=claim_set["title"])
    services.store_disclosure(matter_id=matter.pk, user=user, text=claim_set["abstract"])
    return user, matter


def parameters(count: int) -> Any:
    """What an agent asks for who leaves everything else to the title."""
    return {
        "count": count,
        "categories": [],
        "product_subject": "",
        "method_subject": "",
        "first_claim": "",
        "pause_after_each": False,
        "instruction": "",
    }
