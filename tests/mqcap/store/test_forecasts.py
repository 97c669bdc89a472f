from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text

from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.score import SiteCorrection, StatedOutcome
from mqcap.store.crossings import (
    crossing_of_finding,
    crossings_with_keys,
    expected_before,
    find_site_correction,
    matured_outcomes,
    origin_dates,
    read_crossings,
    replace_crossings,
    replace_site_correction,
)
from mqcap.store.fetch import fetch_values
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import (
    find_forecast,
    forecasts_with_keys,
    read_forecasts,
    replace_data_notes,
    replace_forecasts,
)
from mqcap.store.observations import replace_observations
from mqcap.store.problems import problem_progress, replace_problems
from mqcap.store.series import upsert_series
from tests.factories import (
    DAY,
    crossing,
    driver_effect,
    finding,
    forecast,
    mix,
    observation,
    problem_day,
    series_facts,
)

NEXT_DAY = DAY + timedelta(days=1)
ID = forecast().series_id


def point(ahead: int, expected: float) -> ForecastPoint:
    day = DAY + timedelta(days=ahead)
    return ForecastPoint(day, expected, expected - 0.5, expected + 0.5)


def change(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement))


def found(engine: Engine, statistic: Statistic = Statistic.peak) -> Forecast:
    stored = find_forecast(engine, ID, statistic, DAY)
    assert stored is not None
    return stored


def test_many_forecasts_come_back_in_order_with_their_points(engine: Engine) -> None:
    many = [forecast(f"PLEX1/Q{number:03}") for number in range(20)]
    refused = forecast("PLEX1/QZZZ", points=(), refusal="12 days of data; at least 60 are needed")
    assert replace_forecasts(engine, DAY, iter([refused, *many])) == 40
    assert read_forecasts(engine, DAY) == [*many, refused]


def test_a_forecast_is_found_by_series_statistic_and_cutoff(engine: Engine) -> None:
    mean = forecast(statistic=Statistic.mean, model="sawtooth")
    replace_forecasts(engine, DAY, [forecast(), mean])
    assert find_forecast(engine, ID, Statistic.peak, DAY) == forecast()
    assert find_forecast(engine, ID, Statistic.mean, DAY) == mean
    assert find_forecast(engine, ID, Statistic.p95, DAY) is None
    assert find_forecast(engine, ID, Statistic.peak, NEXT_DAY) is None
    assert find_forecast(engine, "none", Statistic.peak, DAY) is None


def test_days_after_the_horizon_are_packed_and_come_back_with_their_dates(engine: Engine) -> None:
    ahead = (point(3, 2.0), point(4, 2.25))
    replace_forecasts(engine, DAY, [forecast(horizon_days=2, after_horizon=ahead)])
    assert found(engine).after_horizon == ahead
    assert [(day.site_date - DAY).days for day in found(engine).every_day] == [1, 2, 3, 4]
    with engine.connect() as connection:
        packed = connection.scalar(text("SELECT CAST(beyond AS TEXT) FROM forecast"))
    assert packed == "[[2.0, 1.5, 2.5], [2.25, 1.75, 2.75]]"


def test_what_an_older_release_wrote_is_read_as_todays(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(after_horizon=(point(3, 2.0),))])
    change(engine, "UPDATE forecast SET beyond = NULL")
    assert found(engine) == forecast()
    change(engine, "UPDATE forecast SET model = 'ratchet'")
    assert found(engine).model == "sawtooth"


def test_driver_and_candidates_come_back_and_other_forecasts_have_none(engine: Engine) -> None:
    other = forecast("PLEX1/CSQ2")
    made = forecast(driver=driver_effect(), mix=mix(0.7, 0.3))
    replace_forecasts(engine, DAY, [made, other])
    assert found(engine) == made
    assert read_forecasts(engine, DAY)[1] == other


def test_notes_on_data_replace_those_of_the_cutoff_date(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(), forecast(statistic=Statistic.mean)])
    replace_forecasts(engine, NEXT_DAY, [forecast(cutoff_date=NEXT_DAY, data_note="kept")])
    peak, mean = (ID, Statistic.peak), (ID, Statistic.mean)
    assert replace_data_notes(engine, DAY, {peak: "2 days lack records", mean: "1 day"}) == 2
    assert found(engine).data_note == "2 days lack records"
    assert replace_data_notes(engine, DAY, {mean: "1 day"}) == 1
    assert found(engine).data_note is None
    assert found(engine, Statistic.mean).data_note == "1 day"
    assert read_forecasts(engine, NEXT_DAY)[0].data_note == "kept"


def test_forecasts_are_found_by_many_series_and_statistics(engine: Engine) -> None:
    mean = forecast(statistic=Statistic.mean, model="sawtooth")
    replace_forecasts(engine, DAY, [forecast(), mean, forecast(series_id="other")])
    key = (ID, Statistic.peak)
    assert forecasts_with_keys(engine, DAY, [key, ("none", Statistic.peak)]) == {key: forecast()}
    assert forecasts_with_keys(engine, NEXT_DAY, [key]) == {}


