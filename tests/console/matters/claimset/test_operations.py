"""Single changes and what they refuse."""

import pytest

from console.matters import claimset
from console.matters.claimset import ClaimSetError, Content

DEVICE = "一种散热装置，其特征在于，包括壳体。"


def claims(*texts: str) -> Content:
    """Accepted claims c1, c2, … with these texts."""
    return {
        "claims": [
            {"id": f"c{n}", "text": text, "state": "accepted", "origin": "agent", "rev": n}
            for n, text in enumerate(texts, start=1)
        ]
    }


def dependent(on: str) -> str:
    return f"根据权利要求{on}所述的散热装置，其特征在于，还包括风扇。"


def texts(content: Content) -> list[str]:
    return [row["text"] for row in content["claims"]]


def test_an_inserted_claim_moves_the_numbers_behind_it() -> None:
    content = claims(DEVICE, dependent("1"), dependent("2"))
    result = claimset.insert(
        content, "new", "c1", dependent("1"), revision=9, seen=claimset.numbering(content)
    )
    assert texts(result) == [DEVICE, dependent("1"), dependent("1"), dependent("3")]
    assert [row["rev"] for row in result["claims"]] == [1, 9, 2, 9]


def test_removing_a_claim_points_its_dependents_to_its_parent() -> None:
    content = claims(DEVICE, dependent("1"), dependent("2"), dependent("1至3中任一项"))
    result = claimset.remove(content, "c2", revision=9)
    assert texts(result) == [DEVICE, dependent("1"), dependent("1或2中任一项")]


def test_removing_a_cited_independent_claim_is_refused_with_the_numbers() -> None:
    content = claims(DEVICE, dependent("1"), dependent("1或2"))
    with pytest.raises(ClaimSetError) as refused:
        claimset.remove(content, "c1", revision=9)
    assert refused.value.code == "claim_is_cited"
    assert "权利要求2、3" in str(refused.value)


@pytest.mark.parametrize(
    "parents", [dependent("1或2"), dependent("1或权利要求2").replace("权利", "权力")]
)
def test_removing_a_cited_claim_with_two_parents_is_refused(parents: str) -> None:
    content = claims(DEVICE, dependent("1"), parents, dependent("3"))
    with pytest.raises(ClaimSetError) as refused:
        claimset.remove(content, "c3", revision=9)
    assert refused.value.code == "claim_is_cited"


def test_an_independent_claim_that_cites_another_is_no_stand_in_for_it() -> None:
    method = "一种制造权利要求1所述散热装置的方法，其特征在于，包括焊接。"
    on_method = "根据权利要求2所述的方法，其特征在于，还包括打磨。"
    content = claims(DEVICE, method, on_method)
    with pytest.raises(ClaimSetError, match="权利要求3"):
        claimset.remove(content, "c2", revision=9)


def test_a_move_behind_a_dependent_is_refused() -> None:
    content = claims(DEVICE, dependent("1"), dependent("2"))
    with pytest.raises(ClaimSetError) as refused:
        claimset.move(content, "c2", 2, revision=9)
    assert refused.value.code == "would_cite_forward"


def test_a_citation_that_points_forward_already_does_not_forbid_other_moves() -> None:
    content = claims(DEVICE, dependent("3"), dependent("1"), dependent("1"))
    result = claimset.move(content, "c4", 1, revision=9)
    assert texts(result) == [DEVICE, dependent("1"), dependent("4"), dependent("1")]


def test_a_number_beyond_the_last_claim_is_left_alone() -> None:
    content = claims(DEVICE, dependent("15"))
    assert texts(claimset.move(content, "c2", 0, revision=9))[0] == dependent("15")


def test_an_edit_made_on_an_older_numbering_cites_what_the_author_saw() -> None:
    content = claims(DEVICE, dependent("1"), dependent("1"))
    seen = claimset.numbering(content)
    now = claimset.insert(content, "new", "c1", dependent("1"), revision=8, seen=seen)
    result = claimset.edit(now, "c3", dependent("2"), revision=9, seen=seen)
    assert claimset.row_of(result, "c3")["text"] == dependent("3")


def test_an_edit_accepts_the_claim_and_makes_it_the_agents() -> None:
    begun = claimset.begin(claimset.empty(), "c1", None, job="j", revision=1)
    filled = claimset.fill(begun, "c1", DEVICE, numbering_then={"c1": 1}, revision=2)
    row = claimset.edit(filled, "c1", DEVICE + "改", revision=3, seen={})["claims"][0]
    assert (row["state"], row["origin"], row["rev"]) == ("accepted", "agent", 3)


def test_a_claim_being_written_cannot_be_edited_accepted_or_written_twice() -> None:
    begun = claimset.begin(claimset.empty(), "c1", None, job="j", revision=1)
    for act in (
        lambda: claimset.edit(begun, "c1", "x", revision=2, seen={}),
        lambda: claimset.accept(begun, "c1"),
        lambda: claimset.restart(begun, "c1", job="k", revision=2),
    ):
        with pytest.raises(ClaimSetError) as refused:
            act()
        assert refused.value.code == "claim_is_being_written"


def test_rejecting_a_proposed_claim_removes_it() -> None:
    begun = claimset.begin(claims(DEVICE), "new", "c1", job="j", revision=2)
    filled = claimset.fill(
        begun, "new", dependent("1"), numbering_then=claimset.numbering(begun), revision=3
    )
    assert texts(claimset.reject(filled, "new", revision=4)) == [DEVICE]


