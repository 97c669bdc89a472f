"""``mqcap audit-record``: the audit record of a day."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.delivery import Stage
from mqcap.notifications.audit_record import audit_record
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.store.annotations import save_annotation
from mqcap.store.models import Annotation
from mqcap.store.outbox import read_deliveries, save_delivery
from mqcap.store.tickets import read_tickets
from tests.factories import DAY
from tests.mqcap.cli.command_line import output_of
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, over

pytestmark = pytest.mark.thorough

TICKET = "PLEX1/CSQ1/active_log"


def test_the_audit_record_of_a_day_is_one_file_with_runs_files_findings_and_notifications(
    notified: Settings, tmp_path: Path
) -> None:
    output_of("tickets", "acknowledge", TICKET, "known project NEWLOG", "--who", "anna")
    file = tmp_path / "audit.json"
    assert str(file) in output_of("audit-record", str(DAY), "--out", str(file)).replace("\n", "")
    document = json.loads(file.read_text(encoding="utf-8"))
    digest = document.pop("sha256")
    body = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    assert hashlib.sha256(body.encode()).hexdigest() == digest
    [ran] = document["ran"]
    assert ran["step"] == "alert"
    assert set(ran["versions"]) == {
        "mqcap", "python", "code_sha256", "rules_sha256", "settings_sha256",
    }  # fmt: skip
    assert [item["name"] for item in document["files"]] == ["SYS1.smf"]
    assert [record["subject"] for record in document["missing_records"]] == ["PLEX1/CSQ7"]
    assert [finding["rule_id"] for finding in document["found"]] == ["LOG-FILL-30MIN"]
    assert document["in_order_count"] == 1
    assert [(delivery["channel"], delivery["stage"]) for delivery in document["said"]] == [
        ("mail", "sent"),
        ("ticket", "sent"),
    ]
    assert [
        (acknowledgement["kind"], acknowledgement["who"])
        for acknowledgement in document["answered"]
    ] == [("known_project", "anna")]
    assert document["tickets"][0]["external_ref"].startswith("MQCAP-")
    assert json.loads(output_of("audit-record", str(DAY)))["site_date"] == str(DAY)


def test_the_audit_record_holds_the_text_that_was_sent_and_the_annotations(
    notified: Settings, engine: Engine
) -> None:
    note = {"subject": "PLEX1/CSQ1", "first_date": DAY, "last_date": DAY + ONE_DAY, "who": "bo",
            "note": "release 7", "noted_at_utc": datetime(2026, 3, 3, tzinfo=UTC)}  # fmt: skip
    save_annotation(engine, Annotation.model_validate(note))
    for mail in read_deliveries(engine):
        if mail.channel == "mail":
            lost = {"stage": Stage.unconfirmed, "error": "nobody knows", "sent_at_utc": None}
            save_delivery(engine, mail.model_copy(update=lost))
    document = audit_record(engine, DAY)
    assert [(item["who"], item["note"]) for item in document["noted"]] == [("bo", "release 7")]
    mail, ticket = sorted(document["said"], key=lambda delivery: str(delivery["channel"]))
    assert (mail["stage"], mail["error"]) == ("unconfirmed", "nobody knows")
    assert "CYL(3073)" in mail["text"]
    assert "CYL(3073)" in ticket["text"]
    assert document["tickets"][0]["state"] == "open"


def test_the_audit_record_of_a_day_does_not_change_with_later_days(
    notified: Settings, engine: Engine
) -> None:
    before = audit_record(engine, DAY)
    output_of("tickets", "acknowledge", TICKET, "acknowledged", "--who", "anna")
    for number in range(1, 10):
        day = DAY + number * ONE_DAY
        judge(engine, day, [over(headroom_ratio=-2.0) if number == 1 else fine()])
        runner.alert(notified, day)
    assert read_tickets(engine)[0].state == "closed"
    after = audit_record(engine, DAY)
    assert [item["kind"] for item in after.pop("answered")] == ["acknowledged"]
    before.pop("answered")
    assert after == before
    states = [
        ticket["state"]
        for n in (1, 8, 9)
        for ticket in audit_record(engine, DAY + n * ONE_DAY)["tickets"]
    ]
    assert states == ["open", "closed"]
