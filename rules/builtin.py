"""The rule packs that come with the software, put into force before anything works under them.

A release may bring a changed pack, and may no longer read what an earlier one has published.
Nothing that is published is ever overwritten: a changed pack is the next version.
"""

from collections.abc import Callable
from typing import Any

from rules.compiler import PackError, compile_pack
from rules.packs import builtin_slugs, load_builtin
from rules.store.client import StoredPack, StoreError, store
from rules.store.records import BUILTIN


def publish(say: Callable[[str], object]) -> list[StoredPack]:
    """The versions in force afterwards. What an author has put into force stays, and so does what
    was rolled back to, unless it came with the software and this release cannot use it.

    Raises PackError where a pack of the software does not compile, and StoreError.
    """
    return [_publish(slug, say) for slug in builtin_slugs()]


def _publish(slug: str, say: Callable[[str], object]) -> StoredPack:
    compiled = compile_pack(load_builtin(slug))
    in_force = _published(compiled.document)
    trouble = "" if in_force.digest == compiled.digest else _trouble(in_force)
    if trouble and in_force.author == BUILTIN:
        in_force, trouble = store().publish(compiled.document, author=BUILTIN), ""
    say(f"{slug}: version {in_force.version} by {in_force.author} is in force.")
    if trouble:
        say(
            f"{slug}: this release cannot use that version, and drafts under it will fail, until "
            f"{in_force.author} or another rule author publishes a new one. {trouble}"
        )
    return in_force


def _published(document: dict[str, Any]) -> StoredPack:
    try:
        return store().publish_builtin(document)
    except StoreError as error:
        if error.code != "publish_conflict":
            raise
        # Another machine of the same release was quicker, or an author: look again who.
        return store().publish_builtin(document)


def _trouble(pack: StoredPack) -> str:
    """Why this release cannot use the version, in one line; empty where it can."""
    try:
        compile_pack(pack.document)
    except PackError as error:
        return str(error).partition("\n")[0]
    return ""
