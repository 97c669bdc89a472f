"""The commands about the store, the outbox, tickets and a day's evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from mqcap.cli.app import app
from mqcap.domain.delivery import Channel, Stage
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.audit_record import audit_record
from mqcap.settings import Settings, load_settings
from mqcap.steps import runner
from mqcap.steps.notify import alert
from mqcap.store.annotations import save_annotation
from mqcap.store.feeds import replace_feed_days
from mqcap.store.files import upsert_source_files
from mqcap.store.models import Annotation, SourceFileFacts
from mqcap.store.outbox import (
    last_notified_date,
    read_deliveries,
    save_delivery,
    waiting_deliveries,
)
from mqcap.store.problems import read_problems
from mqcap.store.step_runs import read_step_runs
from mqcap.store.tickets import read_tickets
from tests.factories import DAY, feed_day
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, over

pytestmark = pytest.mark.thorough

Run = Callable[..., str]


@pytest.fixture
def settings(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a site, as the command line reads them."""
    monkeypatch.setenv("MQCAP_STORE__URL", str(engine.url))
    monkeypatch.setenv("MQCAP_ALERTS__MAIL_FOLDER", str(tmp_path / "mail"))
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    return load_settings()


@pytest.fixture
def told(settings: Settings, engine: Engine) -> Settings:
    """A day with one problem and one missing feed, told by the step."""
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    file = {"sha256": "a" * 64, "source": "smf", "name": "SYS1.smf", "bytes_count": 4_096}
    when = datetime(2026, 3, 2, 12, tzinfo=UTC)
    seen = {"received_date": DAY, "landed_at_utc": when, "first_interval_utc": when,
            "last_interval_utc": when}  # fmt: skip
    upsert_source_files(engine, [SourceFileFacts.model_validate({**file, **seen})])
    judge(engine, DAY, [over(), fine("PLEX1/CSQ2")])
    runner.alert(settings, DAY)
    return settings


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_evidence_of_a_day_is_one_file_that_holds_everything(
    told: Settings, tmp_path: Path
) -> None:
    run("tickets", "answer", "LOG-FILL-30MIN/PLEX1/CSQ1", "known project NEWLOG", "--who", "anna")
    file = tmp_path / "evidence.json"
    assert str(file) in run("evidence", str(DAY), "--out", str(file)).replace("\n", "")
    document = json.loads(file.read_text(encoding="utf-8"))
    digest = document.pop("sha256")
    body = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    assert hashlib.sha256(body.encode()).hexdigest() == digest
    [ran] = document["ran"]
    assert ran["step"] == "alert"
    assert set(ran["versions"]) == {
        "mqcap", "python", "code_sha256", "rules_sha256", "settings_sha256",
    }  # fmt: skip
    assert [one["name"] for one in document["files"]] == ["SYS1.smf"]
    assert [one["subject"] for one in document["missing_records"]] == ["PLEX1/CSQ7"]
    assert [one["rule_id"] for one in document["found"]] == ["LOG-FILL-30MIN"]
    assert document["in_order_count"] == 1
    assert [(one["channel"], one["stage"]) for one in document["said"]] == [
        ("mail", "sent"),
        ("ticket", "sent"),
    ]
    assert [(one["kind"], one["who"]) for one in document["answered"]] == [
        ("known_project", "anna")
    ]
    assert document["tickets"][0]["external_ref"].startswith("MQCAP-")
    assert json.loads(run("evidence", str(DAY)))["site_date"] == str(DAY)


def test_the_evidence_holds_the_words_that_people_got_and_what_they_wrote_down(
    told: Settings, engine: Engine
) -> None:
    note = {"subject": "PLEX1/CSQ1", "first_date": DAY, "last_date": DAY + ONE_DAY, "who": "bo",
            "note": "release 7", "noted_at_utc": datetime(2026, 3, 3, tzinfo=UTC)}  # fmt: skip
    save_annotation(engine, Annotation.model_validate(note))
    for mail in read_deliveries(engine):
        if mail.channel == "mail":
            lost = {"stage": Stage.unconfirmed, "error": "nobody knows", "sent_at_utc": None}
            save_delivery(engine, mail.model_copy(update=lost))
    document = audit_record(engine, DAY)
    assert [(one["who"], one["note"]) for one in document["noted"]] == [("bo", "release 7")]
    mail, ticket = sorted(document["said"], key=lambda one: str(one["channel"]))
    assert (mail["stage"], mail["error"]) == ("unconfirmed", "nobody knows")
    assert "CYL(3073)" in mail["text"]
    assert "CYL(3073)" in ticket["text"]
    assert document["tickets"][0]["state"] == "open"


