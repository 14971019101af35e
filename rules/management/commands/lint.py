"""Checks claim sets in a file against a rule pack's formal rules."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.linter import Finding, LintSettings, lint_claims
from rules.linter.files import ClaimSet, UnreadableInput, check_size, read_claim_sets
from rules.linter.listing import lines
from rules.packs import load_builtin


class Command(BaseCommand):
    help = (
        "Checks a claim set against the office's formal rules. FILE is plain text with numbered "
        'claims, or JSON Lines ({"publication", "title", "claims": [{"number", "text"}]}). '
        "Exit status: 0 without errors, 1 with errors, 2 when FILE cannot be read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--pack", default="cn-claims", help="the built-in pack to check by")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            settings = LintSettings.from_pack(load_builtin(options["pack"]))
            check_size(path.stat().st_size, path.name)
            sets = read_claim_sets(path.read_bytes(), path.name)
        except (UnreadableInput, LookupError) as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}.", returncode=2) from error
        found = [
            (claim_set, finding)
            for claim_set in sets
            for finding in (
                *claim_set.findings,
                *lint_claims(claim_set.claims, settings, title=claim_set.title),
            )
        ]
        if options["as_json"]:
            document = {"findings": [_row(*pair) for pair in found]}
            self.stdout.write(json.dumps(document, ensure_ascii=False))
        else:
            self._show(sets, found)
        if any(finding.severity == "error" for _, finding in found):
            raise SystemExit(1)

    def _show(self, sets: list[ClaimSet], found: list[tuple[ClaimSet, Finding]]) -> None:
        for claim_set in sets:
            own = [finding for owner, finding in found if owner is claim_set]
            errors = sum(finding.severity == "error" for finding in own)
            texts: dict[int, str] = {}
            for claim in claim_set.claims:
                texts.setdefault(claim.number, claim.text)
            self.stdout.write(
                f"{claim_set.publication}  {len(claim_set.claims)} 项权利要求，"
                f"{errors} 个错误，{len(own) - errors} 个警告或提示"
            )
            for finding in own:
                for line in lines(finding, texts.get(finding.claim, "")):
                    self.stdout.write(line)


def _row(claim_set: ClaimSet, finding: Finding) -> dict[str, object]:
    return {
        "publication": claim_set.publication,
        "claim": finding.claim,
        "rule": finding.rule,
        "severity": finding.severity,
        "article": finding.article,
        "start": finding.start,
        "end": finding.end,
        "message": finding.message,
        "message_en": finding.message_en,
        "consequence": finding.consequence,
    }
