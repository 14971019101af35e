"""Rule packs on the command line: compile, check, explain, test, compare, publish, go back."""

import json
import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from inference.etcd import EtcdError
from rules import builtin as builtin_packs
from rules.acknowledgements import acknowledgements
from rules.compiler import PackError, StateError, compile_pack, state_from
from rules.compiler.differ import differences
from rules.compiler.reasons import reason
from rules.compiler.verify import WANTED, Verification, verify
from rules.management.sources import HELP, UNAVAILABLE, code_of, document_of
from rules.packs import builtin_slugs
from rules.store.client import StoreError, store


class Command(BaseCommand):
    help = "Rule packs. Exit codes: 0 good, 1 not good, 2 no such pack or version, 3 no rule store."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)

        def command(name: str, told: str, *packs: str) -> CommandParser:
            added: CommandParser = commands.add_parser(name, help=told)
            for pack in packs:
                added.add_argument(pack, help=HELP)
            added.add_argument("--json", action="store_true", help="Print one JSON value.")
            return added

        one = command("compile", "Compile a pack; with --state print the engine's grammar.", "pack")
        one.add_argument("--state", help="The state of the document, as JSON, as in the examples.")
        one = command("check", "Compile, and judge all examples twice.")
        one.add_argument("packs", nargs="*", metavar="pack", help=HELP)
        one.add_argument("--all", action="store_true", help="Every pack of the software.")
        one = command("test", "Judge the examples with the engine alone, in seconds.", "pack")
        one = command("explain", "Say what refuses a text, and what could stand there.", "pack")
        one.add_argument("text")
        one.add_argument("--state", required=True, help="As of compile.")
        command("diff", "What the second pack changes against the first.", "old", "new")
        one = command("publish", "Put packs into force.")
        one.add_argument("pack", nargs="?", help=HELP)
        one.add_argument(
            "--builtin",
            action="store_true",
            help="The packs that come with the software, where no author's version is in force.",
        )
        one.add_argument("--author", default="command line", help="Who is named as the author.")
        one = command("rollback", "Put a stored version into force again.")
        one.add_argument("slug")
        one.add_argument("version", type=int)
        command("status", "What is in force, and who has taken it up.")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json = options["json"]
        try:
            getattr(self, f"do_{options['command']}")(**options)
        except PackError as error:
            if self.as_json:
                problems = [problem.as_dict() for problem in error.problems]
                self.stdout.write(json.dumps({"problems": problems}, ensure_ascii=False))
            raise CommandError(f"The pack cannot be compiled:\n{error}") from error
        except StoreError as error:
            raise CommandError(str(error), returncode=code_of(error)) from error

    def say(self, value: dict[str, Any], *lines: str) -> None:
        text = json.dumps(value, ensure_ascii=False, default=str) if self.as_json else None
        self.stdout.write(text if text is not None else "\n".join(lines))

    def do_compile(self, pack: str, state: str | None, **options: Any) -> None:
        start = time.perf_counter()
        compiled = compile_pack(document_of(pack))
        took = round((time.perf_counter() - start) * 1000, 1)
        value: dict[str, Any] = {"slug": compiled.slug, "digest": compiled.digest, "ms": took}
        value |= {"terms": len(compiled.terms), "left_to_linter": compiled.left_to_linter}
        lines = [f"{compiled.slug}: compiled in {took:.0f} ms, digest {compiled.digest[:12]}."]
        lines.append(f"{len(compiled.terms)} terms in the grammar.")
        if left := compiled.left_to_linter:
            lines.append(f"{len(left)} more are for the linter alone: the engine has no room.")
        if state is not None:
            value["grammar"] = self._grammar(compiled, state)
            lines = [value["grammar"]]
        self.say(value, *lines)

    def _grammar(self, compiled: Any, state: str) -> str:
        try:
            return str(compiled.instantiate(_state(compiled.kind, state)))
        except StateError as error:
            raise CommandError(str(error)) from error

    def do_check(self, packs: list[str], all: bool, **options: Any) -> None:
        names = list(builtin_slugs()) if all else packs
        if not names:
            raise CommandError("Name a pack, or give --all.", returncode=2)
        reports = [self._checked(name, second_opinion=True) for name in names]
        if self.as_json:
            self.say({"packs": reports, "ok": all_ok(reports)})
        if not all_ok(reports):
            raise CommandError("Not every pack verifies.")

    def do_test(self, pack: str, **options: Any) -> None:
        report = self._checked(pack, second_opinion=False)
        if self.as_json:
            self.say(report)
        if report["problems"] or report["failures"]:
            raise CommandError("Not every example is judged as it states.")

    def _checked(self, name: str, *, second_opinion: bool) -> dict[str, Any]:
        report: dict[str, Any] = {"pack": name, "problems": [], "failures": [], "enough": False}
        try:
            found = verify(compile_pack(document_of(name)), second_opinion=second_opinion)
        except PackError as error:
            report["problems"] = [problem.as_dict() for problem in error.problems]
            self._line(f"{name}: cannot be compiled.\n{error}")
            return report
        report["failures"] = [one.as_dict() for one in found.failures]
        report |= {"positives": found.positives, "negatives": found.negatives}
        report |= {"enough": found.enough, "seconds": round(found.seconds, 1)}
        report["now_refused"] = sum(one.outcome == "now-refused" for one in found.checked)
        for line in _told(name, found):
            self._line(line)
        return report

    def _line(self, text: str) -> None:
        if not self.as_json:
            self.stdout.write(text)

    def do_explain(self, pack: str, text: str, state: str, **options: Any) -> None:
        compiled = compile_pack(document_of(pack))
        try:
            why = reason(compiled, _state(compiled.kind, state), text)
        except StateError as error:
            raise CommandError(str(error)) from error
        lines = [f"{why.verdict.kind}" + (f"\n{why.excerpt}" if why.excerpt else "")]
        if why.term:
            lines.append(f"“{why.term.term}” breaks {why.term.rule} ({why.term.citation}).")
            if why.term.replacement:
                lines.append(f"Write instead: {why.term.replacement}")
        if why.symbols:
            lines.append(
                "Rules here: " + ", ".join(f"{n} (line {line})" for n, line in why.symbols)
            )
        if why.allowed:
            lines.append("Could stand here: " + " ".join(why.allowed))
        self.say(asdict(why), *lines)
        if why.verdict.kind != "accepted":
            raise CommandError(f"The text is {why.verdict.kind}.")

    def do_diff(self, old: str, new: str, **options: Any) -> None:
        changes = differences(document_of(old), document_of(new))
        lines = [f"{change.part}: {change.kind} {change.name}" for change in changes]
        lines += [str(change.after) for change in changes if change.part == "grammar"]
        self.say({"changes": [asdict(change) for change in changes]}, *(lines or ["No change."]))

    def do_publish(self, pack: str | None, builtin: bool, author: str, **options: Any) -> None:
        if builtin == bool(pack):
            raise CommandError("Name a pack, or give --builtin.", returncode=2)
        if builtin:
            published = builtin_packs.publish(self._line)
        else:
            compiled = compile_pack(document_of(str(pack)))
            found = verify(compiled)
            if found.failures or not found.enough:
                raise CommandError("\n".join(_told(compiled.slug, found)))
            one = store().publish(compiled.document, author=author)
            self._line(f"{one.slug}: version {one.version} by {one.author} is in force.")
            published = [one]
        if self.as_json:
            self.say({"in_force": [{"slug": p.slug, "version": p.version} for p in published]})

    def do_rollback(self, slug: str, version: int, **options: Any) -> None:
        over = store().active(slug).version
        pack = store().rollback(slug, version, over=over)
        self.say(
            {"slug": slug, "version": pack.version, "replaced": over},
            f"{slug}: version {pack.version} is in force again, in place of {over}.",
        )

    def do_status(self, **options: Any) -> None:
        states = store().states()
        packs: list[dict[str, Any]] = []
        lines = []
        for slug, state in sorted(states.items()):
            active = state.active
            version, digest = (active.version, active.digest) if active else (None, "")
            told = acknowledgements(slug)
            packs.append({"slug": slug, "version": version, "digest": digest, **told})
            packs[-1] |= {"state": state.kind, "since": state.since}
            since = f", {state.kind} since {state.since}" if state.since else ""
            lines.append(f"{slug}: version {version}, {digest[:12]}{since}")
            for one in told["nodes"] or ():
                said = one["reason"] or f"{one['compile_ms']} ms"
                lines.append(f"  {one['id']}: version {one['version']}, {said}")
            lines += [f"  {node}: has said nothing" for node in told["missing"] or ()]
        try:
            store().in_force()
        except EtcdError as error:
            self.say({"packs": packs}, *lines)
            raise CommandError(str(error), returncode=UNAVAILABLE) from error
        self.say({"packs": packs}, *(lines or ["Nothing is in force."]))


def _state(kind: str, text: str) -> Any:
    try:
        return state_from(kind, json.loads(text))
    except (json.JSONDecodeError, TypeError, AttributeError) as error:
        raise CommandError(f"This is no state of a document: {error}", returncode=2) from error


def all_ok(reports: list[dict[str, Any]]) -> bool:
    return all(r["enough"] and not r["failures"] and not r["problems"] for r in reports)


def _told(name: str, found: Verification) -> list[str]:
    good = f"{found.positives} accepted and {found.negatives} other examples as stated"
    lines = [f"{name}: {good}, {len(found.failures)} not, in {found.seconds:.1f} s."]
    for one in found.failures:
        verdict = one.found.kind if one.found else "not judged"
        lines.append(f"  {one.number}: {one.outcome}, stated {one.stated}, found {verdict}")
        lines += [f"     {part}" for part in (one.text, one.reason) if part]
    if not found.enough:
        lines.append(f"  {WANTED} of each kind are wanted.")
    return lines
