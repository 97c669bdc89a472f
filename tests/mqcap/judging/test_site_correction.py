from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import SAWTOOTH, Past, PastSide
from mqcap.domain.metric import Direction, series_id
from mqcap.domain.score import SiteCorrection
from mqcap.settings import Settings
from mqcap.steps.evaluate import evaluate_rules, site_correction_of
from mqcap.store.crossings import (
    crossings_with_keys,
    find_site_correction,
    read_crossings,
    replace_crossings,
    replace_hold_out,
    replace_site_correction,
)
from mqcap.store.database import Store, reading
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.tables import (
    CrossingRow,
    FeedDayRow,
    FindingRow,
    LossRow,
    PlanRow,
    SiteCorrectionRow,
)
from tests.factories import crossing, forecast
from tests.mqcap.judging.observations import crossings_of
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    observe,
    rising,
    settings_of,
)

RULE = "LOG-FILL-30MIN"
METRIC = "log_growth_mib_per_s"
STATED = date(2026, 7, 1)
"""The first evaluated day of its month; all that it stated for 90 days is over on ``DAY``."""
LIMIT = 10.0


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path)


def state(
    engine: Store,
    count: int,
    *,
    on: date = STATED,
    figure: float = 12.0,
    model: str = "prophet",
    shift: float = 0.0,
    **stated: Any,
) -> None:
    subjects = [f"PLEX1/Q{number:03}" for number in range(count)]
    crossings = [
        crossing(
            subject=subject,
            cutoff_date=on,
            series_id=series_id(METRIC, subject),
            **{"limit_value": LIMIT, "probability_30_days": 0.3} | stated,
        )
        for subject in subjects
    ]
    for subject in subjects:
        observe(engine, METRIC, subject, {on + timedelta(days=10): figure})
    made = [rising(crossing.series_id, 1.0, 0.0) for crossing in crossings]
    named = [each.model_copy(update={"cutoff_date": on, "model": model}) for each in made]
    replace_forecasts(engine, on, named)
    replace_crossings(engine, on, crossings)
    replace_site_correction(engine, SiteCorrection(cutoff_date=on, shift=shift))


@pytest.mark.parametrize(("count", "is_corrected"), [(49, False), (50, True), (51, True)])
def test_outcomes_correct_from_so_many_limits_on(
    engine: Store, settings: Settings, count: int, is_corrected: bool
) -> None:
    state(engine, count)
    found = site_correction_of(settings, engine, DAY)
    assert (found.limit_count, found.case_count) == (count, count)
    assert (found.shift > 0) is is_corrected


@pytest.mark.parametrize(("figure", "sign"), [(9.0, -1), (12.0, 1)])
def test_what_came_raises(engine: Store, settings: Settings, figure: float, sign: int) -> None:
    state(engine, 60, figure=figure)
    shift = site_correction_of(settings, engine, DAY).shift
    assert (shift > 0) - (shift < 0) == sign


def test_a_downward_limit_is_passed_from_above(engine: Store, settings: Settings) -> None:
    state(engine, 60, figure=9.0, direction=Direction.downward)
    assert site_correction_of(settings, engine, DAY).shift > 0


@pytest.mark.parametrize(("days_after", "count"), [(29, 0), (30, 1), (31, 1), (59, 1), (60, 2)])
def test_an_outcome_is_known_when_its_days_are_over(
    engine: Store, settings: Settings, days_after: int, count: int
) -> None:
    state(engine, 1, probability_60_days=0.5)
    day = STATED + timedelta(days=days_after)
    assert site_correction_of(settings, engine, day).case_count == count


def test_nights_of_a_month_are_one_case_months_several(engine: Store, settings: Settings) -> None:
    for on in (STATED, STATED + timedelta(days=1), STATED + timedelta(days=30), date(2026, 8, 1)):
        state(engine, 3, on=on)
    found = site_correction_of(settings, engine, DAY)
    assert (found.limit_count, found.case_count) == (3, 6)


@pytest.mark.parametrize(
    "stated",
    [
        {"probability_30_days": 0.0},
        {"probability_30_days": 1.0},
        {"probability_30_days": None},
        {"state": CrossingState.breached},
        {"model": SAWTOOTH},
    ],
)
def test_what_stays_is_no_case(engine: Store, settings: Settings, stated: dict[str, Any]) -> None:
    state(engine, 1, **stated)
    assert site_correction_of(settings, engine, DAY).case_count == 0


