from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from console.drafting.plan import Family, plan_claims

TITLE = "一种多层复合膜及其制备方法"


def params(**changes: Any) -> Any:
    return {
        "count": 8,
        "categories": [],
        "product_subject": "",
        "method_subject": "",
        "first_claim": "",
        "pause_after_each": False,
        "instruction": "",
        **changes,
    }


def kinds(plan: list[Any]) -> list[str]:
    return [f"{claim.kind[:3]} {claim.category}" for claim in plan]


def test_both_categories_of_the_title_are_drafted_each_before_its_dependents() -> None:
    assert kinds(plan_claims(params(), TITLE)) == [
        "ind product",
        *["dep product"] * 4,
        "ind method",
        *["dep method"] * 2,
    ]


def test_a_method_that_the_disclosure_does_not_tell_is_drafted_only_when_asked_for() -> None:
    plan = plan_claims(params(count=3), TITLE, tells=["product"])
    assert {claim.category for claim in plan} == {"product"}
    asked = params(count=3, categories=["product", "method"])
    assert "ind method" in kinds(plan_claims(asked, TITLE, tells=["product"]))


def test_the_agents_subject_wins_over_the_title() -> None:
    plan = plan_claims(params(product_subject="一种阻隔膜", categories=["product"]), TITLE)
    assert {claim.subject for claim in plan} == {"阻隔膜"}


def test_only_the_wanted_category_is_drafted() -> None:
    plan = plan_claims(params(categories=["method"], count=3), TITLE)
    assert kinds(plan) == ["ind method", "dep method", "dep method"]
    assert plan[0].subject == "多层复合膜的制备方法"


def test_a_category_that_the_title_lacks_gets_a_subject_all_the_same() -> None:
    plan = plan_claims(params(categories=["product"], count=2), "双面坡口开设方法")
    assert plan[0].subject == "双面坡口开设装置"


def test_after_the_agents_own_first_claim_only_dependents_of_it_follow() -> None:
    plan = plan_claims(
        params(first_claim="一种阻隔膜，……。", categories=["product"], count=5),
        TITLE,
        [Family("阻隔膜")],
    )
    assert kinds(plan) == ["dep product"] * 4
    assert {claim.subject for claim in plan} == {"阻隔膜"}


def test_the_own_first_claims_family_comes_first_even_if_the_title_names_it_last() -> None:
    plan = plan_claims(
        params(first_claim="一种多层复合膜的制备方法，……。", count=6),
        TITLE,
        [Family("多层复合膜的制备方法")],
    )
    assert kinds(plan) == ["dep method", "dep method", "dep method", "ind product", "dep product"]


def test_a_draft_in_a_document_with_claims_continues_its_families() -> None:
    plan = plan_claims(params(count=3, categories=["product"]), TITLE, [Family("多层复合膜")])
    assert kinds(plan) == ["dep product"] * 3


@given(
    count=st.integers(1, 30),
    categories=st.lists(st.sampled_from(["product", "method"]), unique=True),
    title=st.sampled_from([TITLE, "双面坡口开设方法", "一种膜", "", "一种X的应用"]),
)
def test_a_plan_has_the_wanted_length_and_order(
    count: int, categories: list[str], title: str
) -> None:
    plan = plan_claims(params(count=count, categories=categories), title)
    assert len(plan) == count
    begun: list[str] = []
    for claim in plan:
        if claim.kind == "independent":
            assert claim.category not in begun
            begun.append(claim.category)
        assert claim.category == begun[-1]
        assert claim.subject
