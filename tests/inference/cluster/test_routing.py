"""Rendezvous hashing over ready nodes."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from inference.cluster.nodes import NodeRecord
from inference.cluster.routing import pick, rank

KEYS = [f"matter-{n}" for n in range(3000)]


def node(name: str, *, state: str = "ready", weight: int = 100) -> NodeRecord:
    return NodeRecord(id=name, address=f"http://{name}", model="m", state=state, weight=weight)  # type: ignore[arg-type]


fleets = st.lists(
    st.builds(
        node,
        st.text("abcdefgh", min_size=1, max_size=4),
        state=st.sampled_from(["starting", "ready", "suspect", "draining", "gone"]),
        weight=st.integers(0, 100),
    ),
    max_size=8,
    unique_by=lambda record: record.id,
)


@given(fleets, st.text())
def test_only_ready_nodes_with_weight_get_anything(fleet: list[NodeRecord], key: str) -> None:
    able = {record.id for record in fleet if record.state == "ready" and record.weight > 0}
    assert {record.id for record in rank(fleet, key)} == able
    chosen = pick(fleet, key)
    assert (chosen is None) == (not able)


@given(fleets, st.text(), st.randoms())
def test_the_choice_depends_on_the_key_and_not_on_the_order(
    fleet: list[NodeRecord], key: str, random: object
) -> None:
    shuffled = list(fleet)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank(fleet, key) == rank(shuffled, key)


@given(fleets, st.text())
def test_when_the_chosen_node_goes_the_next_in_rank_takes_over(
    fleet: list[NodeRecord], key: str
) -> None:
    ranked = rank(fleet, key)
    if ranked:
        left = [record for record in fleet if record != ranked[0]]
        assert rank(left, key) == ranked[1:]


@given(fleets, st.text())
def test_a_node_that_joins_only_takes_keys_for_itself(fleet: list[NodeRecord], key: str) -> None:
    joined = node("newcomer")
    assert pick([*fleet, joined], key) in (pick(fleet, key), joined)


@given(fleets, st.text(), st.integers(1, 99))
def test_less_weight_for_one_node_moves_no_key_between_the_others(
    fleet: list[NodeRecord], key: str, weight: int
) -> None:
    before = pick(fleet, key)
    if before is not None:
        others = [record for record in fleet if record != before]
        lighter = replace(before, weight=min(weight, before.weight))
        after = pick([*others, lighter], key)
        assert after in (lighter, pick(others, key))


def test_keys_are_shared_out_by_weight() -> None:
    fleet = [node("a"), node("b"), node("c", weight=50)]
    counts = Counter(chosen.id for key in KEYS if (chosen := pick(fleet, key)))
    for name, share in (("a", 0.4), ("b", 0.4), ("c", 0.2)):
        assert abs(counts[name] / len(KEYS) - share) < 0.03


def test_no_more_keys_move_than_the_new_node_should_hold() -> None:
    fleet = [node(f"n{n}") for n in range(9)]
    grown = [*fleet, node("n9")]
    moved = sum(pick(fleet, key) != pick(grown, key) for key in KEYS)
    assert moved / len(KEYS) < 0.12