def test_a_limit_without_a_measured_day_since_is_no_case(engine: Store, settings: Settings) -> None:
    state(engine, 1)
    stated = [
        crossing.model_copy(update={"series_id": LOG, "probability_30_days": 0.4})
        for crossing in read_crossings(engine, STATED)
    ]
    replace_crossings(engine, STATED, stated)
    replace_forecasts(
        engine, STATED, [rising(LOG, 1.0, 0.0).model_copy(update={"cutoff_date": STATED})]
    )
    assert site_correction_of(settings, engine, DAY).case_count == 0


def test_rolling_origins_are_no_cases(engine: Store, settings: Settings) -> None:
    state(engine, 1)
    origin = STATED - timedelta(days=30)
    stated = read_crossings(engine, STATED)
    moved = [each.model_copy(update={"cutoff_date": origin}) for each in stated]
    replace_hold_out(engine, origin, moved)
    assert site_correction_of(settings, engine, DAY).case_count == 1


def test_days_of_earlier_releases_are_no_cases(engine: Store, settings: Settings) -> None:
    state(engine, 1)
    earlier = date(2026, 6, 1)
    state(engine, 1, on=earlier)
    assert site_correction_of(settings, engine, DAY).case_count == 2
    stated = read_crossings(engine, earlier)
    replace_crossings(engine, earlier, [])
    moved = [each.model_copy(update={"cutoff_date": date(2026, 5, 1)}) for each in stated]
    replace_crossings(engine, date(2026, 5, 1), moved)
    assert site_correction_of(settings, engine, DAY).case_count == 1


def evaluated(engine: Store, settings: Settings) -> str:
    evaluate_rules(settings, engine, DAY)
    days = (
        FindingRow.site_date, CrossingRow.cutoff_date, SiteCorrectionRow.cutoff_date,
        PlanRow.site_date, LossRow.site_date, FeedDayRow.site_date,
    )  # fmt: skip
    with reading(engine) as connection:
        return str([
            sorted(map(str, connection.execute(select(day.class_).where(day == DAY)).mappings()))
            for day in days
        ])  # fmt: skip


@pytest.fixture
def rising_log(engine: Store) -> None:
    observe(engine, METRIC, "PLEX1/CSQ1", days(30, 0.5))
    wide = [(0.005 * ahead, 0.5 + 0.005 * ahead, 1 + 0.005 * ahead) for ahead in range(1, 181)]
    side = PastSide(recent=0.5, year=0.5, ever=0.5)
    past = Past(days=30, base=0.5, highest=side, lowest=side)
    replace_forecasts(engine, DAY, [forecast(lines=wide, cutoff_date=DAY, past=past)])


@pytest.mark.thorough
@pytest.mark.usefixtures("rising_log")
@pytest.mark.parametrize("count", [49, 50])
def test_probabilities_of_the_day_are_corrected_from_so_many_limits_on(
    engine: Store, settings: Settings, count: int
) -> None:
    is_corrected = count == 50
    before = crossings_of(settings, engine, DAY)[RULE]
    state(engine, count)
    evaluate_rules(settings, engine, DAY)
    key = (RULE, QUEUE_MANAGER)
    after = crossings_with_keys(engine, DAY, [key])[key]
    assert 0 < (before.probability_60_days or 0.0) < 1
    correction = find_site_correction(engine, DAY)
    assert correction is not None
    assert (correction.shift > 0) is is_corrected
    assert (after.probability_60_days != before.probability_60_days) is is_corrected


@pytest.mark.thorough
@pytest.mark.usefixtures("rising_log")
def test_a_day_replayed_after_later_ones_has_its_rows(engine: Store, settings: Settings) -> None:
    state(engine, 60)
    state(engine, 60, on=date(2026, 9, 20), figure=9.0, probability_30_days=0.6)
    first = evaluated(engine, settings)
    assert evaluated(engine, settings) == first
    correction = find_site_correction(engine, DAY)
    assert correction is not None
    assert (correction.case_count, correction.shift > 0) == (60, True)
    later = DAY + timedelta(days=5)
    state(engine, 80, on=later, figure=9.0, probability_30_days=0.9)
    observe(engine, METRIC, "PLEX1/Q001", {DAY + timedelta(days=1): 99.0})
    replace_site_correction(engine, SiteCorrection(cutoff_date=later, shift=-0.3))
    assert site_correction_of(settings, engine, later + timedelta(days=30)).case_count > 60
    assert evaluated(engine, settings) == first
