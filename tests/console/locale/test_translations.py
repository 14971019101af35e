"""Every sentence of the interface has its English: templates, Python, and the page's script."""

import ast
import gettext
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest
import unfold
from django.utils import translation
from django.utils.translation.template import templatize

from console.drafting.events import RetryReason

ROOT = Path(__file__).parents[3]
NAMES = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


CONTEXT = "\x04"  # between a sentence and the context it is said in, as in the catalogue


def called(tree: ast.AST) -> Iterator[str]:
    """The sentence of each call of a gettext function, behind its context where it has one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        said = node.args[: 2 if name.startswith("pgettext") else 1]
        values = [one.value for one in said if isinstance(one, ast.Constant)]
        if name in NAMES and all(isinstance(value, str) for value in values) and values:
            yield CONTEXT.join(map(str, values))


def in_python() -> Iterator[str]:
    for folder in ("console", "rules"):
        for path in (ROOT / folder).rglob("*.py"):
            yield from called(ast.parse(path.read_text("utf-8")))


def in_templates(folder: Path = ROOT / "templates") -> Iterator[str]:
    """Django turns a template into Python-like lines for xgettext; the calls in them are ours."""
    for path in folder.rglob("*.html"):
        for call in re.findall(
            r"_?gettext\((u?'''.*?'''|u?\"(?:[^\"\\]|\\.)*\"|u?'(?:[^'\\]|\\.)*')|"
            r" _\((\"[^\"]*\"|'[^']*')\)",
            templatize(path.read_text("utf-8")),
        ):
            yield ast.literal_eval((call[0] or call[1]).removeprefix("u"))


# The rule editor's sentences are loaded with the editor only.
TABLES = {"console": "i18n/en.json", "rules": "rules/en.json"}


def in_script(part: str = "console") -> set[str]:
    found: set[str] = set()
    source = ROOT / "static" / "src"
    for path in source.rglob("*.js"):
        of_rules = path.relative_to(source).parts[0] in ("rules", "rules.js")
        if of_rules == (part == "rules"):
            found.update(re.findall(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', path.read_text("utf-8")))
    return found


def script_table(part: str) -> dict[str, str]:
    table: dict[str, str] = json.loads((ROOT / "static/src" / TABLES[part]).read_text("utf-8"))
    return table


@pytest.fixture(scope="module")
def english() -> dict[str, str]:
    with (ROOT / "console/locale/en/LC_MESSAGES/django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined,no-any-return]


def chinese(sentences: Iterator[str]) -> set[str]:
    return {sentence for sentence in sentences if re.search(r"[\u4e00-\u9fff]", sentence)}


def test_the_sentences_are_found_at_all() -> None:
    assert "案件" in chinese(in_templates())
    assert "全部" in chinese(in_templates())
    assert "密码已更改。" in chinese(in_python())
    assert "已保存" in in_script()


@pytest.mark.parametrize("source", [in_python, in_templates], ids=["python", "templates"])
def test_each_sentence_has_its_english(source: object, english: dict[str, str]) -> None:
    missing = sorted(text for text in chinese(source()) if not english.get(text))  # type: ignore[operator]
    assert missing == []


@pytest.mark.parametrize("part", TABLES)
def test_each_sentence_of_the_script_has_its_english(part: str) -> None:
    table, said = script_table(part), in_script(part)
    assert sorted(text for text in said if not table.get(text)) == []
    assert sorted(set(table) - said) == [], "sentences that nothing says any more"


def test_what_the_admins_templates_say_has_its_chinese() -> None:
    """Django brings Chinese for its own admin; what unfold adds to it is translated here."""
    said = {one for one in in_templates(Path(unfold.__file__).parent / "templates") if one.strip()}
    assert "Type to search" in said
    with translation.override("zh-hans"):
        untold = {one for one in said if translation.gettext(one) == one}
    assert untold == set()


def test_translations_keep_the_placeholders(english: dict[str, str]) -> None:
    tables = [script_table(part).items() for part in TABLES]
    for text, translated in [*chain.from_iterable(tables), *english.items()]:
        if isinstance(text, str) and text:
            assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(translated)), text


# What worker and WebSocket say with a code, in a process that knows no reader's language.
SPOKEN = {"DraftingError", "CannotDraftError", "ProtocolError", "StoreError", "_fail", "_error"}
# Publishing rules is no part of a draft.
UNHEARD = {"publish_conflict"}


def spoken_codes() -> set[str]:
    found = set()
    for folder in ("console/drafting", "rules/store"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and node.args:
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    code = node.args[0]
                    if name in SPOKEN and isinstance(code, ast.Constant):
                        found.add(str(code.value))
    return found - UNHEARD


def keys_of(table: str, module: str) -> set[str]:
    """The keys of a table `const NAME = () => ({key: t("sentence"), ...})` of the script."""
    source = (ROOT / "static/src" / module).read_text("utf-8")
    body = source.partition(f"const {table} = () => ({{")[2].partition("});")[0]
    return set(re.findall(r"^\s+(\w+): t\(", body, re.MULTILINE))


def test_each_code_that_worker_and_websocket_say_has_its_sentence_on_the_page() -> None:
    codes = spoken_codes()
    assert {"no_disclosure", "no_node", "bad_field", "rules_unavailable", "internal_error"} <= codes
    assert keys_of("REFUSALS", "ui/sentences.js") == codes


def test_each_reason_for_writing_again_has_its_sentence_on_the_page() -> None:
    assert keys_of("RETRIES", "ui/claim-row.js") == set(get_args(RetryReason))


def test_the_bundle_is_what_the_sources_say() -> None:
    """A sentence that was changed in static/src but not built would stay wrong on the page."""
    bundle = (ROOT / "static/dist/workspace.js").read_text("utf-8")
    bundle += (ROOT / "static/dist/pages.js").read_text("utf-8")
    assert sorted(text for text in in_script() if text not in bundle) == []
