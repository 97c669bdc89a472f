"""Completeness of a day as a model, and the runs of the DAGs."""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from mq_capacity_page.pages.data.view import (
    CAUSE_WORDS,
    FILES_PER_PAGE,
    SIGNS,
    feeds_view,
    files_view,
    local_clock,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.feed import FeedState, GapCause
from mqcap.domain.numbers import ABSENT
from mqcap.store.feeds import read_feeds, replace_feed_days, upsert_source_files
from tests.factories import differing_sources, feed_day
from tests.plugins import builder

COPENHAGEN = ZoneInfo("Europe/Copenhagen")


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 1, 30, 23, tzinfo=UTC), "00:00"),
        (datetime(2026, 1, 31, 8, 5, tzinfo=UTC), "09:05"),
        (datetime(2026, 1, 31, 23, tzinfo=UTC), "24:00"),
        (datetime(2026, 1, 31, 23, 30, tzinfo=UTC), "00:30"),
    ],
    ids=["begin", "inside", "end", "after"],
)
def test_the_midnight_that_ends_the_day_is_24_00(moment: datetime, text: str) -> None:
    assert local_clock(moment, date(2026, 1, 31), COPENHAGEN) == text


def test_incomplete_feeds_come_first_in_the_order_of_the_legend(context: PageContext) -> None:
    view = feeds_view(context, builder.DAY)
    assert [row.day.state for row in view.rows][:3] == [
        FeedState.absent,
        FeedState.never_seen,
        FeedState.partial,
    ]
    assert (view.total, view.incomplete) == (5, 3)


def test_complete_feeds_of_a_sysplex_that_expect_the_same_share_a_row(context: PageContext) -> None:
    feeds = [
        feed_day(subject, site_date=builder.DAY, state=FeedState.complete, gaps=(), **changed)
        for subject, changed in (
            ("PLEX1/CSQ1", {}),
            ("PLEX1/CSQ2", {"received_count": 49}),
            ("PLEX2/CSQ1", {}),
            ("PLEX1/CSQ3", {"interval_seconds": None}),
        )
    ]
    replace_feed_days(context.engine, builder.DAY, builder.DAY, feeds)
    view = feeds_view(context, builder.DAY)
    shown = [(key[0], key[2] == ABSENT, senders) for key, senders in view.complete.items()]
    assert shown == [
        ("PLEX1", False, ["CSQ1", "CSQ2"]), ("PLEX1", True, ["CSQ3"]), ("PLEX2", False, ["CSQ1"]),
    ]  # fmt: skip
    assert list(view.rows) == []


def test_every_state_has_its_sign_and_every_cause_its_words() -> None:
    assert set(SIGNS) == set(FeedState) - {FeedState.complete}
    assert len(set(SIGNS.values())) == len(SIGNS), "not only a colour"
    assert set(CAUSE_WORDS) == set(GapCause)


def test_a_day_without_feeds_has_no_rows(context: PageContext) -> None:
    view = feeds_view(context, date(2025, 6, 1))
    assert (view.rows, view.complete, view.total) == ((), {}, 0)


def test_sources_that_differ_are_listed_with_what_is_incomplete(context: PageContext) -> None:
    of_day = read_feeds(context.engine, builder.DAY)
    differs = differing_sources().model_copy(update={"site_date": builder.DAY})
    replace_feed_days(context.engine, builder.DAY, builder.DAY, [*of_day, differs])
    view = feeds_view(context, builder.DAY)
    assert view.incomplete == 4
    [row] = [row for row in view.rows if row.day.state is FeedState.differs]
    assert row.sender == "CSQ1"


def test_the_sums_are_over_all_files_even_when_only_problems_are_listed(
    context: PageContext,
) -> None:
    every, troubled = (files_view(context, builder.DAY, only, 0) for only in (False, True))
    assert (every.total, troubled.total) == (2, 1)
    assert troubled.delivered_bytes == every.delivered_bytes == 2_469_134
    assert troubled.with_problems == every.with_problems == 1
    assert troubled.files[0].problem is not None


def test_a_file_that_is_not_decoded_yet_is_waiting_and_has_no_decoded_bytes(
    context: PageContext,
) -> None:
    before = files_view(context, builder.DAY, False, 0)
    waiting = builder.source_file(
        sha256="e" * 64, decoded_bytes=None, skipped_bytes=None, quarantined_bytes=None
    )
    upsert_source_files(context.engine, [waiting])
    after = files_view(context, builder.DAY, False, 0)
    assert (before.waiting, after.waiting) == (0, 1)
    assert after.decoded_bytes == before.decoded_bytes


def test_the_list_is_cut_into_pages(context: PageContext) -> None:
    more = [
        builder.source_file(sha256=f"{number:064x}", name=f"file {number}")
        for number in range(FILES_PER_PAGE)
    ]
    upsert_source_files(context.engine, more)
    first, second = (
        files_view(context, builder.DAY, False, start) for start in (0, FILES_PER_PAGE)
    )
    assert (len(first.files), len(second.files)) == (FILES_PER_PAGE, 2)
    assert first.total == second.total == FILES_PER_PAGE + 2
    assert not {file.sha256 for file in first.files} & {file.sha256 for file in second.files}


