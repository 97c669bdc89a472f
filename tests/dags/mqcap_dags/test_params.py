"""The trigger parameters of a run and the day, wait and replay that follow from them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from airflow.sdk.exceptions import AirflowFailException
from mqcap_dags import params

START = datetime(2026, 11, 20, tzinfo=UTC)


@dataclass(frozen=True)
class Run:
    run_type: str = "scheduled"
    data_interval_start: datetime | None = START
    data_interval_end: datetime | None = START + timedelta(days=1)


BARE = Run("manual", None, None)


def given(**changed: Any) -> dict[str, Any]:
    return {"day": None, "send": "auto", "wait_minutes": 90, **changed}


NEW_YORK = Run(data_interval_start=START.astimezone(ZoneInfo("America/New_York")))
WEEK = Run(data_interval_end=START + timedelta(days=7))


@pytest.mark.parametrize(
    ("run", "stated", "day", "last_day"),
    [
        (Run(), "2026-03-01", "2026-03-01", "2026-03-01"),
        (Run(), None, "2026-11-20", "2026-11-20"),
        (NEW_YORK, None, "2026-11-20", "2026-11-20"),
        (WEEK, None, "2026-11-20", "2026-11-26"),
    ],
)
def test_the_stated_day_wins_over_the_interval_which_is_read_in_utc(
    run: Run, stated: str | None, day: str, last_day: str
) -> None:
    asked = given(day=stated)
    assert (params.day_of(run, asked), params.last_day_of(run, asked)) == (day, last_day)


@pytest.mark.parametrize("of", [params.day_of, params.last_day_of])
def test_a_run_without_day_and_interval_or_with_no_date_fails_at_once(of: Any) -> None:
    with pytest.raises(AirflowFailException, match="day"):
        of(BARE, given())
    with pytest.raises(AirflowFailException, match=r"31\.12\.2026"):
        of(Run(), given(day="31.12.2026"))


@pytest.mark.parametrize("of", [params.day_of, params.last_day_of])
def test_a_backfill_of_one_day_for_all_of_its_runs_fails_at_once(of: Any) -> None:
    with pytest.raises(AirflowFailException, match="backfill"):
        of(Run("backfill"), given(day="2026-03-01"))
    assert of(Run("backfill"), given()) == "2026-11-20"


def test_a_scheduled_run_waits_after_the_end_of_its_day() -> None:
    assert params.wait_until(Run(), given()) == "2026-11-21T01:30:00+00:00"
    assert params.wait_until(Run(), given(wait_minutes=0)) == "2026-11-21T00:00:00+00:00"


@pytest.mark.parametrize(
    ("run", "stated"), [(Run("backfill"), None), (Run(), "2026-11-20"), (BARE, "2026-11-20")]
)
def test_backfills_and_stated_days_do_not_wait(run: Run, stated: str | None) -> None:
    assert params.wait_until(run, given(day=stated)).startswith("1970-01-01")


@pytest.mark.parametrize(
    ("run", "send", "replay"),
    [
        (Run(), "auto", False),
        (Run("manual"), "auto", False),
        (Run("backfill"), "auto", True),
        (Run(), "never", True),
    ],
)
def test_a_backfill_stores_and_sends_nothing(run: Run, send: str, replay: bool) -> None:
    assert params.is_replay(run, given(send=send)) is replay


def test_each_template_calls_a_macro() -> None:
    for template in (params.DAY, params.LAST_DAY, params.WAIT_UNTIL):
        assert template.removeprefix("{{ ").partition("(")[0] in params.MACROS