def test_the_evidence_of_a_day_is_the_same_however_many_days_came_after_it(
    told: Settings, engine: Engine
) -> None:
    before = audit_record(engine, DAY)
    run("tickets", "answer", "LOG-FILL-30MIN/PLEX1/CSQ1", "acknowledged", "--who", "anna")
    for number in range(1, 10):
        day = DAY + number * ONE_DAY
        judge(engine, day, [over(headroom_ratio=-2.0) if number == 1 else fine()])
        runner.alert(told, day)
    assert read_tickets(engine)[0].state == "closed"
    after = audit_record(engine, DAY)
    assert [one["kind"] for one in after.pop("answered")] == ["acknowledged"]
    before.pop("answered")
    assert after == before
    states = [
        one["state"]
        for n in (1, 8, 9)
        for one in audit_record(engine, DAY + n * ONE_DAY)["tickets"]
    ]
    assert states == ["open", "closed"]


def test_an_answer_given_here_counts_and_nonsense_is_refused(
    told: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref
    assert reference in run("tickets", "list")
    run("tickets", "answer", reference, f"accepted risk until {DAY + 9 * ONE_DAY}")
    judge(engine, DAY + ONE_DAY, [over()])
    alert(told, engine, DAY + ONE_DAY)
    assert run("tickets", "history", reference).splitlines() == [
        "2026-03-02  act new  LOG-FILL-30MIN/PLEX1/CSQ1",
        f"2026-03-02  said to the tracker (sent): {over().subject}: {over().title}",
        "2026-03-03  act acknowledged  LOG-FILL-30MIN/PLEX1/CSQ1: accepted risk until 2026-03-11",
    ]
    [status] = read_problems(engine, DAY + ONE_DAY)
    assert status.acknowledgement is not None
    assert status.acknowledgement.kind is AcknowledgementKind.accepted_until
    for words in (("nothing", "false alarm"), (reference, "whatever")):
        with pytest.raises(ConfigurationError):
            run("tickets", "answer", *words)


def test_a_delivery_of_which_nobody_knows_can_be_sent_again(told: Settings, engine: Engine) -> None:
    [mail] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    assert run("outbox", "list") == ""
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert mail.delivery_id[:12] in run("outbox", "list")
    run("outbox", "resend", mail.delivery_id[:12])
    assert [one.stage for one in waiting_deliveries(engine)] == [Stage.pending]
    with pytest.raises(ConfigurationError, match="does not name one"):
        run("outbox", "resend", "zz")


def test_a_delivery_of_which_people_know_that_it_arrived_is_not_told_again(
    told: Settings, engine: Engine
) -> None:
    [mail] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    with pytest.raises(ConfigurationError, match="needs no word"):
        run("outbox", "confirm", mail.delivery_id)
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert last_notified_date(engine, Channel.mail, DAY) is None
    run("outbox", "confirm", mail.delivery_id[:12])
    assert last_notified_date(engine, Channel.mail, DAY) == DAY
    assert run("outbox", "list") == ""


def test_a_store_is_checked_and_pruned(told: Settings, engine: Engine) -> None:
    assert "sound" in run("store", "check")
    assert "finding: 2 rows would go" in run("store", "prune", "--dry-run", "--today", "2036-01-01")
    assert "finding: 0 rows deleted" in run("store", "prune")
    assert "finding: 2 rows deleted" in run("store", "prune", "--today", "2036-01-01")
    assert run("store", "prune") == "The store is empty.\n"
    assert read_deliveries(engine) == []


def test_a_store_with_a_flaw_fails_the_check(settings: Settings, engine: Engine) -> None:
    judge(engine, DAY, [over()])
    alert(settings, engine, DAY)
    [mail] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    result = CliRunner().invoke(app, ["store", "check"])
    assert result.exit_code == 1
    assert "perhaps not arrived" in result.output
    with pytest.raises(InputError, match=r"not sound; found .*perhaps not arrived"):
        runner.check_store(settings)


def test_a_step_without_a_day_is_filed_under_the_day_on_which_it_ran(
    settings: Settings, engine: Engine
) -> None:
    runner.observe(settings, DAY.min)
    assert read_step_runs(engine, DAY.min) == []
    assert [one.step for one in read_step_runs(engine, datetime.now(UTC).date())] == ["observe"]
