"""Changes of an expected date since its problem was last notified."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import SAWTOOTH
from mqcap.domain.score import SiteCorrection
from mqcap.queries.date_changes import MovedSinceAlert
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings, replace_site_correction
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.problems import replace_problems
from tests.factories import DAY, crossing, finding, forecast, problem_day
from tests.stores import new_store

BEFORE = DAY - timedelta(days=1)
NOTIFIED = DAY - timedelta(days=7)
EXPECTED = DAY + timedelta(days=80)
GONE = "the forecast of that day is no longer stored"
"""The reason where the store of a test holds no forecasts."""


def dated(day: date, expected: date | None, **changed: Any) -> Crossing:
    return crossing(finding(site_date=day), expected_date=expected, **changed)


def evaluate(engine: Engine, *crossings: Crossing) -> None:
    for one in crossings:
        replace_findings(engine, one.cutoff_date, [finding(site_date=one.cutoff_date)])
        replace_crossings(engine, one.cutoff_date, [one])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """A problem that was notified a week ago; the day before its date had already moved."""
    opened = new_store(tmp_path / "store.db")
    evaluate(opened, dated(NOTIFIED, EXPECTED), dated(BEFORE, EXPECTED - timedelta(days=10)))
    replace_problems(opened, BEFORE, [problem_day(site_date=BEFORE, notified_date=NOTIFIED)])
    yield opened
    opened.dispose()


def words(engine: Engine, now: Crossing) -> str:
    return MovedSinceAlert(Settings(), engine, DAY).words(now)


@pytest.mark.parametrize("days", [-14, -13, 0, 13, 14, 30])
def test_a_date_that_moved_by_two_weeks_or_more_is_compared_with_the_notified_one(
    engine: Engine, days: int
) -> None:
    shown = f"was {EXPECTED} as of {NOTIFIED}: {GONE}" if abs(days) > 13 else ""
    assert words(engine, dated(DAY, EXPECTED + timedelta(days=days))) == shown


def test_the_least_move_is_that_of_the_settings(engine: Engine) -> None:
    settings = Settings.model_validate({"alerts": {"worse_by_days": 5}})
    moved = MovedSinceAlert(settings, engine, DAY)
    assert moved.words(dated(DAY, EXPECTED - timedelta(days=5))) != ""
    assert moved.words(dated(DAY, EXPECTED - timedelta(days=4))) == ""


def test_another_limit_is_the_reason(engine: Engine) -> None:
    now = dated(DAY, EXPECTED - timedelta(days=30), limit_value=0.5)
    assert words(engine, now).startswith(f"was {EXPECTED} as of {NOTIFIED}: the limit is ")


def test_without_a_notification_the_evaluated_day_before_counts(engine: Engine) -> None:
    replace_problems(engine, BEFORE, [problem_day(site_date=BEFORE, notified_date=None)])
    near = EXPECTED - timedelta(days=10)
    assert words(engine, dated(DAY, near - timedelta(days=13))) == ""
    assert words(engine, dated(DAY, near - timedelta(days=14))).startswith(
        f"was {near} as of {BEFORE}: "
    )


@pytest.mark.parametrize("days", [13, 14], ids=["in-view", "nearer"])
def test_a_date_that_comes_into_view_has_moved_only_when_it_is_far_from_the_horizon(
    engine: Engine, days: int
) -> None:
    none = dated(
        NOTIFIED, None, latest_date=None, state=CrossingState.not_within_horizon,
        probability_180_days=0.02,
    )  # fmt: skip
    evaluate(engine, none)
    end = NOTIFIED + timedelta(days=180)
    shown = words(engine, dated(DAY, end - timedelta(days=days)))
    expected = f"was not expected within 180 days as of {NOTIFIED}: {GONE}" if days == 14 else ""
    assert shown == expected


@pytest.mark.parametrize(
    "now",
    [
        dated(DAY, None, state=CrossingState.breached),
        dated(DAY, EXPECTED - timedelta(days=30), rule_id="OTHER"),
        dated(DAY, EXPECTED - timedelta(days=30), subject="PLEX1/CSQ2"),
    ],
    ids=["over", "other-rule", "other-subject"],
)
def test_without_two_dates_of_one_limit_there_is_nothing_to_report(
    engine: Engine, now: Crossing
) -> None:
    assert words(engine, now) == ""


def test_on_the_first_evaluated_day_nothing_has_moved(tmp_path: Path) -> None:
    opened = new_store(tmp_path / "first.db")
    assert words(opened, dated(DAY, EXPECTED)) == ""
    opened.dispose()


@pytest.mark.parametrize(
    ("shift", "model", "is_said"),
    [
        (0.04, "prophet", False),
        (0.05, "prophet", True),
        (-0.06, "prophet", True),
        (0.2, SAWTOOTH, False),
    ],
)
def test_another_shift_by_the_sites_own_outcomes_is_a_reason(
    engine: Engine, shift: float, model: str, is_said: bool
) -> None:
    now = dated(DAY, EXPECTED - timedelta(days=30))
    made = forecast(series_id=now.series_id, statistic=now.statistic, model=model)
    replace_forecasts(engine, DAY, [made])
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY, shift=shift))
    clause = f", shift by the site's own outcomes {shift:+.2f}, before +0.00 (log odds)"
    assert words(engine, now).endswith(clause) is is_said
    assert ("own outcomes" in words(engine, now)) is is_said
