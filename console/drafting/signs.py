"""Reference signs (附图标记) and mentions of figures: a claim is drafted without them. Pure."""

from collections import Counter, defaultdict

from console.drafting.phrases import (
    FIGURE_MENTION,
    KNOWN_SIGN,
    MAYBE_SIGN,
    NO_SIGN_AFTER,
    SIGN_IN_PARENTHESES,
)

# With so many signs that are sure, a number that follows a part only once is one as well.
_MANY_SIGNS = 5


def without_signs(text: str, signs: frozenset[tuple[str, str]] = frozenset()) -> str:
    """The text without 如图1所示, without signs in parentheses and the given bare signs."""
    text = FIGURE_MENTION.sub("", text)
    text = SIGN_IN_PARENTHESES.sub("", text)
    if not signs:
        return text
    return KNOWN_SIGN.sub(
        lambda match: match.group(1) if match.groups() in signs else match.group(), text
    )


def bare_signs(disclosure: str) -> frozenset[tuple[str, str]]:
    """(last two characters of a part's name, its sign) for bare signs such as 壳体1.

    A number is a sign where it mostly follows the same part and does so more than once; 温度50 or
    步骤1 are told apart by what stands around them. In a text full of signs once is enough.
    """
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for word, number in MAYBE_SIGN.findall(disclosure):
        if word[-1] not in NO_SIGN_AFTER:
            uses[number][word] += 1
    sure = {
        (word, number)
        for number, words in uses.items()
        for word, times in words.items()
        if times > 1 and times >= 0.3 * words.total()
    }
    if len(sure) >= _MANY_SIGNS:
        sure |= {
            (word, number)
            for number, words in uses.items()
            for word in words
            if len(words) == 1 and number != "0"
        }
    return frozenset(sure)