def test_crossings_come_back_by_rule_and_subject(engine: Engine) -> None:
    refused = crossing(
        "PLEX1/CSQ2", state=CrossingState.unknown, reason="12 days of data; at least 60 are needed",
        earliest_date=None, expected_date=None, latest_date=None,
    )  # fmt: skip
    likely = crossing(probability_30_days=0.4, probability_365_days=0.99)
    assert replace_crossings(engine, DAY, [refused, likely]) == 2
    assert read_crossings(engine, DAY) == [likely, refused]
    assert read_crossings(engine, NEXT_DAY) == []


def test_replacing_crossings_makes_the_problems_of_the_day_invalid(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    replace_problems(engine, DAY, [problem_day()])
    replace_crossings(engine, NEXT_DAY, [])
    assert problem_progress(engine, DAY) == (DAY, ())
    replace_crossings(engine, DAY, [])
    assert problem_progress(engine, DAY) == (None, (DAY,))


def test_the_crossing_of_a_finding_is_that_of_its_rule_subject_and_day(engine: Engine) -> None:
    replace_crossings(engine, DAY, [crossing()])
    assert crossing_of_finding(engine, finding()) == crossing()
    assert crossing_of_finding(engine, finding(site_date=NEXT_DAY)) is None
    assert crossing_of_finding(engine, finding(rule_id="LOG-MAXARCH")) is None
    assert crossing_of_finding(engine, finding(subject="PLEX1/CSQ2")) is None


@pytest.mark.parametrize(
    ("stated", "expected", "counts"),
    [(-1, 0, True), (0, 5, False), (-9, -3, True), (-9, -4, False)],
)
def test_a_limit_was_expected_by_days_before_it_was_passed_and_not_much_too_early(
    engine: Engine, stated: int, expected: int, counts: bool
) -> None:
    made = crossing(
        cutoff_date=DAY + timedelta(days=stated), expected_date=DAY + timedelta(days=expected)
    )
    replace_crossings(engine, made.cutoff_date, [made])
    found, other = (
        expected_before(engine, made.rule_id, subject, DAY, timedelta(days=3))
        for subject in (made.subject, "PLEX1/CSQ2")
    )
    assert (found, other) == ([made] if counts else [], [])


def test_crossings_are_found_by_many_rules_and_subjects(engine: Engine) -> None:
    other = crossing("PLEX1/CF01", rule_id="CF-BUSY-1")
    replace_crossings(engine, DAY, [crossing(), crossing("PLEX1/CSQ2"), other])
    keys = [(each.rule_id, each.subject) for each in (crossing(), other)]
    found = crossings_with_keys(engine, DAY, [*keys, ("CF-BUSY-1", "PLEX1/CSQ2")])
    assert found == dict(zip(keys, (crossing(), other), strict=True))
    assert crossings_with_keys(engine, NEXT_DAY, keys) == {}


LATER = DAY + timedelta(days=30)


def test_the_last_correction_of_a_day_is_the_stored_one(engine: Engine) -> None:
    assert find_site_correction(engine, DAY) is None
    for shift in (0.1, -0.2):
        made = SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=50, case_count=70)
        replace_site_correction(engine, made)
        assert find_site_correction(engine, DAY) == made
    assert find_site_correction(engine, LATER) is None


def test_the_first_evaluated_day_of_each_month_is_an_origin(engine: Engine) -> None:
    days = [DAY + timedelta(days=number) for number in (-40, -39, 0, 1, 2, 29)]
    for day in days:
        replace_site_correction(engine, SiteCorrection(cutoff_date=day))
    found = fetch_values(engine, origin_dates(DAY + timedelta(days=90)))
    assert sorted(found) == [min(days), DAY]


@pytest.mark.parametrize(("direction", "furthest"), [("upward", 7.0), ("downward", 3.0)])
def test_a_matured_probability_has_the_figure_furthest_towards_its_limit(
    engine: Engine, direction: str, furthest: float
) -> None:
    stated = crossing(direction=Direction(direction), probability_30_days=0.3)
    upsert_series(engine, [series_facts(series_id=stated.series_id)])
    measured = {DAY: 9.0, DAY + timedelta(days=1): 3.0, LATER: 7.0, LATER + timedelta(days=1): 1.0}
    key: dict[str, Any] = {"series_id": stated.series_id}
    rows = [
        observation(**key, site_date=day, peak=value, p95=value, mean=value)
        for day, value in measured.items()
    ]
    replace_observations(engine, measured, rows, {})
    replace_forecasts(engine, DAY, [forecast(**key, statistic=stated.statistic)])
    replace_crossings(engine, DAY, [stated])
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY, shift=0.1))
    asked = []

    def has_passed(*about: object) -> bool:
        asked.append(about)
        return True

    limit = (stated.rule_id, stated.subject)
    assert [*matured_outcomes(engine, LATER, has_passed)] == [StatedOutcome(limit, 0.3, 0.1, True)]
    assert asked == [(stated.rule_id, furthest, stated.limit_value, stated.direction)]
    assert [*matured_outcomes(engine, LATER - timedelta(days=1), has_passed)] == []
