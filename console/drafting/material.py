"""What a disclosure offers to write from, read once for a job."""

from collections.abc import Callable

from console.drafting import prompts
from console.drafting.cores import cores, passages, told_categories
from console.drafting.disclosure import read_sentences
from console.drafting.features import MAX_HINT, ONE_CLAUSE, narrower, read_features


class Material:
    """Reading 200,000 characters takes about a second in all, on a slow machine some more.

    `check` is called between the steps, so that whoever waits can be heard; what it raises goes on.
    """

    def __init__(self, disclosure: str, check: Callable[[], None]) -> None:
        sentences = read_sentences(disclosure)
        check()
        self.passages = passages(sentences, prompts.DISCLOSURE_CHARACTERS)
        self.cores = cores(self.passages)
        check()
        self.categories = told_categories(sentences)
        check()
        # By the size of a note, the ample ones first.
        self.features = {}
        for size in (MAX_HINT, ONE_CLAUSE):
            self.features[size] = read_features(sentences, size=size)
            check()
        self.narrower = narrower(disclosure)
        check()
