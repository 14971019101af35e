"""The prompt form of training and serving: a model is as good as this text is the same in both.

    发明名称：一种多层复合膜及其制备方法
    技术交底：……
    权利要求书：
    1.一种多层复合膜，其特征在于，包括：……。
    要点：基材层的厚度为20μm
    2.根据权利要求1所述的多层复合膜，……

Everything before the optional 要点 line is a prefix of the prompt of the next claim, so that the
claims of one document meet a warm prefix cache on their node. There is no space after "1.": a
prompt that ends in a space would split the token that the model wants to write next.
"""

from collections.abc import Sequence


def head(title: str, disclosure: str) -> str:
    """The part of the prompt that all claims of a document share."""
    return f"发明名称：{one_line(title)}\n技术交底：{one_line(disclosure)}\n权利要求书：\n"


def claim_line(number: int, text: str) -> str:
    return f"{number}.{one_line(text)}\n"


def hint_line(hint: str) -> str:
    """The feature (or the agent's instruction) that the next claim is to be about."""
    return f"要点：{one_line(hint)}\n"


def claim_prompt(
    title: str, disclosure: str, claims: Sequence[str], *, number: int, hint: str = ""
) -> str:
    """The prompt after which the model writes the text of claim `number`.

    `claims` are the accepted texts of claims 1 to number-1, without their numbers.
    """
    written = "".join(claim_line(index, text) for index, text in enumerate(claims, start=1))
    wish = hint_line(hint) if hint.strip() else ""
    return f"{head(title, disclosure)}{written}{wish}{number}."


def one_line(text: str) -> str:
    """Line breaks separate the parts of the prompt, so they cannot stand inside one."""
    return " ".join(text.split())
