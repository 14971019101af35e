"""What happens before the console starts: demo data once, static files, rules published."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from docx import Document as WordDocument

from console.accounts.models import Membership, User
from console.matters.models import Disclosure, Matter
from console.operations import static_files
from console.operations.demo import accounts, load
from inference.etcd import Etcd
from rules.compiler import compile_pack
from rules.packs import builtin_slugs, load_builtin
from rules.store.client import active_pack, pack_version
from rules.store.records import (
    BUILTIN,
    Active,
    StoredPack,
    active_key,
    digest_of,
    version_key,
)

SLUG = "cn-claims"
WHEN = "2026-01-01T00:00:00+00:00"


def test_an_empty_database_gets_the_demo_team_with_real_disclosures(db: None) -> None:
    assert load.load()
    assert {user.username for user in User.objects.all()} == {"agent", "author", "operator"}
    assert Membership.objects.get().user.username == "agent"
    for matter in Matter.objects.all():
        text = Disclosure.objects.get(matter=matter).text
        assert matter.title in text
        assert len(text) > 1_500
    assert Matter.objects.count() == len(load.MATTERS)


def test_a_database_with_a_user_is_left_alone(agent: Any) -> None:
    assert not load.load()
    assert User.objects.count() == 1
    assert not Matter.objects.exists()


def test_nobody_can_sign_in_before_the_passwords_are_given(db: None) -> None:
    load.load()
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_passwords_are_given_once_and_kept_as_hashes_only(db: None) -> None:
    load.load()
    given = accounts.give_first_passwords()
    assert list(given) == ["agent", "author", "operator"]
    for username, password in given.items():
        user = User.objects.get(username=username)
        assert user.check_password(password)
        assert password not in user.password
    assert accounts.give_first_passwords() == {}


def test_a_user_of_the_same_name_keeps_the_own_password(agent: Any) -> None:
    assert accounts.give_first_passwords() == {}


def test_the_samples_are_word_files_with_the_disclosures_text(tmp_path: Path) -> None:
    written = load.write_samples(tmp_path)
    assert [path.suffix for path in written] == [".docx"] * len(load.MATTERS)
    for path, demo in zip(written, load.MATTERS, strict=True):
        text = "\n".join(paragraph.text for paragraph in WordDocument(str(path)).paragraphs)
        assert demo.title in text
        assert "#" not in text
        source = (load.FOLDER / demo.file).read_text(encoding="utf-8")
        assert text.count("图") == source.count("图")
    assert load.write_samples(tmp_path) == []


def test_static_files_are_collected_when_they_have_changed(settings: Any, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "app.css").write_text("body {}")
    settings.STATICFILES_DIRS = [("dist", source)]
    settings.STATIC_ROOT = tmp_path / "collected"
    from django.contrib.staticfiles import finders

    finders.get_finder.cache_clear()
    try:
        assert static_files.collect()
        assert not static_files.collect()
        (source / "app.css").write_text("body { color: red }")
        assert static_files.collect()
        assert "red" in (settings.STATIC_ROOT / "dist" / "app.css").read_text()
    finally:
        finders.get_finder.cache_clear()


@pytest.mark.services
def test_the_built_in_rules_are_published_and_repeating_it_changes_nothing(etcd: Etcd) -> None:
    for _ in range(2):
        out = StringIO()
        call_command("rules", "publish", "--builtin", stdout=out)
        for slug in builtin_slugs():
            assert f"{slug}: version 1 by builtin is in force." in out.getvalue()
            pack = active_pack(slug)
            assert (pack.version, pack.author) == (1, BUILTIN)


def stored(etcd: Etcd, document: dict[str, Any], number: int, author: str) -> StoredPack:
    """A version as an earlier release has published it, whatever this one thinks of it."""
    pack = StoredPack(document["slug"], number, digest_of(document), document, author, WHEN)
    etcd.put(version_key(pack.slug, number), pack.encoded())
    etcd.put(active_key(pack.slug), Active(number, pack.digest).encoded())
    return pack


def prepared() -> str:
    out = StringIO()
    call_command("prepare", "--no-demo", stdout=out)
    return out.getvalue()


@pytest.fixture
def built_in() -> dict[str, Any]:
    return compile_pack(load_builtin(SLUG)).document


@pytest.fixture
def former(built_in: dict[str, Any]) -> dict[str, Any]:
    """The pack of the release before: another text."""
    return {**built_in, "tempting": built_in["tempting"][1:]}


@pytest.fixture
def unusable(built_in: dict[str, Any]) -> dict[str, Any]:
    """A text that this release's compiler does not take."""
    return {**built_in, "grammar": "start: no_such_rule"}


@pytest.mark.services
def test_an_upgrade_puts_a_changed_pack_into_force_as_the_next_version(
    etcd: Etcd, db: None, data_folder: Path, former: Any, built_in: Any
) -> None:
    before = stored(etcd, former, 1, BUILTIN)
    assert f"{SLUG}: version 2 by builtin is in force." in prepared()
    assert active_pack(SLUG).document == built_in
    assert pack_version(SLUG, 1).document == before.document
    assert f"{SLUG}: version 2 by builtin is in force." in prepared()


@pytest.mark.services
def test_an_upgrade_leaves_an_authors_version_in_force(
    etcd: Etcd, db: None, data_folder: Path, former: Any
) -> None:
    theirs = stored(etcd, former, 1, "wang")
    said = prepared()
    assert f"{SLUG}: version 1 by wang is in force." in said
    assert "cannot use" not in said
    assert active_pack(SLUG).digest == theirs.digest


@pytest.mark.services
def test_a_built_in_version_that_this_release_cannot_use_is_replaced_though_rolled_back_to(
    etcd: Etcd, db: None, data_folder: Path, unusable: Any, built_in: Any
) -> None:
    stored(etcd, built_in, 1, BUILTIN)
    stored(etcd, unusable, 2, BUILTIN)
    assert f"{SLUG}: version 3 by builtin is in force." in prepared()
    assert active_pack(SLUG).document == built_in


@pytest.mark.services
def test_an_authors_version_that_this_release_cannot_use_is_named_and_stays(
    etcd: Etcd, db: None, data_folder: Path, unusable: Any
) -> None:
    theirs = stored(etcd, unusable, 1, "wang")
    said = prepared()
    assert "this release cannot use that version" in said
    assert "until wang or another rule author" in said
    assert active_pack(SLUG).digest == theirs.digest


@pytest.mark.services
def test_the_stores_digest_is_the_compilers(etcd: Etcd) -> None:
    compiled = compile_pack(load_builtin(SLUG))
    assert digest_of(compiled.document) == compiled.digest


def test_an_unknown_profile_is_answered_with_the_known_ones() -> None:
    with pytest.raises(CommandError, match=r"no-such.*gemma3-270m-cn"):
        call_command("models", "build", "no-such")


@pytest.mark.services
def test_preparing_twice_leaves_one_team(etcd: Etcd, db: None, data_folder: Path) -> None:
    first, second = StringIO(), StringIO()
    call_command("prepare", stdout=first)
    call_command("prepare", stdout=second)
    assert "demo team" in first.getvalue()
    assert "demo team" not in second.getvalue()
    assert User.objects.count() == 3
