"""Writing the same thing twice is writing it once; a day replaced is replaced whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, text

from mqcap.domain.delivery import Channel
from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Statistic
from mqcap.domain.ticket import TicketState
from mqcap.store import scores, tables
from mqcap.store.annotations import save_annotation
from mqcap.store.crossings import read_crossings, replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.files import read_source_files, upsert_source_files
from mqcap.store.findings import read_findings, replace_findings
from mqcap.store.forecasts import find_forecast, read_forecasts, replace_forecasts
from mqcap.store.observations import (
    observed_digests,
    read_observations,
    read_training_rows,
    replace_observations,
)
from mqcap.store.outbox import find_delivery, read_deliveries, replace_replayed, save_delivery
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.scenarios import save_scenario
from mqcap.store.series import read_series, upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import find_ticket, read_tickets, save_ticket
from mqcap.store.upsert import batches
from tests import factories
from tests.factories import DAY, crossing, finding, forecast, observation, series_facts
from tests.mqcap.store.test_feed_days import feed_day
from tests.stores import new_store

NEXT_DAY = DAY + timedelta(days=1)


def everything(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        return {
            name: sorted(map(str, connection.execute(table.select())))
            for name, table in tables.Base.metadata.tables.items()
        }


def write_a_day(engine: Engine) -> None:
    upsert_source_files(engine, [factories.source_file()])
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation()], {DAY: "one"})
    replace_forecasts(engine, DAY, [forecast()])
    replace_findings(engine, DAY, [finding()])
    replace_crossings(engine, DAY, [crossing()])
    save_ticket(engine, factories.ticket(), "embedded")
    save_delivery(engine, factories.delivery())
    save_acknowledgements(engine, [factories.acknowledgement()])
    replace_problems(engine, DAY, [factories.problem_day()])
    save_step_run(engine, factories.step_run())
    replace_feed_days(engine, DAY, DAY, [feed_day(site_date=DAY)])
    scores.save_scores(engine, [factories.forecast_score()], [factories.crossing_score()])
    save_annotation(engine, factories.annotation())
    save_scenario(engine, factories.scenario())


def test_a_day_written_twice_gives_the_same_rows(engine: Engine) -> None:
    write_a_day(engine)
    once = everything(engine)
    write_a_day(engine)
    assert everything(engine) == once
    assert all(once.values())


@pytest.mark.parametrize(
    "replace",
    [
        lambda engine: replace_observations(engine, [DAY], [], {}),
        lambda engine: replace_forecasts(engine, DAY, []),
        lambda engine: replace_findings(engine, DAY, []),
        lambda engine: replace_crossings(engine, DAY, []),
    ],
    ids=["observations", "forecasts", "findings", "crossings"],
)
def test_replacing_a_day_by_nothing_leaves_other_days(
    engine: Engine, replace: Callable[[Engine], int]
) -> None:
    write_a_day(engine)
    replace_observations(engine, [NEXT_DAY], [observation(day=NEXT_DAY)], {})
    replace_forecasts(engine, NEXT_DAY, [forecast(cutoff_date=NEXT_DAY)])
    replace_findings(engine, NEXT_DAY, [finding(site_date=NEXT_DAY)])
    replace_crossings(engine, NEXT_DAY, [crossing(cutoff_date=NEXT_DAY)])
    before = everything(engine)
    assert replace(engine) == 0
    after = everything(engine)
    touched = {name for name in before if before[name] != after[name]}
    assert touched
    for name in touched - {"series", "problem_date"}:
        assert len(after[name]) == len(before[name]) / 2


def test_rows_come_back_as_they_were_given(engine: Engine) -> None:
    write_a_day(engine)
    assert read_source_files(engine) == [factories.source_file()]
    assert read_observations(engine, series_facts().series_id) == [observation()]
    assert find_forecast(engine, series_facts().series_id, Statistic.peak, DAY) == forecast()
    assert read_findings(engine, DAY) == [finding()]
    assert read_crossings(engine, DAY) == [crossing()]
    assert read_tickets(engine) == [factories.ticket()]
    assert read_deliveries(engine, DAY) == [factories.delivery()]
    assert observed_digests(engine) == {DAY: "one"}


def test_rows_may_be_mappings_with_foreign_number_types(engine: Engine) -> None:
    row = observation().model_dump() | {"mean": np.float64(0.25), "peak": np.float64(2.5)}
    replace_observations(engine, [DAY], [row], {})
    upsert_series(engine, [series_facts().model_dump() | {"first_site_date": NEXT_DAY}])
    assert read_observations(engine, series_facts().series_id)[0].peak == 2.5
    assert read_series(engine)[0].first_site_date == DAY


def test_instants_come_back_in_utc(engine: Engine) -> None:
    summer = timezone(timedelta(hours=2))
    given_local = datetime(2026, 3, 2, 14, tzinfo=summer)
    replace_observations(engine, [DAY], [observation(busiest_hour_utc=given_local)], {})
    stored = read_observations(engine, series_facts().series_id)[0].busiest_hour_utc
    assert stored == given_local
    assert stored.tzinfo is UTC


def test_an_instant_without_a_zone_is_refused(engine: Engine) -> None:
    naive = factories.NOON.replace(tzinfo=None)
    sent = factories.delivery().model_copy(update={"sent_at_utc": naive})
    with pytest.raises(Exception, match="no time zone"):
        save_delivery(engine, sent)


def test_the_span_of_a_series_follows_its_observations(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    assert read_series(engine)[0].last_site_date is None
    days = [DAY, NEXT_DAY]
    replace_observations(engine, days, [observation(day=day) for day in days], {})
    assert read_series(engine)[0].first_site_date == DAY
    assert read_series(engine)[0].last_site_date == NEXT_DAY
    replace_observations(engine, [NEXT_DAY], [], {})
    assert read_series(engine)[0].last_site_date == DAY
    upsert_series(engine, [series_facts(unit="MB/s")])
    assert read_series(engine)[0].last_site_date == DAY
    assert read_series(engine)[0].unit == "MB/s"


def test_a_digest_of_a_partition_that_is_gone_is_forgotten(engine: Engine) -> None:
    replace_observations(engine, [], [], {DAY: "one", NEXT_DAY: "one"})
    replace_observations(engine, [], [], {DAY: None, NEXT_DAY: "two"})
    assert observed_digests(engine) == {NEXT_DAY: "two"}


def test_a_file_delivered_again_keeps_its_first_landing(engine: Engine) -> None:
    upsert_source_files(engine, [factories.source_file()])
    later = factories.NOON + timedelta(days=1)
    again = factories.source_file(landed_at_utc=later, record_count=7, decoded_bytes=4_096)
    upsert_source_files(engine, [again])
    stored = read_source_files(engine)[0]
    assert stored.landed_at_utc == factories.NOON
    assert stored.record_count == 7


def test_a_closed_ticket_remembers_its_day(engine: Engine) -> None:
    save_ticket(engine, factories.ticket(), "embedded")
    closed = factories.ticket(state=TicketState.closed, last_seen_date=NEXT_DAY)
    save_ticket(engine, closed, "embedded")
    assert read_tickets(engine, state=TicketState.open) == []
    assert find_ticket(engine, closed.dedupe_key, "embedded") == closed
    assert find_ticket(engine, closed.dedupe_key, "jira") is None
    with engine.connect() as connection:
        assert connection.scalar(tables.TicketRow.__table__.select().with_only_columns(
            tables.TicketRow.closed_date
        )) == NEXT_DAY  # fmt: skip


def test_a_replay_that_says_less_leaves_nothing_of_the_one_before(engine: Engine) -> None:
    real = factories.delivery(sent_at_utc=factories.NOON)
    save_delivery(engine, real)
    one, two = (factories.delivery(delivery_id=name, replay=True) for name in ("one", "two"))
    assert replace_replayed(engine, DAY, Channel.mail, [one, two, real]) == 2
    assert replace_replayed(engine, DAY, Channel.ticket, []) == 0
    assert len(read_deliveries(engine, DAY)) == 3
    assert replace_replayed(engine, DAY, Channel.mail, [two]) == 1
    assert {row.delivery_id for row in read_deliveries(engine, DAY)} == {"two", real.delivery_id}
    assert find_delivery(engine, real.delivery_id) == real


def test_documents_are_written_with_sorted_keys(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    with engine.connect() as connection:
        document = connection.scalar(text("SELECT CAST(document AS TEXT) FROM finding"))
    assert isinstance(document, str)
    assert document.index('"advice"') < document.index('"breach"') < document.index('"unit"')


def test_a_figure_that_is_not_a_number_is_stored_as_absent(engine: Engine) -> None:
    value = InputValue(name="rate", value=float("nan"))
    replace_findings(engine, DAY, [finding(inputs=(value,))])
    assert read_findings(engine, DAY)[0].inputs[0].value is None


def test_400_days_of_80_series_are_stored_whole(engine: Engine) -> None:
    days = [DAY - timedelta(days=back) for back in range(400)]
    subjects = [f"PLEX1/Q{number:03}" for number in range(80)]
    upsert_series(engine, [series_facts(subject) for subject in subjects])
    rows = [observation(subject, day) for subject in subjects for day in days]
    assert replace_observations(engine, days, rows, {}) == 32_000
    assert len(read_training_rows(engine, DAY, 30)) == 30 * 80 * 3


def test_many_forecasts_come_back_whole(engine: Engine) -> None:
    many = [forecast(f"PLEX1/Q{number:03}") for number in range(20)]
    refused = forecast("PLEX1/QZZZ", points=(), refusal="12 days of data; at least 60 are needed")
    replace_forecasts(engine, DAY, iter([refused, *many]))
    assert read_forecasts(engine, DAY) == [*many, refused]
    assert find_forecast(engine, "none", Statistic.peak, DAY) is None


@given(
    values=st.dictionaries(
        st.dates(date(2026, 1, 1), date(2026, 1, 9)),
        st.floats(allow_nan=False, allow_infinity=False, width=64),
        max_size=6,
    ),
    replaced=st.sets(st.dates(date(2026, 1, 1), date(2026, 1, 9)), max_size=6),
)
@settings(max_examples=15, deadline=None)
def test_whatever_was_there_a_replaced_day_holds_exactly_what_was_given(
    tmp_path_factory: pytest.TempPathFactory, values: dict[date, float], replaced: set[date]
) -> None:
    engine = new_store(tmp_path_factory.mktemp("store") / "store.db")
    all_days = [date(2026, 1, day) for day in range(1, 10)]
    replace_observations(engine, all_days, [observation(day=d) for d in all_days], {})
    given_rows = [observation(day=day, peak=values[day]) for day in replaced if day in values]
    replace_observations(engine, replaced, given_rows, {})
    stored = {row.site_date: row.peak for row in read_observations(engine, observation().series_id)}
    untouched = {day: observation().peak for day in all_days if day not in replaced}
    assert stored == untouched | {row.site_date: row.peak for row in given_rows}
    engine.dispose()


@given(st.lists(st.integers(), max_size=30), st.integers(1, 7))
def test_batches_hold_every_item_once_in_order(items: list[int], size: int) -> None:
    parts = list(batches(items, size))
    assert [item for part in parts for item in part] == items
    assert all(0 < len(part) <= size for part in parts)
