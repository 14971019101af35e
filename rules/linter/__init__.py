"""Checks a whole claim set after it is written. Pure: no framework, no files, no grammar code."""

from rules.linter.findings import RULES, Claim, Finding
from rules.linter.lint import analyse, lint_claims
from rules.linter.reading import ClaimInfo
from rules.linter.settings import LintSettings, TermRule

__all__ = [
    "RULES",
    "Claim",
    "ClaimInfo",
    "Finding",
    "LintSettings",
    "TermRule",
    "analyse",
    "lint_claims",
]
