"""The audit record of a day: step runs, files, findings, notifications, from the store alone."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from email import message_from_string, policy
from typing import Any, Final

from pydantic import BaseModel

from mqcap.domain.delivery import Delivery
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.domain.ticket import Ticket
from mqcap.notifications.outbox import MAIL_CHANNELS
from mqcap.store.annotations import annotations_on
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds, read_source_files
from mqcap.store.findings import read_findings
from mqcap.store.models import SourceFileFacts
from mqcap.store.outbox import read_deliveries, tracker_deliveries
from mqcap.store.problems import acknowledgements_of, read_problems
from mqcap.store.step_runs import read_step_runs
from mqcap.store.tickets import read_tickets

_NOT_OF_A_TICKET: Final = {
    "grown",
    "reopen",
    "tried",
    "notified_date",
    "last_seen_date",
    "state",
    "update_text",
}


def audit_record(engine: Store, day: date) -> dict[str, Any]:
    """Return the audit record of one day as a JSON document.

    ``files`` are those with an interval of that day (UTC) or a neighbouring one. ``answered`` are
    the acknowledgements of the day's problems up to that day, ``noted`` the annotations on it,
    ``tickets`` those that were open on it or closed that day, as they were then.
    """
    findings, problems = read_findings(engine, day), read_problems(engine, day)
    keys = [problem.key for problem in problems]
    return {
        "site_date": day.isoformat(),
        "ran": _documents(read_step_runs(engine, day)),
        "files": _documents(file for file in read_source_files(engine) if _touches(file, day)),
        "missing_records": _documents(data_findings(read_feeds(engine, day))),
        "found": [
            finding.model_dump(mode="json") | {"citation": str(finding.citation)}
            for finding in findings
            if finding.severity is not Severity.ok
        ],
        "in_order_count": sum(finding.severity is Severity.ok for finding in findings),
        "crossings": _documents(read_crossings(engine, day)),
        "problems": _documents(problems),
        "said": [_delivery(delivery) for delivery in read_deliveries(engine, day)],
        "answered": _documents(acknowledgements_of(engine, keys, day)),
        "noted": _documents(annotations_on(engine, day)),
        "tickets": _tickets(engine, day),
    }


def audit_record_text(document: dict[str, Any]) -> str:
    """Return the document as text, with a hash: that of the file without the line that holds it."""
    body = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({**document, "sha256": digest}, indent=1, sort_keys=True, ensure_ascii=False)


def _documents(models: Iterable[BaseModel]) -> list[dict[str, Any]]:
    return [model.model_dump(mode="json") for model in models]


def _touches(file: SourceFileFacts, day: date) -> bool:
    if file.first_interval_utc is None or file.last_interval_utc is None:
        return file.received_date == day
    midnight = datetime.combine(day, time(), UTC)
    start, end = midnight - timedelta(days=1), midnight + timedelta(days=2)
    return file.first_interval_utc < end and file.last_interval_utc >= start


def _delivery(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery with its plain text and the hash of its complete content."""
    content = hashlib.sha256(delivery.content.encode()).hexdigest()
    row = delivery.model_dump(mode="json", exclude={"content", "payload"})
    text = delivery.content
    if delivery.channel in MAIL_CHANNELS:
        body = message_from_string(text, policy=policy.default).get_body(("plain",))
        text = "" if body is None else str(body.get_content()).replace("\r\n", "\n")
    return row | {"content_sha256": content, "text": text}


def _tickets(engine: Store, day: date) -> list[dict[str, Any]]:
    """Return each ticket as the last delivery to the tracker up to the day left it."""
    deliveries = {delivery.recipient: delivery for delivery in tracker_deliveries(engine, day)}
    references = {
        (ticket.dedupe_key, ticket.first_seen_date): ticket.external_ref
        for ticket in read_tickets(engine)
    }
    tickets = []
    for key, last in sorted(deliveries.items()):
        payload = last.payload or {}
        if payload["close"] and last.site_date != day:
            continue
        ticket = Ticket.model_validate(payload["ticket"])
        reference = references.get((key, ticket.first_seen_date)) or ticket.external_ref
        tickets.append(
            ticket.model_dump(mode="json", exclude=_NOT_OF_A_TICKET)
            | {
                "external_ref": reference,
                "state": "closed" if payload["close"] else "open",
                "last_word_date": last.site_date.isoformat(),
                "last_word_stage": str(last.stage),
            }
        )
    return tickets
