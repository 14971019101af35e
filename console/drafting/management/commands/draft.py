"""manage.py draft: drafts claims from the command line, through the same job as the browser does.

The services must be running (Valkey, etcd, a worker, a node). Claims are printed on stderr as they
are finished; the last line on stdout is the result. Ctrl-C stops the job, and with it the model.

Exit codes: 0 all claims written · 1 the job failed or some claim could not be written · 2 wrong
use · 3 a service cannot be reached, or no worker takes the job (it is stopped then) · 130 stopped.
"""

import argparse
import json
import sys
import time
import uuid
from pathlib import Path
from typing import Any, NoReturn

import redis
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, ProgrammingError

from console.drafting import leases, services
from console.drafting.commandline import NewMatter, WrongUse, params_of, source_of
from console.drafting.errors import DraftingError
from console.drafting.eventlog import EventLog, connection
from console.drafting.events import ENDINGS, Event
from console.drafting.models import ACTIVE, DraftJob, JobStatus
from console.matters import selectors as matters
from console.matters.models import Matter
from rules.store.client import StoreError, active_pack


class NobodyWorks(Exception):
    """No worker has taken the job for as long as the user wants to wait."""


class Command(BaseCommand):
    help = "Drafts the claims of a matter, or of a disclosure file, with the running services."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--matter", metavar="ID", help="draft in this matter")
        source.add_argument(
            "--disclosure", metavar="FILE", type=Path, help="make a matter of this disclosure"
        )
        parser.add_argument("--claims", metavar="N", type=int, default=8, help="how many claims")
        parser.add_argument(
            "--pack", metavar="SLUG", default="", help="rule pack, such as cn-claims"
        )
        parser.add_argument("--title", default="", help="title of the invention (--disclosure)")
        parser.add_argument(
            "--categories",
            default="",
            help="product, method or product,method; default: the title's",
        )
        parser.add_argument("--product-subject", default="", help="subject of the product claims")
        parser.add_argument("--method-subject", default="", help="subject of the method claims")
        parser.add_argument(
            "--first-claim", metavar="FILE", type=Path, help="your own claim 1, as a text file"
        )
        parser.add_argument("--instruction", default="", help="a wish for all claims")
        parser.add_argument(
            "--user", default="", help="in whose name; default: a member of the team"
        )
        parser.add_argument(
            "--wait",
            metavar="SECONDS",
            type=float,
            default=60.0,
            help="how long to wait for a worker (default 60); then the job is stopped",
        )
        parser.add_argument(
            "--json", action="store_true", help="print the result as one line of JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._draft(options)
        except WrongUse as error:
            raise CommandError(str(error), returncode=2) from error
        except (DraftingError, StoreError) as error:
            codes = {"rules_unavailable": 3, "pack_unknown": 2}
            self._leave(codes.get(error.code, 1), f"{error.code}: {error}")
        except redis.RedisError:
            self._leave(3, "Valkey cannot be reached; is everything started (make run)?")
        except (OperationalError, ProgrammingError, InterfaceError):
            # No server, no file, or no tables yet.
            self._leave(3, "The database cannot be used; is everything started (make run)?")

    def _draft(self, options: dict[str, Any]) -> None:
        params = params_of(options)
        user, source = source_of(options)
        # Asked before a matter is made: none is left behind by a draft that cannot begin.
        connection().ping()
        active_pack(options["pack"] or services.DEFAULT_PACK["cn"])
        matter = source.make() if isinstance(source, NewMatter) else source
        job = services.start_draft(
            user=user,
            matter=matter,
            params=params,
            request_id=uuid.uuid4().hex,
            pack_slug=options["pack"],
        )
        nobody_works = False
        try:
            texts = self._follow(job, options["wait"])
        except KeyboardInterrupt:
            services.stop(job=job)
            self._say("stopped")
            texts = self._until_ended(job)
        except NobodyWorks:
            nobody_works = True
            services.stop(job=job)
            self._say(
                f"No worker has taken the job for {options['wait']:.0f} s, so it was stopped. "
                "Is a worker running (make run)?"
            )
            texts = self._until_ended(job)
        self._wait_until_recorded(job)
        self._print_result(job, matter, texts, as_json=options["json"])
        if nobody_works:
            raise SystemExit(3)
        if job.status == JobStatus.STOPPED:
            raise SystemExit(130)
        if job.status == JobStatus.FAILED or job.progress.get("failed"):
            raise SystemExit(1)

    # --- what comes ---------------------------------------------------------------------------

    def _follow(self, job: DraftJob, patience: float) -> dict[str, str]:
        """The texts of the finished claims, by id, once the job has ended. Raises NobodyWorks."""
        log, seq, texts = EventLog(job.pk), 0, dict[str, str]()
        since = time.monotonic()
        while True:
            events = log.wait(seq, 1.0)
            for event in events:
                seq = event["seq"]
                self._show(event)
                if event["kind"] == "claim.completed":
                    texts[event["claim_id"]] = event["text"]
                if event["kind"] in ENDINGS:
                    return texts
            if events or not leases.waits_for_a_worker(job):
                since = time.monotonic()
            elif time.monotonic() - since > patience:
                raise NobodyWorks

    def _until_ended(self, job: DraftJob) -> dict[str, str]:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            events = EventLog(job.pk).read()
            if events and events[-1]["kind"] in ENDINGS:
                break
            time.sleep(0.1)
        return {
            event["claim_id"]: event["text"]
            for event in EventLog(job.pk).read()
            if event["kind"] == "claim.completed"
        }

    def _wait_until_recorded(self, job: DraftJob) -> None:
        """The log says first how a job ended, the database a moment later."""
        deadline = time.monotonic() + 10
        job.refresh_from_db()
        while job.status in ACTIVE and time.monotonic() < deadline:
            time.sleep(0.05)
            job.refresh_from_db()

    def _show(self, event: Event) -> None:
        match event["kind"]:
            case "claim.completed":
                self._say(f"{event['number']}.{event['text']}")
            case "claim.retry":
                self._say(f"  (written again: {event['reason']})")
            case "claim.failed":
                self._say(f"  (not written: {event['reason']})")
            case "job.failed":
                self._say(f"{event['code']}: {event['message']}")
            case "job.moved":
                self._say(f"  (moved: {event['reason']})")

    def _print_result(
        self, job: DraftJob, matter: Matter, texts: dict[str, str], *, as_json: bool
    ) -> None:
        rows = matters.claim_set(job.document_id)
        document = matters.claims_document(matter.pk)
        if not as_json:
            for row in rows:
                self.stdout.write(f"{row['number']}.{row['text']}")
            return
        result = {
            "matter": str(matter.pk),
            "job": str(job.pk),
            "status": job.status,
            "claims": [
                {"number": row["number"], "text": row["text"]} for row in rows if row["text"]
            ],
            "findings": matters.findings(document.content, matter.title),
            "tokens": {
                "prompt": job.tokens.get("prompt", 0),
                "delivered": job.tokens.get("delivered", 0),
                "replayed": job.tokens.get("replayed", 0),
                "discarded": job.tokens.get("discarded", {}),
            },
        }
        self.stdout.write(json.dumps(result, ensure_ascii=False))

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str, ending="\n")
        self.stderr.flush()

    def _leave(self, code: int, message: str) -> NoReturn:
        self._say(message)
        sys.exit(code)
