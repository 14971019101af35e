"""The example of a production environment names exactly the settings that there are, and works."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = (ROOT / "deploy" / "claimwright.env.example").read_text(encoding="utf-8")
LINE = re.compile(r"^(#?)([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)


def test_every_setting_is_in_the_example_and_nothing_else() -> None:
    source = (ROOT / "console" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    named = {name.removesuffix("_FILE") for _, name, _ in LINE.findall(EXAMPLE)}
    assert named == read


def test_the_example_passes_the_deployment_checks(tmp_path: Path) -> None:
    values = {name: value for mark, name, value in LINE.findall(EXAMPLE) if not mark}
    for name in [name for name in values if name.endswith("_FILE")]:
        secret = tmp_path / name.lower()
        secret.write_text("a-long-secret-of-many-different-characters-0123456789", encoding="utf-8")
        secret.chmod(0o600)
        values[name] = str(secret)
    values["CLAIMWRIGHT_DATA"] = str(tmp_path)
    outcome = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **values},
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 0, outcome.stderr
