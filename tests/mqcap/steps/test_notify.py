"""One day of notifications: counts, a second run, a replay, a tracker that cannot be opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import TicketState
from mqcap.steps.notify import alert
from mqcap.store.outbox import read_deliveries
from mqcap.store.tickets import read_tickets
from tests.factories import DAY
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, mails_of, over, site
from tests.stores import new_store


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = new_store(tmp_path / "store.db")
    yield opened
    opened.dispose()


def written(folder: Path) -> list[Path]:
    return sorted((folder / "mail").rglob("*.eml"))


def test_a_breach_is_one_mail_and_one_ticket(engine: Engine, tmp_path: Path) -> None:
    judge(engine, DAY, [over(), fine("PLEX1/CSQ2")])
    counts = alert(site(tmp_path), engine, DAY)
    assert counts == {
        "problems": 1,
        "tickets": 1,
        "mail": "sent",
        "mails_sent": 1,
        "mails_unconfirmed": 0,
    }
    assert len(written(tmp_path)) == 1
    [ticket] = read_tickets(engine)
    assert (ticket.dedupe_key, ticket.state) == ("PLEX1/CSQ1/active_log", TicketState.open)


@pytest.mark.thorough
def test_a_second_run_of_the_day_delivers_nothing_again(engine: Engine, tmp_path: Path) -> None:
    judge(engine, DAY, [over()])
    alert(site(tmp_path), engine, DAY)
    again = alert(site(tmp_path), engine, DAY)
    assert (again["tickets"], again["mails_sent"]) == (0, 0)
    assert len(written(tmp_path)) == len(mails_of(engine)) == len(read_tickets(engine)) == 1


def test_a_further_day_on_which_all_is_in_order_has_no_mail(engine: Engine, tmp_path: Path) -> None:
    judge(engine, DAY - ONE_DAY, [fine()])
    judge(engine, DAY, [fine()])
    counts = alert(site(tmp_path, weekly_digest="never"), engine, DAY)
    assert (counts["problems"], counts["mail"], counts["mails_sent"]) == (0, "nothing_new", 0)
    assert read_deliveries(engine) == []


def test_a_replay_stores_what_would_have_been_sent_and_contacts_nobody(
    engine: Engine, tmp_path: Path
) -> None:
    judge(engine, DAY, [over()])
    counts = alert(site(tmp_path), engine, DAY, replay=True)
    assert counts == {"problems": 1, "tickets": 1, "mail": "stored_only"}
    assert written(tmp_path) == []
    assert read_tickets(engine) == []
    stored = read_deliveries(engine)
    assert {delivery.channel for delivery in stored} == {"mail", "ticket"}
    assert all(delivery.replay and not delivery.sent for delivery in stored)


def test_a_tracker_that_cannot_be_opened_is_an_error_after_the_mail_was_sent(
    engine: Engine, tmp_path: Path
) -> None:
    judge(engine, DAY, [over()])
    settings = site(tmp_path, ticket_backend="jira", ticket_options={})
    with pytest.raises(ConfigurationError):
        alert(settings, engine, DAY)
    assert len(written(tmp_path)) == 1
    judge(engine, DAY + ONE_DAY, [over()])
    assert alert(site(tmp_path), engine, DAY + ONE_DAY)["tickets"] == 1
