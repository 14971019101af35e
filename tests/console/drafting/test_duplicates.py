import json

from console.drafting.duplicates import CopyWatch, says_nothing_new
from console.drafting.families import read_claims
from inference.models.corpus import TRAIN_FILE, normalise

PARENT = "一种膜，其特征在于，包括基材层和涂层，所述涂层设于所述基材层的表面。"
SIBLING = "根据权利要求1所述的膜，其特征在于，所述基材层的厚度为20μm。"


def test_the_same_words_in_another_dress_say_nothing_new() -> None:
    assert says_nothing_new(
        "如权利要求1或2所述的膜，其中，基材层的厚度为20μm。", [SIBLING], [PARENT]
    )


def test_another_number_is_another_claim() -> None:
    assert not says_nothing_new(
        "根据权利要求1所述的膜，其特征在于，所述基材层的厚度为30μm。", [SIBLING], [PARENT]
    )


def test_another_member_of_a_list_is_another_claim() -> None:
    sibling = "根据权利要求1所述的组合物，其特征在于，所述制冷剂组合物用于冷冻冷藏机组的冷藏库。"
    assert not says_nothing_new(sibling.replace("冷藏库", "冷藏柜"), [sibling], [])


def test_a_claim_that_only_copies_the_claim_it_rests_on_says_nothing_new() -> None:
    assert says_nothing_new(
        "根据权利要求1所述的膜，其特征在于，所述涂层设于所述基材层的表面。", [], [PARENT]
    )


def test_a_claim_without_a_limitation_says_nothing_new() -> None:
    assert says_nothing_new("根据权利要求1所述的膜。", [], [PARENT])


def test_a_new_feature_may_stand() -> None:
    assert not says_nothing_new(
        "根据权利要求1所述的膜，其特征在于，还包括设于所述涂层上的保护层。", [SIBLING], [PARENT]
    )


def test_a_copy_is_seen_while_it_is_written() -> None:
    sibling = "根据权利要求1所述的膜，其特征在于，所述基材层的厚度为20μm且表面经过电晕处理。"
    head = "根据权利要求1所述的膜，其特征在于，"
    assert CopyWatch([sibling], [PARENT]).sees(head + "基材层的厚度为20μm且表面经过")
    assert not CopyWatch([sibling], [PARENT]).sees(head + "基材层的厚度")
    assert not CopyWatch([sibling], [PARENT]).sees(head + "基材层的厚度为20μm且背面经过")


def test_a_step_of_the_parent_may_be_taken_up_but_not_the_whole_of_it() -> None:
    parent = (
        "一种方法，包括："
        + "根据所述图像确定目标区域，并对目标区域进行分割得到分割结果，" * 2
        + "输出。"
    )
    head = "根据权利要求1所述的方法，其特征在于，"
    step = "所述根据所述图像确定目标区域，包括：对所述图像进行滤波"
    assert not CopyWatch([], [parent]).sees(head + step)
    assert CopyWatch([], [parent]).sees(head + parent[8:70])


def test_hardly_any_real_dependent_claim_would_be_refused() -> None:
    judged = refused = 0
    for line in TRAIN_FILE.read_text("utf-8").splitlines():
        rows = [
            {
                "id": str(claim["number"]),
                "number": claim["number"],
                "text": normalise(claim["text"]),
            }
            for claim in json.loads(line)["claims"]
        ]
        claims = read_claims(rows)
        for claim in claims:
            if claim.kind == "independent" or len(claims) > 12:
                continue
            before = [one for one in claims if one.root == claim.root and one.number < claim.number]
            judged += 1
            refused += says_nothing_new(
                claim.text,
                [one.text for one in before if one.kind == "dependent"],
                [one.text for one in before if one.kind == "independent"],
            )
    assert judged > 1_500
    assert refused / judged < 0.025
