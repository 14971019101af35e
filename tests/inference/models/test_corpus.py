import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.models.corpus import (
    ClaimSet,
    hint,
    is_clean,
    is_dependent,
    limiting_part,
    normalise,
    read_sets,
    training_text,
)
from inference.prompting import claim_prompt

FILM = ClaimSet(
    title="一种复合膜",
    abstract="本发明公开了一种复合膜，包括基材层。",
    claims=(
        "一种复合膜，其特征在于，包括基材层。",
        "根据权利要求1所述的复合膜，其特征在于，所述基材层的厚度为20μm。",
        "根据权利要求1所述的复合膜，其特征在于，所述基材层例如为聚酯。",
    ),
)


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("基材层,其特征在于:包括A;", "基材层，其特征在于：包括A。"),
        ("底座(1)上设有支架(2a),", "底座（1）上设有支架（2a）。"),
        ("基材 层 的 PET film 厚", "基材层的PET film厚"),
        ("比例为1:2,3-二甲苯", "比例为1:2,3-二甲苯"),
        ("膜，，层；；板。。", "膜，层；板。"),
        ("包括膜；，层，。", "包括膜；，层。"),
        ("厚度为0.5.", "厚度为0.5."),
    ],
)
def test_normalising(raw: str, normal: str) -> None:
    assert normalise(raw) == normal


@given(st.text(alphabet="膜层A1 ,;:，；：。()（）.", max_size=20))
def test_normalising_twice_changes_no_letters(text: str) -> None:
    letters = re.compile(r"[膜层A1]")
    assert letters.findall(normalise(text)) == letters.findall(text)


@pytest.mark.parametrize(
    "claim",
    [
        "一种膜，例如包括层。",
        "一种膜，最好包括层。",
        "一种膜，优选包括层。",
        "一种膜，厚度为约20μm。",
        "一种膜。包括层。",
        "一种膜，包括层",
    ],
)
def test_a_claim_that_a_formal_check_refuses_is_not_imitated(claim: str) -> None:
    assert not is_clean(claim)


@pytest.mark.parametrize("claim", ["一种膜，受约束。", "一种膜，厚度为0.5μm。"])
def test_a_correct_claim_is_imitated(claim: str) -> None:
    assert is_clean(claim)


@pytest.mark.parametrize(
    ("claim", "limit"),
    [
        (FILM.claims[1], "基材层的厚度为20μm"),
        ("如权利要求1或2所述的膜，其中，该层由铝制成。", "层由铝制成"),
        ("根据权利要求1至3中任一项所述的膜，其特征是：还包括板。", "还包括板"),
        ("根据权利要求1所述的膜，其特征在于所述层为金属。", "层为金属"),
        ("根据权利要求1所述的膜，还包括上述板。", "还包括板"),
    ],
)
def test_the_limiting_part_is_what_the_claim_adds(claim: str, limit: str) -> None:
    assert is_dependent(claim)
    assert limiting_part(claim) == limit


@given(st.integers())
def test_a_hint_comes_from_the_claim_and_is_short(seed: int) -> None:
    claim = (
        "根据权利要求1所述的复合膜，其特征在于，所述基材层的厚度为20μm，所述阻隔层为铝；还包括板。"
    )
    note = hint(claim, random.Random(seed))
    assert note
    assert len(note) <= 60
    assert set(note.split("，")) <= set(re.split("[，；]", limiting_part(claim)))


def test_a_claim_without_a_limiting_part_has_no_hint() -> None:
    assert hint("根据权利要求1所述的膜。", random.Random(1)) == ""


@given(st.integers())
def test_training_text_is_the_prompt_of_serving(seed: int) -> None:
    pieces = training_text(FILM, random.Random(seed))
    text = "".join(piece.text for piece in pieces)
    shown = text.splitlines()[1].removeprefix("技术交底：")
    notes = re.search(r"要点：(.*)\n3\.", text)
    lines = [line for line in text.splitlines() if not line.startswith("要点")]
    prompt = claim_prompt(
        FILM.title, shown, FILM.claims[:2], number=3, hint=notes.group(1) if notes else ""
    )
    without_earlier_hint = re.sub(r"要点：.*\n(?=2\.)", "", text)
    assert without_earlier_hint == prompt + FILM.claims[2] + "\n"
    assert lines[3:] == [f"{n}.{claim}" for n, claim in enumerate(FILM.claims, start=1)]


def test_the_loss_is_on_clean_claims_with_their_line_end() -> None:
    pieces = training_text(FILM, random.Random(3), head_weight=0.1)
    assert [piece.text for piece in pieces if piece.weight == 1.0] == [
        claim + "\n" for claim in FILM.claims[:2]
    ]
    assert pieces[0].weight == 0.1


def test_most_disclosures_contain_the_features_of_the_dependents() -> None:
    heads = [training_text(FILM, random.Random(seed))[0].text for seed in range(100)]
    assert sum("厚度为20μm" in text for text in heads) > 50
    assert any("厚度为20μm" not in text for text in heads)


def test_the_training_file_reads() -> None:
    sets = list(read_sets())
    assert len(sets) == 407
    assert sum(len(one.claims) for one in sets) == 4144


def test_a_line_that_is_no_claim_set_is_named(tmp_path) -> None:
    path = tmp_path / "sets.jsonl"
    path.write_text('{"title": "膜"}\n')
    with pytest.raises(ValueError, match=r"sets\.jsonl, line 1"):
        list(read_sets(path))
