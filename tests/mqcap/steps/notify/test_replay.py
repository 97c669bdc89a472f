from datetime import date
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.ticket import TicketState
from mqcap.steps.notify import alert
from mqcap.store.outbox import read_deliveries
from mqcap.store.problems import read_problems
from mqcap.store.tickets import read_tickets
from tests.factories import DAY
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, mails_of, over, site
from tests.stores import new_store

pytestmark = pytest.mark.thorough


def course(number: int) -> list[Any]:
    first = over() if number in {3, 4, 25} else fine()
    return [first, over("PLEX1/CSQ2") if number > 30 else fine("PLEX1/CSQ2")]


def run_of(folder: Path, *, replay: bool, days: list[int]) -> tuple[Any, Any]:
    folder.mkdir()
    engine = new_store(folder / "store.db")
    settings = site(folder)
    for number in days:
        judge(engine, DAY + number * ONE_DAY, course(number))
    for number in days:
        alert(settings, engine, DAY + number * ONE_DAY, replay=replay)
    problem_days = {day: read_problems(engine, day) for day in dates(days)}
    deliveries = [
        (
            delivery.site_date,
            delivery.channel,
            delivery.recipient,
            delivery.subject_line,
            delivery.digest_sha256,
        )
        for delivery in read_deliveries(engine)
    ]
    assert replay is not (folder / "mail").exists()
    if replay:
        assert not any(delivery.sent for delivery in read_deliveries(engine))
        assert read_tickets(engine) == []
    engine.dispose()
    return problem_days, deliveries


def dates(days: list[int]) -> list[date]:
    return [DAY + number * ONE_DAY for number in days]


def test_a_replay_sends_nothing_and_stores_what_a_live_run_would_have_sent(tmp_path: Path) -> None:
    days = list(range(36))
    live, sent = run_of(tmp_path / "live", replay=False, days=days)
    replayed, stored = run_of(tmp_path / "replay", replay=True, days=days)
    assert replayed == live
    assert [row for row in stored if row[1] == "mail"] == [row for row in sent if row[1] == "mail"]
    tickets = [[row[:3] for row in rows if row[1] == "ticket"] for rows in (stored, sent)]
    assert tickets[0] == tickets[1]
    assert len(tickets[0]) == 5


def test_days_to_come_change_nothing_of_a_past_day(tmp_path: Path) -> None:
    short, _ = run_of(tmp_path / "short", replay=True, days=list(range(14)))
    long, _ = run_of(tmp_path / "long", replay=True, days=list(range(28)))
    assert {day: long[day] for day in short} == short


def test_the_stored_mail_is_the_one_that_was_sent(engine: Engine, tmp_path: Path) -> None:
    settings = site(tmp_path)
    judge(engine, DAY, [over(title="Zürich: 30 minutes")])
    alert(settings, engine, DAY)
    [file] = (tmp_path / "mail").iterdir()
    [stored] = mails_of(engine)
    assert file.read_bytes().decode("ascii") == stored.content
    assert message_from_bytes(file.read_bytes())["Subject"]
    assert read_tickets(engine)[0].state is TicketState.open
