"""What holds for any text at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.linter import Claim, analyse, lint_claims
from rules.linter.document import read_document
from rules.linter.folding import fold
from tests.rules.linter.support import SETTINGS

FRAGMENTS = [
    "一种", "水泵", "根据", "如", "权利要求", "前述权利要求", "中任一项", "所述", "的", "，", ",",
    "；", "：", "。", "\n", " ", "1", "2", "3", "10", "或", "和", "至", "-", "其特征在于", "其中",
    "方法", "的制备方法", "应用", "包括", "约", "优选", "为", "5℃", "例如", "如图1所示", "(1)",
    "１", "权利要", "高温", "左右",
]  # fmt: skip
CLAIM_LIKE = st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)
TEXTS = st.one_of(st.text(max_size=80), CLAIM_LIKE)
CLAIMS = st.lists(st.builds(Claim, st.integers(-2, 12), TEXTS), max_size=8)


@settings(max_examples=300, deadline=None)
@given(CLAIMS)
def test_findings_lie_inside_their_claims_and_are_the_same_each_time(claims: list[Claim]) -> None:
    longest: dict[int, int] = {}
    for claim in claims:
        longest[claim.number] = max(longest.get(claim.number, 0), len(claim.text))
    found = lint_claims(claims, SETTINGS, title="水泵")
    for finding in found:
        assert 0 <= finding.start <= finding.end <= longest[finding.claim]
        assert finding.article
        assert finding.message
        assert finding.message_en
    assert lint_claims(claims, SETTINGS, title="水泵") == found


@settings(max_examples=200, deadline=None)
@given(CLAIMS)
def test_every_claim_is_analysed_once_in_order(claims: list[Claim]) -> None:
    infos = analyse(claims)
    assert [info.number for info in infos] == [claim.number for claim in claims]
    assert all(info.kind == "dependent" or not info.multiple for info in infos)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_folding_keeps_the_place_of_every_character(text: str) -> None:
    folded = fold(text)
    assert len(folded.places) == len(folded.text)
    assert list(folded.places) == sorted(set(folded.places))
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert 0 <= start < end <= len(text)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_any_text_is_read_as_a_document(text: str) -> None:
    document = read_document(text)
    assert all(claim.text == claim.text.strip() for claim in document.claims)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        CLAIM_LIKE.map(lambda body: "一种水泵，" + body.replace("。", "")), min_size=1, max_size=6
    ),
    st.sampled_from(["{}. ", "{}、", "{}．", "{}.", "{}: "]),
)
def test_a_numbered_set_is_read_back_as_it_was_written(bodies: list[str], style: str) -> None:
    texts = [f"{' '.join(body.split())}。" for body in bodies]
    written = "\n".join(style.format(n) + text for n, text in enumerate(texts, start=1))
    assert [claim.text for claim in read_document(written).claims] == texts


@pytest.mark.parametrize(
    "text",
    [
        "薄",
        "。",
        "1. ",
        "权利要求1、",
        "权利要求1-9",
        "如图1、",
        "其特征在于",
        "一种包括的",
        "高温",
    ],
)
def test_a_text_of_fifty_thousand_characters_is_checked_to_its_end(text: str) -> None:
    """Nothing is looked for in a way that grows with the square of the text: that would hang."""
    long = text * (50_000 // len(text))
    claims = read_document(long).claims
    found = lint_claims(claims, SETTINGS)
    assert all(0 <= f.start <= f.end <= len(long) for f in found)
    assert max(f.end for f in found) == max(len(claim.text) for claim in claims)
