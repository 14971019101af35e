"""Collecting the static files, only when they have changed: it takes longer than the rest."""

from hashlib import sha256

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = ".collected"


def collect() -> bool:
    """True when something was collected. STATIC_ROOT then has what the finders find, compressed."""
    stamp = settings.STATIC_ROOT / STAMP
    digest = _digest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(digest, encoding="ascii")
    return True


def _digest() -> str:
    """Over names, sizes and times of change of all files that would be collected."""
    seen = sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            size, changed = storage.size(path), storage.get_modified_time(path)
            seen.update(f"{path}\0{size}\0{changed}\n".encode())
    return seen.hexdigest()