def test_rejecting_a_regeneration_brings_the_earlier_text_back_with_todays_numbers() -> None:
    content = claims(DEVICE, dependent("1"), dependent("2"))
    begun = claimset.restart(content, "c3", job="j", revision=4)
    assert claimset.row_of(begun, "c3")["text"] == ""
    filled = claimset.fill(
        begun, "c3", dependent("1"), numbering_then=claimset.numbering(begun), revision=5
    )
    seen = claimset.numbering(filled)
    longer = claimset.insert(filled, "new", "c1", dependent("1"), revision=6, seen=seen)
    row = claimset.row_of(claimset.reject(longer, "c3", revision=7), "c3")
    assert (row["text"], row["state"], row["rev"]) == (dependent("3"), "accepted", 7)
    assert "earlier" not in row


def test_a_failed_regeneration_leaves_the_earlier_text() -> None:
    content = claims(DEVICE, dependent("1"))
    begun = claimset.restart(content, "c2", job="j", revision=3)
    result = claimset.fail(begun, "c2", revision=4)
    assert texts(result) == texts(content)
    assert result["claims"][1]["state"] == "accepted"


def test_a_failed_new_claim_is_gone_and_the_numbers_are_as_before() -> None:
    content = claims(DEVICE, dependent("1"), dependent("2"))
    begun = claimset.begin(content, "new", "c1", job="j", revision=4)
    assert texts(begun)[3] == dependent("3")
    assert texts(claimset.fail(begun, "new", revision=5)) == texts(content)


def test_a_failed_claim_that_is_cited_already_keeps_its_place() -> None:
    begun = claimset.begin(claims(DEVICE), "new", "c1", job="j", revision=2)
    cited = claimset.insert(
        begun, "c9", "new", dependent("2"), revision=3, seen=claimset.numbering(begun)
    )
    result = claimset.fail(cited, "new", revision=4)
    assert claimset.row_of(result, "new")["state"] == "failed"
    assert texts(result)[2] == dependent("2")


def test_a_claim_without_a_parent_stays_while_the_text_being_written_may_cite_it() -> None:
    begun = claimset.begin(claims(DEVICE, DEVICE), "new", "c2", job="j", revision=3)
    for act in (
        lambda: claimset.remove(begun, "c2", revision=4),
        lambda: claimset.move(begun, "c2", 2, revision=4),
        lambda: claimset.restore(begun, claims(DEVICE), revision=4),
    ):
        with pytest.raises(ClaimSetError) as refused:
            act()
        assert refused.value.code == "claim_is_being_written"


def test_a_text_that_cites_a_claim_removed_without_a_parent_is_refused() -> None:
    begun = claimset.begin(claims(DEVICE), "new", "c1", job="j", revision=2)
    numbers = {"c1": 1, "gone": 2, "new": 3}
    with pytest.raises(ClaimSetError) as refused:
        claimset.fill(begun, "new", dependent("2"), numbering_then=numbers, revision=3)
    assert refused.value.code == "cites_removed_claim"


def test_the_claim_being_written_goes_on_over_an_undo() -> None:
    before = claims(DEVICE, dependent("1"))
    edited = claimset.edit(before, "c2", dependent("1") + "改", revision=3, seen={})
    begun = claimset.begin(edited, "new", "c2", job="j", revision=4)
    result = claimset.restore(begun, before, revision=5)
    assert texts(result) == [DEVICE, dependent("1"), ""]
    assert result["claims"][2]["state"] == "writing"


def test_an_undo_leaves_out_what_was_being_written_then_and_is_gone_now() -> None:
    before = claims(DEVICE, dependent("1"), dependent("2"))
    begun = claimset.begin(before, "new", "c1", job="j", revision=4)
    accepted_then = claimset.edit(begun, "c2", dependent("1") + "改", revision=5, seen={})
    failed = claimset.fail(accepted_then, "new", revision=6)
    result = claimset.restore(failed, begun, revision=7)
    assert texts(result) == texts(before)


def test_an_undo_of_an_edit_while_that_claim_is_written_anew_changes_what_it_goes_back_to() -> None:
    before = claims(DEVICE, dependent("1"))
    edited = claimset.edit(before, "c2", dependent("1") + "改", revision=3, seen={})
    begun = claimset.restart(edited, "c2", job="j", revision=4)
    result = claimset.restore(begun, before, revision=5)
    assert result["claims"][1]["state"] == "writing"
    assert texts(claimset.fail(result, "c2", revision=6)) == texts(before)


def test_an_export_gives_the_earlier_text_of_a_claim_being_written_anew() -> None:
    begun = claimset.restart(claims(DEVICE, dependent("1")), "c2", job="j", revision=3)
    assert claimset.written_texts(begun) == [DEVICE, dependent("1")]


def test_an_export_that_would_cite_a_claim_without_text_is_refused() -> None:
    content = claims(DEVICE, "", dependent("2"))
    with pytest.raises(ClaimSetError) as refused:
        claimset.written_texts(content)
    assert refused.value.code == "cites_unwritten_claim"


@pytest.mark.parametrize("to", [-1, 2, 10**9])
def test_a_move_to_no_place_is_refused(to: int) -> None:
    with pytest.raises(ClaimSetError) as refused:
        claimset.move(claims(DEVICE, DEVICE), "c1", to, revision=3)
    assert refused.value.code == "no_such_index"


def test_limits_are_refused_with_their_numbers() -> None:
    with pytest.raises(ClaimSetError, match="20000"):
        claimset.edit(claims(DEVICE), "c1", "长" * 20_001, revision=2, seen={})
    full = claims(*["x"] * claimset.MAX_CLAIMS)
    with pytest.raises(ClaimSetError, match="500"):
        claimset.insert(full, "new", None, "", revision=2, seen={})
