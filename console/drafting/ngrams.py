"""How alike two texts are, by the runs of characters that they share. Pure."""

import re


def ngrams(text: str, length: int) -> set[str]:
    """The character n-grams of a text without its punctuation and white space."""
    plain = re.sub(r"[\W_]+", "", text)
    return {plain[i : i + length] for i in range(len(plain) - length + 1)}
