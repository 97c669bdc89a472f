from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import Statistic, series_id
from mqcap.store import scores
from mqcap.store.annotations import (
    annotations_of,
    annotations_on,
    delete_scenario,
    read_scenarios,
    save_annotation,
    save_scenario,
)
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests import factories
from tests.factories import (
    DAY,
    LOG_METRIC,
    NOON,
    annotation,
    forecast,
    observation,
    scenario,
    series_facts,
)

ID = series_id(LOG_METRIC, "PLEX1/CSQ1")
LATER = DAY + timedelta(days=30)
ONE_DAY = timedelta(days=1)


def measured(engine: Engine, *peaks: float) -> None:
    upsert_series(engine, [series_facts()])
    for ahead, peak in enumerate(peaks, 1):
        day = DAY + timedelta(days=ahead)
        replace_observations(engine, [day], [observation(day=day, peak=peak)], {day: "x"})


def test_a_forecast_is_held_against_the_days_measured_since_and_needs_one(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(smape_pct=9.0, coverage_ratio=0.75)])
    assert scores.score_forecasts(engine, DAY, DAY + timedelta(days=9)) == []
    measured(engine, 1.6, 4.0)
    (result,) = scores.score_forecasts(engine, DAY, DAY + timedelta(days=9))
    assert (result.scored_days, result.inside_days) == (2, 1)
    assert result.scored_to == DAY + timedelta(days=2)
    assert result.mean_error == pytest.approx(1.2)
    assert result.smape_pct == pytest.approx(200 * 2.4 / 5.6 / 2)
    assert (result.backtest_smape_pct, result.backtest_coverage_ratio) == (9.0, 0.75)


