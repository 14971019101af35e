"""Whatever the bytes: a text that the database can take, or a refusal."""

from hypothesis import given, settings
from hypothesis import strategies as st

from console.matters.importing import ImportRefused, read_disclosure
from tests.console.matters.importing.samples import docx, listed, numbering, p

WORD_FILE = docx(p("散热装置") + listed("风扇"), numbering=numbering(("decimal", "%1.")))
NAMES = st.sampled_from(["a.docx", "a.txt", "a.md", "a.doc", "a", "", ".docx", "../../a.txt"])


def read(name: str, data: bytes) -> None:
    try:
        text = read_disclosure(name, data).text
    except ImportRefused as refused:
        assert refused.code  # noqa: PT017 - either outcome is right
        return
    assert text.strip()
    assert "\x00" not in text
    text.encode("utf-8")


@settings(max_examples=200)
@given(name=NAMES, data=st.binary(max_size=400))
def test_any_bytes(name: str, data: bytes) -> None:
    read(name, data)


@settings(max_examples=100)
@given(name=NAMES, text=st.text(max_size=200), encoding=st.sampled_from(["utf-8", "utf-16"]))
def test_any_text(name: str, text: str, encoding: str) -> None:
    read(name, text.encode(encoding, errors="surrogatepass"))


@settings(max_examples=300)
@given(
    place=st.integers(0, len(WORD_FILE) - 1),
    patch=st.binary(min_size=1, max_size=8),
    length=st.integers(1, len(WORD_FILE)),
)
def test_any_damage_to_a_word_file(place: int, patch: bytes, length: int) -> None:
    damaged = WORD_FILE[:place] + patch + WORD_FILE[place + len(patch) :]
    read("a.docx", damaged)
    read("a.docx", damaged[:length])
