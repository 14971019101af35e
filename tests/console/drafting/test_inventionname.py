from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.drafting.inventionname import MAX_TITLE, title_of
from console.matters.importing import read_disclosure
from console.operations.demo.load import FOLDER, MATTERS, DemoMatter

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    "disclosure",
    [
        "技术交底书\n一、发明名称\n一种多层膜\n二、技术领域\n本发明涉及膜。",
        "# 技术交底书\n\n## 1. 发明名称\n\n一种多层膜\n\n## 2. 技术领域",
        "专利申请技术交底书（2026版）\n发明名称：一种多层膜\n发明人：某某",
        "【发明名称】一种多层膜\n【技术领域】\n本发明涉及膜。",
        "【发明名称】\n一种多层膜\n",
        "1、发明/实用新型名称：《一种多层膜》",
        "技术交底书\n发明人 | 某某\n发明创造名称 | 一种多层膜\n联系人 | 某某",
        "（一）实用新型名称（不超过25个字）\n一种多层膜\n",
        "发明专利技术交底书\n申请人：某某公司\n发明名称：\n一种多层膜\n",
        "技术交底书\n一种多层膜\n技术领域\n",
        "一种多层膜\n技术方案\n一种多层膜，包括基材层。",
        "一种多层膜。\n",
    ],
)
def test_the_title_is_found_where_disclosures_have_it(disclosure: str) -> None:
    assert title_of(disclosure) == "一种多层膜"


@pytest.mark.parametrize(
    "disclosure",
    [
        "",
        "技术交底书\n技术领域\n本发明涉及膜。",
        "一、技术领域\n本发明涉及膜。",
        "技术交底书\n申请人：某某公司\n",
        "本发明公开了一种膜；其包括基材层。\n",
        "长" * (MAX_TITLE + 1),
        "发明名称\n",
    ],
)
def test_what_is_no_title_is_not_taken_for_one(disclosure: str) -> None:
    assert title_of(disclosure) == ""


@pytest.mark.parametrize("demo", MATTERS, ids=lambda demo: demo.file)
def test_the_demo_disclosures_give_their_titles(demo: DemoMatter) -> None:
    file = FOLDER / demo.file
    assert title_of(read_disclosure(file.name, file.read_bytes()).text) == demo.title


@pytest.mark.parametrize("file", sorted(DATA.glob("*.txt")), ids=lambda file: file.stem)
def test_a_published_description_begins_with_its_title(file: Path) -> None:
    text = file.read_text("utf-8")
    assert title_of(text) == text.splitlines()[0]


@given(st.text("一发明名称技术交底书：、。1 #\n【】", max_size=80))
def test_a_title_is_short_and_one_line(disclosure: str) -> None:
    title = title_of(disclosure)
    assert len(title) <= MAX_TITLE
    assert not set("\n。：") & set(title)
