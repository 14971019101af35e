"""The title of the invention, as a disclosure (技术交底书) gives it. Pure."""

import re

MAX_TITLE = 60

_NUMBERING = r"(?:[（(]?第?[一二三四五六七八九十\d]{1,3}(?:部分|[章节])?[)）、.．:：\s]+)?"
# 发明名称, 实用新型名称, 专利（申请）名称; alone on a line, or before the title itself.
_LABELLED = re.compile(
    rf"{_NUMBERING}[【\[]?(?:发明|实用新型|创造|专利|申请|技术|或|和|及|的|[/、()（）])+名称"
    r"(?:[（(][^）)]*[）)])?(?:[】\]：:|\s]+(?P<title>.*))?"
)
_DOCUMENT = re.compile(
    r"(?:\S{0,16}\s*)?(?:交底[书表]|交底材料|说明书|权利要求书|申请书|申请文件|目录)"
    r"(?:[（(][^）)]*[）)])?"
)
_SECTION = re.compile(
    rf"{_NUMBERING}[【\[]?(?:所属)?(?:技术领域|背景技术|现有技术|发明内容|技术方案|技术问题|说明书?摘要"
    r"|摘要|附图说明|具体实施方式|实施例\S{0,3})[】\]]?"
)


def title_of(disclosure: str) -> str:
    """What stands under 发明名称, else the first line below the document's own heading.

    "" where neither reads as a title: the agent then has to give one.
    """
    lines = [line for raw in disclosure.splitlines() if (line := raw.strip("#*＊ \t\u3000"))]
    for place, line in enumerate(lines):
        label = _LABELLED.fullmatch(line)
        if label:
            following = lines[place + 1] if place + 1 < len(lines) else ""
            title = _as_title(label["title"] or following)
            if title:
                return title
    return _as_title(next((line for line in lines if not _DOCUMENT.fullmatch(line)), ""))


def _as_title(line: str) -> str:
    title = line.strip("《》【】[]\"'| \u3000").removesuffix("。")
    reads = 1 < len(title) <= MAX_TITLE and not re.search(r"[。；：:;]", title)
    heads = _SECTION.fullmatch(title) or _LABELLED.fullmatch(title)
    return title if reads and not heads else ""