@pytest.mark.parametrize(
    ("begin", "end", "day", "count"),
    [
        (0, 1, date(2026, 1, 31), 1),
        (-48, -40, date(2026, 1, 31), 0),
        (-48, 48, date(2026, 1, 31), 1),
        (40, 48, date(2026, 1, 31), 0),
    ],
    ids=["inside", "before", "around", "after"],
)
def test_files_about_a_day_have_intervals_of_it_in_any_zone_of_the_estate(
    context: PageContext, begin: int, end: int, day: date, count: int
) -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    file = builder.source_file(
        sha256="f" * 64,
        first_interval_utc=noon + timedelta(hours=begin),
        last_interval_utc=noon + timedelta(hours=end),
    )
    upsert_source_files(context.engine, [file])
    view = files_view(context, builder.DAY, False, 0, day)
    assert view.total == count
    assert view.about == day


def test_files_are_listed_by_the_time_of_landing_then_of_their_intervals_newest_first(
    context: PageContext,
) -> None:
    noon = datetime(2027, 1, 31, 12, tzinfo=UTC)
    hashes_by_name = {
        "late.smf": ("1", noon, noon),
        "b.smf": ("9", noon - timedelta(hours=1), noon - timedelta(hours=1)),
        "a.smf": ("0", noon - timedelta(hours=1), noon - timedelta(hours=1)),
        "earlier intervals.smf": ("f", noon - timedelta(hours=1), noon - timedelta(hours=2)),
    }
    upsert_source_files(
        context.engine,
        [
            builder.source_file(
                sha256=digit * 64,
                name=name,
                received_date=noon.date(),
                landed_at_utc=landed,
                last_interval_utc=last,
            )
            for name, (digit, landed, last) in hashes_by_name.items()
        ],
    )
    names = [file.name for file in files_view(context, builder.DAY, False, 0).files]
    assert names[:4] == ["late.smf", "b.smf", "a.smf", "earlier intervals.smf"]


@pytest.fixture
def dag_runs(application: FastAPI) -> Any:
    """The module that reads Airflow's database."""
    from mq_capacity_page.pages.data import dag_runs as module  # noqa: PLC0415 - loads Airflow

    return module


START: Final = datetime(2026, 1, 31, tzinfo=UTC)


def dag_run(**changed: Any) -> SimpleNamespace:
    """The daily run of 31 January, which took two minutes."""
    known: dict[str, Any] = {
        "dag_id": "mqcap_daily",
        "run_id": "scheduled__2026-01-31",
        "run_type": "scheduled",
        "state": "success",
        "start_date": START,
        "end_date": START.replace(minute=2),
        "conf": {},
        "data_interval_start": START,
    }
    return SimpleNamespace(**known | changed)


@pytest.mark.parametrize(
    ("changed", "day"),
    [
        ({}, date(2026, 1, 31)),
        ({"conf": {"day": "2026-01-20"}}, date(2026, 1, 20)),
        ({"conf": {"day": None}}, date(2026, 1, 31)),
        ({"conf": {"day": "soon"}}, None),
        ({"data_interval_start": None, "conf": None}, None),
        (
            {"data_interval_start": datetime.fromisoformat("2026-01-31T00:30+02:00")},
            date(2026, 1, 30),
        ),
    ],
    ids=["interval", "parameter", "blank", "no-date", "nothing", "other-zone"],
)
def test_the_day_of_a_run_is_its_parameter_else_the_utc_day_of_its_interval(
    dag_runs: Any, changed: dict[str, Any], day: date | None
) -> None:
    assert dag_runs.dag_run_row(dag_run(**changed)).day == day


@pytest.mark.parametrize(
    ("changed", "seconds"),
    [
        ({}, 120.0),
        ({"end_date": START}, 0.0),
        ({"end_date": None}, None),
        ({"start_date": None}, None),
    ],
    ids=["ended", "at-once", "running", "never-started"],
)
def test_a_run_has_a_duration_once_it_has_ended(
    dag_runs: Any, changed: dict[str, Any], seconds: float | None
) -> None:
    assert dag_runs.dag_run_row(dag_run(**changed)).seconds == seconds


def test_states_and_kinds_are_words_whether_airflow_has_them_as_text_or_as_members(
    dag_runs: Any,
) -> None:
    class State(StrEnum):
        failed = "failed"

    row = dag_runs.dag_run_row(dag_run(state=State.failed, run_type="manual"))
    assert (row.state, row.kind) == ("failed", "manual")


def test_airflow_s_own_database_is_asked_without_error(dag_runs: Any, airflow_home: Path) -> None:
    from airflow.models.dagrun import DagRun  # noqa: PLC0415 - loads Airflow
    from airflow.utils.session import create_session  # noqa: PLC0415 - loads Airflow

    with create_session() as session:  # other tests may have run our DAGs before
        known = session.execute(select(DagRun.dag_id, DagRun.run_id)).all()
    ours = {run_id for dag_id, run_id in known if dag_id.startswith("mqcap_")}
    assert {run.run_id for run in dag_runs.last_runs()} == ours
    assert dag_runs.day_of_run("mqcap_daily", "none") is None


def test_a_database_without_airflow_s_tables_is_a_plain_word_and_no_run(
    dag_runs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OperationalError("SELECT", {}, Exception("no such table: dag_run"))

    monkeypatch.setattr(dag_runs, "last_runs", refused)
    problem = "Airflow's database does not tell its runs: no such table: dag_run"
    assert dag_runs.runs_or_problem() == ([], problem)


def test_the_address_of_a_run_is_quoted(dag_runs: Any) -> None:
    row = dag_runs.dag_run_row(dag_run(run_id="manual/1 2"))
    assert row.address == "../dags/mqcap_daily/runs/manual%2F1%202"
