"""The serving engine's grammar compiler with the tokenizer of one model, outside vLLM.

The agent tries a new version of the rules here, so that the process that serves all streams is not
held up by it.
"""

from pathlib import Path

from llguidance import LLMatcher, LLTokenizer

from inference.node.plugin import LARGEST_GRAMMAR


class EngineRefusal(Exception):
    """`code` is grammar_too_large or grammar_refused; the message quotes the engine."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class GrammarEngine:
    """Made once per process: reading a tokenizer takes up to a second."""

    def __init__(self, tokenizer: Path) -> None:
        """`tokenizer`: a tokenizer.json."""
        self._tokenizer = LLTokenizer(str(tokenizer))

    def build(self, grammar: str) -> None:
        """Builds the grammar and its first mask, as vLLM does for a request. Raises EngineRefusal
        where a node would."""
        if len(grammar) > LARGEST_GRAMMAR:
            raise EngineRefusal(
                "grammar_too_large",
                f"The grammar has {len(grammar)} characters; a node takes {LARGEST_GRAMMAR}.",
            )
        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
        if not matcher.is_error():
            matcher.compute_bitmask()
        if matcher.is_error():
            said = matcher.get_error().strip().splitlines()[0][:300]
            raise EngineRefusal("grammar_refused", f"The engine cannot build the grammar: {said}")


def tokenizer_file(model: str) -> Path:
    """Of a model folder, or of a repository id as profiles name it."""
    if Path(model).is_dir():
        return Path(model) / "tokenizer.json"
    from huggingface_hub import hf_hub_download

    return Path(hf_hub_download(model, "tokenizer.json"))
