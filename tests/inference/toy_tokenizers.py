"""Two small real tokenizers, one of each kind: bytes as a fallback, and bytes throughout."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

LINES = ["一种锅炉，包括炉体。", "一种支架，其特征在于，包括底座 a a"] * 4


def byte_fallback() -> Tokenizer:
    """Whole characters, and <0x..> tokens for every other byte, as Gemma and Llama have."""
    vocabulary = {f"<0x{byte:02X}>": byte for byte in range(256)}
    for token in ["一", "种", "锅", "炉", "，", "a", " ", "一种", "锅炉"]:
        vocabulary[token] = len(vocabulary)
    merges = [("一", "种"), ("锅", "炉")]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, byte_fallback=True))
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def byte_level() -> Tokenizer:
    """Each byte a character of its own, as GPT-2, Llama 3 and Qwen have."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=[],
        show_progress=False,
    )
    tokenizer.train_from_iterator(LINES, trainer)
    return tokenizer
