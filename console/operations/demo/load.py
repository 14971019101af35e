"""The demo team with its matters, for an empty database only."""

from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from console.accounts.models import Team, User
from console.matters.models import Disclosure, Document, DocumentKind, Matter
from console.operations.demo import accounts
from console.operations.demo.docx import write_docx

FOLDER = Path(__file__).parent / "disclosures"


@dataclass(frozen=True)
class DemoMatter:
    title: str
    reference: str
    file: str


MATTERS = [
    DemoMatter("带泄压与防滴漏结构的液冷快换接头", "CW-2026-0017", "coupling.md"),
    DemoMatter("镧铁复合改性硅藻土除磷吸附剂的制备方法", "CW-2026-0021", "adsorbent.md"),
]


@transaction.atomic
def load() -> bool:
    """False, and nothing done, when the database already has a user."""
    if User.objects.exists():
        return False
    team = Team.objects.create(name="示范代理所 · 第一组")
    agent = accounts.create(team)["agent"]
    for demo in MATTERS:
        matter = Matter.objects.create(
            team=team, title=demo.title, reference=demo.reference, created_by=agent
        )
        Document.objects.create(matter=matter, kind=DocumentKind.CLAIMS, content={"claims": []})
        Disclosure.objects.create(
            matter=matter,
            text=(FOLDER / demo.file).read_text(encoding="utf-8"),
            source_name=demo.file,
            source_format="md",
            imported_by=agent,
        )
    return True


def write_samples(folder: Path) -> list[Path]:
    """The same disclosures as Word files, to try the import with; existing files are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for demo in MATTERS:
        target = folder / f"{demo.title}.docx"
        if not target.exists():
            write_docx((FOLDER / demo.file).read_text(encoding="utf-8"), target)
            written.append(target)
    return written