def test_classes_are_weighted_by_their_days(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2")])
    longer = factories.forecast_score("PLEX1/CSQ2", scored_days=30, inside_days=12, smape_pct=22.5)
    scores.save_scores(engine, [factories.forecast_score(), longer], [])
    (result,) = scores.class_scores(engine, scores.scores_as_of(engine, DAY, LATER))
    assert (result.metric, result.forecast_count, result.scored_days) == (LOG_METRIC, 2, 40)
    assert result.coverage_ratio == pytest.approx(0.5)
    assert result.smape_pct == pytest.approx(20.0)
    none = scores.scores_as_of(engine, DAY + timedelta(days=1), LATER)
    assert scores.class_scores(engine, none) == []


def test_forecasts_made_in_time_and_made_later_are_never_added_up(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    later = DAY - timedelta(days=1)
    kept = (
        factories.forecast_score(cutoff_date=day, scored_days=10, inside_days=inside)
        for day, inside in ((DAY, 9), (later, 5))
    )
    scores.save_scores(engine, kept, [])
    scored = scores.scores_as_of(engine, later, LATER)
    for apart, expected in (
        ({later}, [("live", 0.9), ("hold_out", 0.5)]),
        (set(), [("live", 0.7)]),
        ({DAY, later}, [("hold_out", 0.7)]),
    ):
        found = scores.class_scores_by_basis(engine, scored, apart)
        assert [(each.basis, each.coverage_ratio) for each in found] == expected


def test_what_is_measured_later_changes_no_score_of_a_past_day(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(lines=[(1.1, 1.6, 2.3)] * 4)])
    measured(engine, 1.6, 4.0)
    past = DAY + timedelta(days=2)
    scores.save_scores(engine, scores.score_forecasts(engine, DAY, past), [])
    then = scores.class_scores(engine, scores.scores_as_of(engine, DAY, past))
    measured(engine, 1.6, 4.0, 4.0, 4.0)
    newest = scores.score_forecasts(engine, DAY, LATER)
    scores.save_scores(engine, newest, [])
    assert [item.scored_days for item in then] + [item.scored_days for item in newest] == [2, 4]
    assert scores.class_scores(engine, scores.scores_as_of(engine, DAY, past)) == then
    assert scores.class_scores(engine, scores.computed_scores(DAY, past)) == then
    scores.save_scores(engine, scores.score_forecasts(engine, DAY, past), [])
    kept = scores.class_scores(engine, scores.scores_as_of(engine, DAY, LATER))
    assert [item.scored_days for item in kept] == [4]


def test_stated_probabilities_meet_what_came(engine: Engine) -> None:
    promises = [
        factories.crossing_score(f"PLEX1/S{index}", probability=probability, came=came)
        for index, (probability, came) in enumerate([(0.71, True), (0.79, False), (1.0, True)])
    ]
    scores.save_scores(engine, [], promises)
    seven, nine = scores.reliability(engine, DAY, LATER)
    assert scores.reliability(engine, DAY, LATER - timedelta(days=1)) == []
    assert (seven.count, seven.came) == (2, 0.5)
    assert seven.stated == pytest.approx(0.75)
    assert (nine.count, nine.stated, nine.came) == (1, 1.0, 1.0)


def test_the_recent_accuracy_takes_forecasts_made_a_week_before(engine: Engine) -> None:
    cutoff = DAY - timedelta(days=6)
    made = forecast(lines=[(1.1, 1.6, 2.3)] * 11, cutoff_date=cutoff)
    replace_forecasts(engine, cutoff, [made])
    measured(engine, 1.6, 4.0, 1.7)
    recent_accuracy = scores.recent_accuracy(engine, ID, Statistic.peak, DAY + timedelta(days=3))
    assert recent_accuracy is not None
    assert str(recent_accuracy) == "2 of the last 3 inside the interval"
    assert scores.recent_accuracy(engine, ID, Statistic.p95, DAY) is None


def test_without_a_score_nothing_is_verified(engine: Engine) -> None:
    stored = scores.scores_as_of(engine, DAY, LATER)
    assert scores.scored_to(engine) is None
    assert scores.class_scores(engine, stored) == []
    assert scores.reliability(engine, DAY, LATER) == []


def test_probabilities_are_grouped_by_horizon(engine: Engine) -> None:
    promises = (
        factories.crossing_score(horizon_days=days, probability=0.05, came=came)
        for days, came in ((30, False), (60, True))
    )
    scores.save_scores(engine, [], promises)
    assert [row.horizon_days for row in scores.reliability(engine, DAY, LATER)] == [30]
    both = scores.reliability(engine, DAY, DAY + timedelta(days=60))
    assert [(row.horizon_days, row.came) for row in both] == [(30, 0.0), (60, 1.0)]
    assert scores.reliability(engine, DAY + timedelta(days=1), DAY + timedelta(days=60)) == []


def test_recent_accuracy_uses_the_newest_forecast_made_early_enough(engine: Engine) -> None:
    day = DAY + timedelta(days=20)
    for back, inside in ((15, False), (8, True), (3, False)):
        cutoff = day - timedelta(days=back)
        line = (1.1, 1.6, 2.3) if inside else (7.0, 8.0, 9.0)
        replace_forecasts(engine, cutoff, [forecast(lines=[line] * back, cutoff_date=cutoff)])
    replace_observations(engine, [day], [observation(day=day, peak=1.6)], {})
    recent_accuracy = scores.recent_accuracy(engine, ID, Statistic.peak, day)
    assert recent_accuracy is not None
    assert tuple(dict(recent_accuracy).values()) == (1, 1, 7)


def test_all_times_ahead_of_a_rule_are_summed_up_by_basis(engine: Engine) -> None:
    apart: dict[str, Any] = {"came": False, "basis": ForecastBasis.hold_out}
    kept = [
        factories.crossing_score(probability=0.7, came=True),
        factories.crossing_score(probability=0.1, came=False, horizon_days=60),
        factories.crossing_score("PLEX1/CSQ2", probability=0.2, **apart),
    ]
    scores.save_scores(engine, [], kept)
    live, held_out = scores.rule_reliability(engine, DAY, DAY + timedelta(days=60))
    assert (live.rule_id, live.basis, live.count) == ("LOG-FILL-30MIN", ForecastBasis.live, 2)
    assert live.stated == pytest.approx(0.4)
    assert live.came == 0.5
    assert (held_out.basis, held_out.count) == (ForecastBasis.hold_out, 1)


@pytest.mark.parametrize(("days", "count"), [(29, 0), (30, 1), (31, 1)])
def test_probabilities_count_once_their_time_is_over(engine: Engine, days: int, count: int) -> None:
    scores.save_scores(engine, [], [factories.crossing_score()])
    assert len(scores.rule_reliability(engine, DAY, DAY + days * ONE_DAY)) == count
    assert scores.rule_reliability(engine, DAY + ONE_DAY, DAY + days * ONE_DAY) == []


def test_the_same_note_of_a_person_is_stored_once_with_its_first_instant(engine: Engine) -> None:
    save_annotation(engine, annotation())
    save_annotation(engine, annotation(noted_at_utc=NOON + ONE_DAY))
    assert annotations_of(engine, "PLEX1/CSQ1") == [annotation()]
    others = (
        {"who": "ben"}, {"note": "Old logs."}, {"rule_id": "LOG-FILL-30MIN"},
        {"last_date": DAY + ONE_DAY},
    )  # fmt: skip
    for changed in others:
        save_annotation(engine, annotation(**changed))
    assert len(annotations_of(engine, "PLEX1/CSQ1")) == 1 + len(others)


def test_notes_of_a_subject_include_those_of_what_it_is_a_part_of(engine: Engine) -> None:
    sysplex = annotation(subject="PLEX1", first_date=DAY - ONE_DAY, note="Weekend test.")
    for note in (annotation(), sysplex, annotation(subject="PLEX1/CSQ1/PSID04")):
        save_annotation(engine, note)
    save_annotation(engine, annotation(subject="PLEX1/CSQ2"))
    assert annotations_of(engine, "PLEX1/CSQ1") == [sysplex, annotation()]
    assert annotations_of(engine, "PLEX1") == [sysplex]
    assert len(annotations_of(engine, "PLEX1/CSQ1/PSID04")) == 3


def test_notes_on_a_day_are_those_whose_days_include_it_not_later_ones(engine: Engine) -> None:
    long = annotation(subject="PLEX1", first_date=DAY - ONE_DAY, last_date=DAY + ONE_DAY)
    later = annotation(first_date=DAY + ONE_DAY, last_date=DAY + ONE_DAY)
    for note in (annotation(), later, long):
        save_annotation(engine, note)
    assert annotations_on(engine, DAY) == [long, annotation()]
    assert annotations_on(engine, DAY + ONE_DAY) == [long, later]
    assert annotations_on(engine, DAY + 2 * ONE_DAY) == []
    assert annotations_of(engine, "PLEX1/CSQ1", DAY) == [long, annotation()]
    assert annotations_of(engine, "PLEX1/CSQ1", DAY + ONE_DAY) == [long, annotation(), later]


def test_scenarios_are_read_by_name_and_one_replaces_another_of_its_name(engine: Engine) -> None:
    other = scenario(name="less load", subject="PLEX1/CSQ2")
    changed = scenario(parameters={"logs": "80"}, who="ben")
    for saved in (scenario(), other, changed):
        save_scenario(engine, saved)
    assert read_scenarios(engine) == [other, changed]
    assert [delete_scenario(engine, scenario().name) for _ in range(2)] == [True, False]
    assert read_scenarios(engine) == [other]
