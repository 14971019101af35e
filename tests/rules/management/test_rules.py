"""manage.py rules: what an author types, sees and gets as exit status."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from inference.etcd import Etcd
from tests.rules.compiler.grammars import pack

STATE = {"number": 1, "kind": "independent", "subject": "板"}
ROW = {"term": "连接", "rule": "W01", "severity": "error", "replacement": "耦合"}


def document(**changes: Any) -> dict[str, Any]:
    """A small pack with as many examples as a published one wants."""
    numbers = [f"{one}{two}" for one in "甲乙丙丁戊己庚辛壬癸" for two in "子丑寅卯辰巳午未申酉"]
    examples = [
        {"text": f"板，{number}。", "state": STATE, "verdict": "accepted"} for number in numbers
    ] + [
        {"text": f"板，{number}连接。", "state": STATE, "verdict": "refused", "rule": "W01"}
        for number in numbers
    ]
    small = pack() | {"forbidden": [ROW], "citations": {"W01": {"article": "法26.4"}}}
    return {**small, "examples": examples, **changes}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, document())


def written(folder: Path, value: dict[str, Any], name: str = "pack.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def run(*words: str) -> tuple[int, str, str]:
    """Exit status, what was printed, and the sentence of the error."""
    output = StringIO()
    try:
        call_command("rules", *words, stdout=output)
    except CommandError as error:
        return error.returncode, output.getvalue(), str(error)
    return 0, output.getvalue(), ""


def test_compile_says_what_came_out_of_it(file: Path) -> None:
    code, said, _ = run("compile", str(file), "--json")
    value = json.loads(said)
    assert (code, value["slug"], value["terms"], value["left_to_linter"]) == (0, "small", 1, [])


def test_compile_prints_the_grammar_of_a_state(file: Path) -> None:
    code, said, _ = run("compile", str(file), "--state", json.dumps(STATE))
    assert code == 0
    assert said.startswith("start: independent")


def test_a_pack_that_cannot_be_compiled_is_shown_with_every_problem(tmp_path: Path) -> None:
    grammar = pack()["grammar"].replace('comma: "、"', "comma: komma")
    file = written(tmp_path, document(grammar=grammar))
    code, said, told = run("compile", str(file), "--json")
    assert code == 1
    assert [problem["code"] for problem in json.loads(said)["problems"]] == ["undefined"]
    assert "^" in told


def test_check_judges_every_example_twice(file: Path) -> None:
    code, said, _ = run("check", str(file), "--json")
    (report,) = json.loads(said)["packs"]
    assert code == 0
    assert (report["positives"], report["negatives"], report["failures"]) == (100, 100, [])


@pytest.mark.parametrize("left_out", [0, 150])
def test_check_fails_with_fewer_examples_than_wanted(tmp_path: Path, left_out: int) -> None:
    value = document()
    del value["examples"][left_out]
    code, said, _ = run("check", str(written(tmp_path, value)))
    assert code == 1
    assert "100 of each kind are wanted" in said


def test_an_example_that_is_judged_otherwise_fails_test_and_check(tmp_path: Path) -> None:
    value = document()
    value["examples"][3]["verdict"] = "refused"
    file = written(tmp_path, value)
    for command in ("test", "check"):
        code, said, _ = run(command, str(file))
        assert code == 1
        assert "4: wrong-verdict, stated refused, found accepted" in said


def test_explain_names_the_word_its_rule_and_what_to_write(file: Path) -> None:
    words = ("explain", str(file), "板，甲连接乙。", "--state", json.dumps(STATE))
    code, said, told = run(*words)
    assert code == 1
    assert "“连接” breaks W01 (法26.4)." in said
    assert "Write instead: 耦合" in said
    assert "refused" in told
    value = json.loads(run(*words, "--json")[1])
    assert value["verdict"] == {"kind": "refused", "position": 4}
    assert "。" in value["allowed"]


def test_explain_names_the_rules_that_were_being_written(file: Path) -> None:
    state = {**STATE, "number": 2, "kind": "dependent", "citable": [{"number": 1, "subject": "板"}]}
    code, said, _ = run("explain", str(file), "权利要求1板", "--state", json.dumps(state))
    assert code == 1
    assert "citing_one (line 10)" in said
    assert "Could stand here: 所" in said


def test_explain_of_a_lawful_text_is_good(file: Path) -> None:
    assert run("explain", str(file), "板，甲。", "--state", json.dumps(STATE))[0] == 0


def test_diff_shows_terms_settings_rules_and_examples(tmp_path: Path, file: Path) -> None:
    changed = document(enforces=["W01", "W02"], forbidden=[ROW, {**ROW, "term": "例如"}])
    changed["grammar"] = changed["grammar"].replace('"一种"?', '"一种"')
    del changed["examples"][0]
    other = written(tmp_path, changed, "new.json")
    code, said, _ = run("diff", str(file), str(other), "--json")
    assert code == 0
    found = {(c["part"], c["kind"], c["name"]) for c in json.loads(said)["changes"]}
    assert found == {
        ("forbidden", "added", "例如"),
        ("settings", "changed", "enforces"),
        ("grammar", "changed", "grammar"),
        ("examples", "removed", "板，甲子。"),
    }


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("compile", "no-such-pack"), 2),
        (("compile", "missing.json"), 2),
        (("compile", "small@newest"), 2),
        (("check",), 2),
        (("publish",), 2),
        (("publish", "cn-claims", "--builtin"), 2),
    ],
)
def test_what_cannot_be_meant_is_answered_with_status_two(
    words: tuple[str, ...], code: int
) -> None:
    assert run(*words)[0] == code


def test_a_house_pack_finds_its_base_among_the_built_in_ones(tmp_path: Path) -> None:
    house = {
        **pack(grammar=""),
        "slug": "house",
        "extends": "cn-claims",
        "enforces": [],
        "forbidden": [ROW],
    }
    path = written(tmp_path, house)
    text = "一种板，甲连接乙。"
    assert run("explain", str(path), text, "--state", json.dumps(STATE))[0] == 1
    assert run("explain", "cn-claims", text, "--state", json.dumps(STATE))[0] == 0


@pytest.mark.services
def test_a_pack_is_published_changed_and_taken_back(etcd: Etcd, tmp_path: Path) -> None:
    assert run("publish", str(written(tmp_path, document())), "--author", "li")[0] == 0
    second = document(title={"zh": "改", "en": "Changed"})
    assert run("publish", str(written(tmp_path, second)))[0] == 0
    assert json.loads(run("diff", "small@1", "small@active", "--json")[1])["changes"]
    code, said, _ = run("rollback", "small", "1")
    assert (code, said.strip()) == (0, "small: version 1 is in force again, in place of 2.")
    (in_force,) = json.loads(run("status", "--json")[1])["packs"]
    assert (in_force["slug"], in_force["version"]) == ("small", 1)
    assert run("rollback", "small", "9")[0] == 2


@pytest.mark.services
def test_a_pack_that_does_not_verify_is_not_published(etcd: Etcd, tmp_path: Path) -> None:
    value = document()
    value["examples"][3]["verdict"] = "refused"
    assert run("publish", str(written(tmp_path, value)))[0] == 1
    assert json.loads(run("status", "--json")[1])["packs"] == []
