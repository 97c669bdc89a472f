"""Evidence of a day, for an auditor: what ran, on what, what was found, said and answered.

One JSON document from the store alone. It changes only when the store does.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from domain.delivery import Delivery
from domain.feed import data_findings
from domain.finding import Finding, Severity
from domain.ticket import Ticket
from store import reads
from store.audit import runs
from store.database import Store
from store.models import SourceFileFacts
from store.problems import marks, problems


def evidence(engine: Store, day: date) -> dict[str, Any]:
    """Everything the store knows about one day.

    ``files`` are those with an interval of that day (UTC) or a neighbouring one, which a site
    day may reach into. What people did are their answers known up to that day and the tickets
    that were open on it.
    """
    findings = reads.findings(engine, day)
    return {
        "site_date": day.isoformat(),
        "ran": [one.model_dump(mode="json") for one in runs(engine, day)],
        "files": [_file(one) for one in reads.source_files(engine) if _touches(one, day)],
        "missing_records": [
            one.model_dump(mode="json") for one in data_findings(reads.feeds(engine, day))
        ],
        "found": [_finding(one) for one in findings if one.severity is not Severity.ok],
        "in_order_count": sum(one.severity is Severity.ok for one in findings),
        "crossings": [one.model_dump(mode="json") for one in reads.crossings(engine, day)],
        "problems": [one.model_dump(mode="json") for one in problems(engine, day)],
        "said": [_delivery(one) for one in reads.deliveries(engine, day)],
        "answered": [one.model_dump(mode="json") for one in marks(engine, day).values()],
        "tickets": [_ticket(one) for one in reads.tickets(engine) if _was_open(one, day)],
    }


def as_text(document: dict[str, Any]) -> str:
    """The document as the one file: indented, in a fixed order, with a hash of itself.

    ``sha256`` is that of the file's text without the line that holds it.
    """
    body = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({**document, "sha256": digest}, indent=1, sort_keys=True, ensure_ascii=False)


def _file(file: SourceFileFacts) -> dict[str, Any]:
    return file.model_dump(mode="json")


def _touches(file: SourceFileFacts, day: date) -> bool:
    if file.first_interval_utc is None or file.last_interval_utc is None:
        return file.received_date == day
    midnight = datetime.combine(day, time(), UTC)
    start, end = midnight - timedelta(days=1), midnight + timedelta(days=2)
    return file.first_interval_utc < end and file.last_interval_utc >= start


def _finding(finding: Finding) -> dict[str, Any]:
    return finding.model_dump(mode="json") | {"citation": str(finding.citation)}


def _delivery(delivery: Delivery) -> dict[str, Any]:
    """With the hash of the content: the content itself is in the store and in the mail."""
    content = hashlib.sha256(delivery.content.encode()).hexdigest()
    row = delivery.model_dump(mode="json", exclude={"content", "payload"})
    return row | {"content_sha256": content}


def _ticket(ticket: Ticket) -> dict[str, Any]:
    return ticket.model_dump(mode="json", exclude={"reopen", "tried"})


def _was_open(ticket: Ticket, day: date) -> bool:
    return ticket.first_seen_date <= day <= ticket.last_seen_date
