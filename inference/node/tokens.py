"""Which tokens of a vocabulary are not whole characters. Pure."""

import re
from collections.abc import Mapping

BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")


def partial_tokens(vocabulary: Mapping[str, int], *, byte_level: bool) -> dict[int, bytes]:
    """{token id: its bytes} for all tokens whose bytes are not valid UTF-8 on their own.

    `byte_level` tells vocabularies that spell each byte as a printable character (GPT-2's way)
    from those that have whole characters and <0x..> tokens for the rest.
    """
    if byte_level:
        alphabet = _byte_alphabet()
        spelled = (
            (token_id, bytes(alphabet[character] for character in token))
            for token, token_id in vocabulary.items()
            if all(character in alphabet for character in token)
        )
        return {token_id: data for token_id, data in spelled if not _whole(data)}
    found = ((BYTE_TOKEN.fullmatch(token), token_id) for token, token_id in vocabulary.items())
    values = {token_id: bytes.fromhex(match[1]) for match, token_id in found if match}
    return {token_id: data for token_id, data in values.items() if not _whole(data)}


def _whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's characters for the 256 bytes: printable ones stand for themselves."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }
