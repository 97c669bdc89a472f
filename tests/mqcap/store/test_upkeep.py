from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text, update

from mqcap.domain.delivery import Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.progress.shown import show_on
from mqcap.store.console_states import replace_states
from mqcap.store.database import connect, open_store, reading, writing
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import read_findings, replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import read_observations, replace_observations
from mqcap.store.outbox import read_deliveries, save_delivery
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import replace_problems
from mqcap.store.series import upsert_series
from mqcap.store.tables import ConsoleStateRow, FeedDayRow, LossRow, PlanRow
from mqcap.store.tickets import read_tickets, save_ticket
from mqcap.store.upkeep import back_up, check, prune
from tests import factories, plan_factories
from tests.factories import DAY
from tests.mqcap.progress.displays import Noted
from tests.stores import new_store

ONE_DAY = timedelta(days=1)


def filled(engine: Engine) -> None:
    upsert_series(engine, [factories.series_facts()])
    for number in range(3):
        day = DAY + number * ONE_DAY
        replace_observations(engine, [day], [factories.observation(day=day)], {})
        replace_forecasts(engine, day, [factories.forecast(cutoff_date=day)])
        replace_findings(engine, day, [factories.finding(site_date=day)])
        replace_problems(engine, day, [factories.problem_day(site_date=day)])


def test_a_store_that_was_used_is_sound(engine: Engine) -> None:
    filled(engine)
    assert check(engine) == []


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("DELETE FROM series", "3 observations of unknown series"),
        ("DELETE FROM forecast", "6 points of unknown forecasts"),
        ("UPDATE finding SET document = '{}'", "3 rows of finding cannot be read, on 2026-03-02"),
        ("UPDATE problem SET document = '{}'", "3 rows of problem cannot be read"),
    ],
)
def test_corruption_is_reported_with_its_remedy(engine: Engine, damage: str, words: str) -> None:
    filled(engine)
    with engine.begin() as connection:
        connection.execute(text(damage))
    [flaw] = check(engine)
    assert flaw.what.startswith(words)
    assert flaw.remedy


@pytest.mark.parametrize("table", [PlanRow, LossRow, ConsoleStateRow, FeedDayRow])
def test_a_document_that_cannot_be_read_is_named_with_its_table(
    engine: Engine, table: type[PlanRow | LossRow | ConsoleStateRow | FeedDayRow]
) -> None:
    replace_plans(engine, DAY, [plan_factories.plan()])
    replace_losses(engine, DAY, [plan_factories.loss()])
    replace_states(engine, [DAY], [factories.console_state()])
    replace_feed_days(engine, DAY, DAY, [factories.feed_day()])
    assert check(engine) == []
    with engine.begin() as connection:
        connection.execute(update(table).values(document={}))
    assert [flaw.what.partition(",")[0] for flaw in check(engine)] == [
        f"1 row of {table.__tablename__} cannot be read"
    ]


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (Stage.pending, "not handed over yet"),
        (Stage.posting, "left by a run that died"),
        (Stage.unconfirmed, "perhaps not arrived"),
    ],
)
def test_what_hangs_in_the_outbox_is_named(engine: Engine, stage: Stage, words: str) -> None:
    save_delivery(engine, factories.delivery(stage=stage))
    assert [flaw.what for flaw in check(engine)] == [f"1 deliveries {words}"]


def test_an_old_schema_is_named(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE mqcap_version SET version_num = '0001'"))
    [flaw] = check(engine)
    assert "schema 0001" in flaw.what


def test_old_days_go_and_what_waits_stays(engine: Engine) -> None:
    filled(engine)
    save_delivery(engine, factories.delivery(delivery_id="s", stage=Stage.sent))
    save_delivery(engine, factories.delivery(delivery_id="p"))
    save_ticket(engine, factories.ticket(), "embedded")
    last = DAY + 2 * ONE_DAY
    names = ("observation_daily", "forecast_point", "forecast", "finding", "problem", "delivery")
    before = dict.fromkeys(names, last)
    counted = prune(engine, before, dry_run=True)
    assert read_findings(engine, DAY)
    assert prune(engine, before) == counted
    assert counted == {
        "observation_daily": 2, "forecast_point": 4, "forecast": 2, "finding": 2, "problem": 2,
        "delivery": 1,
    }  # fmt: skip
    assert set(prune(engine, before).values()) == {0}
    assert [delivery.delivery_id for delivery in read_deliveries(engine)] == ["p"]
    assert len(read_observations(engine, factories.observation().series_id)) == 1
    assert len(read_tickets(engine)) == 1
    assert check(engine) != []  # the delivery that waits, and nothing else


def test_a_copy_is_the_store_of_one_moment_while_another_writes(tmp_path: Path) -> None:
    engine = new_store(tmp_path / "store.db")
    replace_findings(engine, DAY, [factories.finding(site_date=DAY)])
    with writing(engine, PlanRow) as unfinished:
        unfinished.execute(text("DELETE FROM finding"))
        back_up(connect(str(engine.url)), tmp_path / "copy.db")
    copy = open_store(f"sqlite:///{tmp_path / 'copy.db'}")
    assert (len(read_findings(copy, DAY)), read_findings(engine, DAY)) == (1, [])
    assert check(copy) == []
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_checks_and_copies_show_how_far_they_are(tmp_path: Path) -> None:
    engine = new_store(tmp_path / "store.db")
    with show_on(display := Noted()):
        check(engine)
        back_up(engine, tmp_path / "copy.db")
    with reading(engine) as connection:
        pages = connection.scalar(text("PRAGMA page_count"))
    assert display.calls == [
        "check the store begun",
        *(f"{number} of 5 checks" for number in range(1, 6)),
        "check the store ended",
        "copy the store begun",
        f"{pages} of {pages} pages",
        "copy the store ended",
        "closed",
    ]


def test_no_file_is_replaced_and_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    engine = new_store(tmp_path / "store.db")
    (tmp_path / "old.db").write_text("old")
    with pytest.raises(ConfigurationError, match="there already"):
        back_up(engine, tmp_path / "old.db")
    assert (tmp_path / "old.db").read_text() == "old"
    with pytest.raises(ConfigurationError, match="unable to open"):
        back_up(engine, tmp_path / "no folder" / "copy.db")


def test_a_database_on_a_server_is_left_to_its_own_tools(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="pg_dump") as raised:
        back_up(connect("postgresql://me:secret@db/mqcap"), tmp_path / "copy.db")
    assert "secret" not in str(raised.value)
