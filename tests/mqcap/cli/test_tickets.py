"""Commands about tickets and mail, and the record of who typed what."""

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.cli.operate import CHANNEL_WORDS
from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.audit_record import audit_record
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.notify import alert
from mqcap.store.annotations import save_annotation
from mqcap.store.models import Annotation
from mqcap.store.outbox import (
    last_notified_date,
    read_deliveries,
    save_delivery,
    waiting_deliveries,
)
from mqcap.store.problems import latest_acknowledgements, read_problems
from mqcap.store.tickets import read_tickets
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, over

pytestmark = pytest.mark.thorough


def test_an_acknowledgement_counts_from_the_newest_day_on(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref
    assert reference in output_of("tickets", "list")
    output_of("tickets", "acknowledge", reference, f"accepted risk until {DAY + 9 * ONE_DAY}")
    judge(engine, DAY + ONE_DAY, [over()])
    alert(notified, engine, DAY + ONE_DAY)
    assert output_of("tickets", "history", reference).splitlines() == [
        "2026-03-02  act new  LOG-FILL-30MIN/PLEX1/CSQ1",
        "2026-03-02  update (sent): CSQ1 active logs: One log fills too fast; CYL(3073) now",
        "2026-03-02  acknowledgement  LOG-FILL-30MIN/PLEX1/CSQ1: accepted risk until 2026-03-11",
        "2026-03-03  act acknowledged  LOG-FILL-30MIN/PLEX1/CSQ1: accepted risk until 2026-03-11",
    ]
    [status] = read_problems(engine, DAY + ONE_DAY)
    assert status.acknowledgement is not None
    assert status.acknowledgement.kind is AcknowledgementKind.accepted_until


def test_the_history_and_the_list_show_an_acknowledgement_before_the_next_run(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref or ""
    output_of("tickets", "acknowledge", reference, "acknowledged disks ordered", "--who", "bo")
    assert output_of("tickets", "history", reference).splitlines()[-1] == (
        "2026-03-02  acknowledgement  LOG-FILL-30MIN/PLEX1/CSQ1: acknowledged disks ordered by bo"
    )
    assert f"{reference}  open, acknowledged  ACT" in output_of("tickets", "list")


def test_the_list_is_there_for_programs_and_by_state(notified: Settings, engine: Engine) -> None:
    [ticket] = json.loads(output_of("tickets", "list", "--format", "json"))
    assert (ticket["state"], ticket["key"]) == ("open", read_tickets(engine)[0].dedupe_key)
    heading, *rows = output_of("tickets", "list", "--format", "csv").splitlines()
    assert heading.split(",") == list(ticket)
    assert len(rows) == 1
    assert output_of("tickets", "list", "--state", "closed", "--format", "csv") == f"{heading}\n"
    assert "No ticket is closed." in invoked("tickets", "list", "--state", "closed").output


def test_an_unrecognised_response_names_those_that_are_recognised(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref or ""
    error = refusal("tickets", "acknowledge", reference, "whatever")
    assert str(error).startswith("unrecognised response to a ticket; found whatever")
    assert '"false alarm"' in str(error)


def test_an_unknown_ticket_cannot_be_acknowledged(notified: Settings) -> None:
    error = refusal("tickets", "acknowledge", "MQCAP-999", "false alarm")
    assert "no such ticket; found MQCAP-999" in str(error)
    assert "mqcap tickets list" in str(error)


def test_one_rule_of_a_ticket_can_be_acknowledged_alone(notified: Settings, engine: Engine) -> None:
    judge(engine, DAY + ONE_DAY, [over(), over(rule_id="LOG-RUNWAY-12H")])
    alert(notified, engine, DAY + ONE_DAY)
    named = ("tickets", "acknowledge", "PLEX1/CSQ1/active_log", "false alarm", "--rule")
    output_of(*named, "LOG-RUNWAY-12H")
    assert set(latest_acknowledgements(engine, DAY + ONE_DAY)) == {"LOG-RUNWAY-12H/PLEX1/CSQ1"}
    error = refusal(*named, "CFS-FULL")
    assert "found CFS-FULL" in str(error)
    assert "LOG-FILL-30MIN, LOG-RUNWAY-12H" in str(error)


def test_an_unconfirmed_delivery_can_be_sent_again(notified: Settings, engine: Engine) -> None:
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    assert "No notification is pending" in output_of("outbox", "list")
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert mail.delivery_id[:12] in output_of("outbox", "list")
    output_of("outbox", "resend", mail.delivery_id[:12])
    assert [delivery.stage for delivery in waiting_deliveries(engine)] == [Stage.pending]
    with pytest.raises(ConfigurationError, match="does not identify one delivery"):
        output_of("outbox", "resend", "zz")


def test_a_confirmed_delivery_is_not_sent_again(notified: Settings, engine: Engine) -> None:
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    with pytest.raises(ConfigurationError, match="is not waiting for confirmation"):
        output_of("outbox", "confirm", mail.delivery_id)
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert last_notified_date(engine, Channel.mail, DAY) is None
    output_of("outbox", "confirm", mail.delivery_id[:12])
    assert last_notified_date(engine, Channel.mail, DAY) == DAY
    assert "No notification is pending" in output_of("outbox", "list")


def test_the_list_shows_why_a_delivery_is_pending(notified: Settings, engine: Engine) -> None:
    mail = mail_of(engine)
    failed = {"stage": Stage.pending, "error": "mail server: no answer", "sent_at_utc": None}
    save_delivery(engine, mail.model_copy(update=failed))
    assert output_of("outbox", "list").strip() == (
        f"{mail.delivery_id[:12]}  {DAY}  email  pending  {mail.subject_line}  "
        "mail server: no answer"
    )


def test_a_delivery_of_a_replay_is_neither_listed_nor_sent(
    notified: Settings, engine: Engine
) -> None:
    mail = mail_of(engine)
    replayed = {"replay": True, "stage": Stage.pending, "delivery_id": "f" * 32}
    save_delivery(engine, mail.model_copy(update=replayed))
    assert "No notification is pending" in output_of("outbox", "list")
    error = refusal("outbox", "resend", "f" * 32)
    assert "found 1 deliveries of a replay" in str(error)


def test_a_prefix_of_several_deliveries_identifies_none(notified: Settings) -> None:
    error = refusal("outbox", "confirm", "")
    assert "found 2 deliveries" in str(error)
    assert "mqcap outbox list" in str(error)


def mail_of(engine: Engine) -> Delivery:
    """Return the one email in the store."""
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    return mail


def test_every_channel_has_its_words() -> None:
    assert set(CHANNEL_WORDS) == set(Channel)


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
