"""Every move of a date has a reason, and the reason is a figure."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import SAWTOOTH, Forecast
from mqcap.domain.metric import Direction
from mqcap.domain.score import SiteCorrection
from mqcap.queries.date_changes import MovedSinceAlert, reason_moved, why_moved
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings, replace_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.problems import replace_problems
from tests import factories
from tests.stores import new_store

DAY = date(2026, 10, 15)
CF_BUSY = "cf_busy_pct/PLEX1/CF01"


def made(day: date, level: float, **changed: Any) -> Forecast:
    lines = [(level - 2, level, level + 2)] * 99
    return factories.forecast(lines=lines, series_id=CF_BUSY, cutoff_date=day, **changed)


def crossing(day: date, ahead: int, limit: float = 30.0) -> Crossing:
    return factories.crossing(
        "PLEX1/CF01", rule_id="CF-BUSY-1", series_id=CF_BUSY, limit_value=limit, unit="%",
        cutoff_date=day, expected_date=day + timedelta(days=ahead),
        earliest_date=None, latest_date=None,
    )  # fmt: skip


WAS, NOW = crossing(DAY, 60), crossing(DAY + timedelta(days=1), 30)
EARLIER, LATER = made(DAY, 24.0), made(DAY + timedelta(days=1), 25.0)


def reason(was: Crossing, now: Crossing, earlier: Forecast | None, later: Forecast | None) -> str:
    return reason_moved(was, now, earlier, later, lambda _: 0.0)


def test_another_limit_comes_first() -> None:
    now = crossing(DAY + timedelta(days=1), 30, limit=28.0)
    assert reason(WAS, now, None, LATER) == "the limit is 28 %, not 30 %"
    assert reason(WAS, NOW, None, LATER) == "the forecast of that day is no longer stored"


def bent(forecast: Forecast, slope: float = 0.0, wider: float = 0.0) -> Forecast:
    points = tuple(
        replace(
            item, expected=item.expected + slope * number,
            lower=item.lower + slope * number - wider, upper=item.upper + slope * number + wider,
        )
        for number, item in enumerate(forecast.points)
    )  # fmt: skip
    return forecast.model_copy(update={"points": points})


STEEP = bent(made(LATER.cutoff_date, 24.0), slope=0.1)
LATER_BY = {
    name: LATER.model_copy(update={"model": name}) for name in ("sawtooth", "prophet_exact")
}


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (LATER, "level 1 point higher after 1 new day"),
        (made(LATER.cutoff_date, 23.0), "level 1 point lower after 1 new day"),
        (bent(LATER, wider=3.0), "prediction interval 3 points wider after 1 new day"),
        (STEEP, "growth a month +3 points after 1 new day, before +0 points"),
        (LATER_BY["sawtooth"], "forecast by sawtooth, not prophet"),
        (
            LATER.model_copy(update={"interval_width": 0.9}),
            "horizon or prediction interval was configured differently",
        ),
        (LATER_BY["prophet_exact"], "level 1 point higher after 1 new day"),
        (LATER.model_copy(update={"points": ()}), "the forecasts have no day in common"),
    ],
    ids=["higher", "lower", "wider", "faster", "model", "width", "twin", "refused"],
)
def test_the_one_reason_names_level_growth_or_interval(later: Forecast, words: str) -> None:
    assert reason(WAS, NOW, EARLIER, later) == words


def test_a_limit_from_below_is_held_against_the_lower_edge() -> None:
    downward = NOW.model_copy(update={"direction": Direction.downward})
    words = reason(WAS, downward, EARLIER, bent(LATER, wider=2.0))
    assert words.startswith("prediction interval 2 points")


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.69, 0.31), ""),
        ((0.7, 0.3), ", weight of the straight linear trend 70 %, before 60 %"),
        ((0.4, 0.6), ", weight of the straight linear trend 40 %, before 60 %"),
    ],
    ids=["below", "at", "above"],
)
def test_a_share_that_changed_by_a_tenth_is_a_reason(
    shares: tuple[float, float], words: str
) -> None:
    earlier = EARLIER.model_copy(update={"mix": factories.mix(0.6, 0.4)})
    later = LATER.model_copy(update={"mix": factories.mix(*shares)})
    assert reason(WAS, NOW, earlier, later) == f"level 1 point higher after 1 new day{words}"


def test_lines_that_moved_have_their_reasons_in_order(tmp_path: Path) -> None:
    store = new_store(tmp_path / "store.db")
    replace_crossings(store, DAY, [WAS])
    for day, of_day in ((DAY, EARLIER), (NOW.cutoff_date, LATER)):
        replace_forecasts(store, day, [of_day])
    facts = [(NOW, "PLEX1/CF01"), (NOW.model_copy(update={"subject": "PLEX1/CF02"}), "PLEX1/CF02")]
    settings = Settings()
    findings = [
        factories.finding(subject, rule_id=now.rule_id, site_date=now.cutoff_date)
        for now, subject in facts
    ]
    lines = fleet_lines(
        findings, [now for now, _ in facts], (), settings.complete_estate(), settings.alerts
    )
    found = dict(zip([line.finding.subject for line in lines], why_moved(store, DAY, lines),
                     strict=True))  # fmt: skip
    assert found == {
        "PLEX1/CF01": "level 1 point higher after 1 new day",
        "PLEX1/CF02": "there is no earlier date",
    }
    store.dispose()


TODAY = factories.DAY
BEFORE = TODAY - timedelta(days=1)
NOTIFIED = TODAY - timedelta(days=7)
EXPECTED = TODAY + timedelta(days=80)
GONE = "the forecast of that day is no longer stored"
"""The reason where the store of a test holds no forecasts."""


def dated(day: date, expected: date | None, **changed: Any) -> Crossing:
    return factories.crossing(factories.finding(site_date=day), expected_date=expected, **changed)


def evaluate(engine: Store, *crossings: Crossing) -> None:
    for one in crossings:
        replace_findings(engine, one.cutoff_date, [factories.finding(site_date=one.cutoff_date)])
        replace_crossings(engine, one.cutoff_date, [one])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Store]:
    """A problem that was notified a week ago; the day before its date had already moved."""
    opened = new_store(tmp_path / "store.db")
    evaluate(opened, dated(NOTIFIED, EXPECTED), dated(BEFORE, EXPECTED - timedelta(days=10)))
    replace_problems(
        opened, BEFORE, [factories.problem_day(site_date=BEFORE, notified_date=NOTIFIED)]
    )
    yield opened
    opened.dispose()


def words(engine: Store, now: Crossing) -> str:
    return MovedSinceAlert(Settings(), engine, TODAY).words(now)


@pytest.mark.parametrize("days", [-14, -13, 0, 13, 14, 30])
def test_a_date_that_moved_by_two_weeks_or_more_is_compared_with_the_notified_one(
    engine: Store, days: int
) -> None:
    shown = f"was {EXPECTED} as of {NOTIFIED}: {GONE}" if abs(days) > 13 else ""
    assert words(engine, dated(TODAY, EXPECTED + timedelta(days=days))) == shown


def test_the_least_move_is_that_of_the_settings(engine: Store) -> None:
    settings = Settings.model_validate({"alerts": {"worse_by_days": 5}})
    moved = MovedSinceAlert(settings, engine, TODAY)
    assert moved.words(dated(TODAY, EXPECTED - timedelta(days=5))) != ""
    assert moved.words(dated(TODAY, EXPECTED - timedelta(days=4))) == ""


def test_another_limit_is_the_reason(engine: Store) -> None:
    now = dated(TODAY, EXPECTED - timedelta(days=30), limit_value=0.5)
    assert words(engine, now).startswith(f"was {EXPECTED} as of {NOTIFIED}: the limit is ")


def test_without_a_notification_the_evaluated_day_before_counts(engine: Store) -> None:
    replace_problems(engine, BEFORE, [factories.problem_day(site_date=BEFORE, notified_date=None)])
    near = EXPECTED - timedelta(days=10)
    assert words(engine, dated(TODAY, near - timedelta(days=13))) == ""
    assert words(engine, dated(TODAY, near - timedelta(days=14))).startswith(
        f"was {near} as of {BEFORE}: "
    )


@pytest.mark.parametrize("days", [13, 14], ids=["in-view", "nearer"])
def test_a_date_that_comes_into_view_has_moved_only_when_it_is_far_from_the_horizon(
    engine: Store, days: int
) -> None:
    none = dated(
        NOTIFIED, None, latest_date=None, state=CrossingState.not_within_horizon,
        probability_180_days=0.02,
    )  # fmt: skip
    evaluate(engine, none)
    end = NOTIFIED + timedelta(days=180)
    shown = words(engine, dated(TODAY, end - timedelta(days=days)))
    expected = f"was not expected within 180 days as of {NOTIFIED}: {GONE}" if days == 14 else ""
    assert shown == expected


@pytest.mark.parametrize(
    "now",
    [
        dated(TODAY, None, state=CrossingState.breached),
        dated(TODAY, EXPECTED - timedelta(days=30), rule_id="OTHER"),
        dated(TODAY, EXPECTED - timedelta(days=30), subject="PLEX1/CSQ2"),
    ],
    ids=["over", "other-rule", "other-subject"],
)
def test_without_two_dates_of_one_limit_there_is_nothing_to_report(
    engine: Store, now: Crossing
) -> None:
    assert words(engine, now) == ""


def test_on_the_first_evaluated_day_nothing_has_moved(tmp_path: Path) -> None:
    opened = new_store(tmp_path / "first.db")
    assert words(opened, dated(TODAY, EXPECTED)) == ""
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
    engine: Store, shift: float, model: str, is_said: bool
) -> None:
    now = dated(TODAY, EXPECTED - timedelta(days=30))
    made = factories.forecast(series_id=now.series_id, statistic=now.statistic, model=model)
    replace_forecasts(engine, TODAY, [made])
    replace_site_correction(engine, SiteCorrection(cutoff_date=TODAY, shift=shift))
    clause = f", shift by the site's own outcomes {shift:+.2f}, before +0.00 (log odds)"
    assert words(engine, now).endswith(clause) is is_said
    assert ("own outcomes" in words(engine, now)) is is_said
