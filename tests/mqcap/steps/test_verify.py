from datetime import timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import ForecastBasis
from mqcap.settings import Settings, load_settings
from mqcap.steps.verify import accuracy_lines, matured_scores, score
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.scores import reliability
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from sizing.rulebook.registry import all_rules
from tests.factories import (
    DAY,
    LOG_METRIC,
    NOON,
    console_state,
    crossing,
    forecast,
    observation,
    series_facts,
    step_run,
)


def later(days: int, engine: Store, peak: float) -> None:
    day = DAY + timedelta(days=days)
    replace_observations(engine, [day], [observation(day=day, peak=peak)], {day: "x"})


@pytest.mark.thorough
def test_a_probability_is_scored_when_its_days_are_over(engine: Store) -> None:
    upsert_series(engine, [series_facts()])
    replace_crossings(engine, DAY, [crossing(probability_30_days=0.7)])
    replace_forecasts(engine, DAY, [forecast()])
    later(2, engine, 0.6)
    assert score(Settings(), engine, DAY + timedelta(days=29))["probabilities"] == 0
    counts = score(Settings(), engine, DAY + timedelta(days=30))
    assert counts == {"forecasts": 1, "probabilities": 1}
    assert score(Settings(), engine, DAY + timedelta(days=31)) == counts
    lines = accuracy_lines(load_settings(), engine, DAY + timedelta(days=31))
    assert lines[0].startswith(
        f"Live: {LOG_METRIC} peak: 0 % of 1 days in the 80 % prediction interval"
    )
    assert lines[1] == "Live: within 30 days: stated 70 %, came true 100 % of 1"


def test_what_was_made_later_is_scored_apart(engine: Store) -> None:
    """A day evaluated four days late, and a rolling origin."""
    upsert_series(engine, [series_facts()])
    origin = DAY - timedelta(days=1)
    replace_crossings(engine, DAY, [crossing(probability_30_days=0.7)])
    replace_forecasts(engine, DAY, [forecast()])
    replace_hold_out(engine, origin, [crossing(cutoff_date=origin, probability_30_days=0.2)])
    late = step_run(step="size", site_date=DAY, ended_at_utc=NOON + timedelta(days=4))
    save_step_run(engine, late)
    later(2, engine, 0.6)
    over = DAY + timedelta(days=30)
    assert score(Settings(), engine, over)["probabilities"] == 2
    found = [(row.basis, row.stated) for row in reliability(engine, origin, over)]
    assert found == [(ForecastBasis.hold_out, 0.2), (ForecastBasis.hold_out, 0.7)]
    lines = accuracy_lines(load_settings(), engine, over)
    assert lines[0].startswith(f"Hold-out: {LOG_METRIC} peak: 0 % of 1 days")
    assert lines[-2].startswith("Hold-out: within 30 days: stated 20 %")


@pytest.mark.parametrize(("days", "horizons"), [(29, []), (30, [30]), (59, [30]), (60, [30, 60])])
def test_probabilities_are_scored_when_over(engine: Store, days: int, horizons: list[int]) -> None:
    upsert_series(engine, [series_facts()])
    later(2, engine, 0.6)
    stated = [crossing(probability_30_days=0.2, probability_60_days=0.4)]
    over = DAY + timedelta(days=days)
    scores = list(matured_scores(engine, stated, over, ForecastBasis.hold_out))
    assert [one.horizon_days for one in scores] == horizons
    assert {one.basis for one in scores} <= {ForecastBasis.hold_out}


def test_a_limit_already_in_breach_is_not_scored(engine: Store) -> None:
    upsert_series(engine, [series_facts()])
    over = crossing(probability_30_days=1.0, state=CrossingState.breached)
    replace_crossings(engine, DAY, [over])
    later(2, engine, 0.6)
    assert score(Settings(), engine, DAY + timedelta(days=30))["probabilities"] == 0


def test_without_scores_there_is_one_line_that_says_so_after_what_happened(engine: Store) -> None:
    none = "no forecast has been verified yet: none is older than its first observed day"
    assert accuracy_lines(load_settings(), engine, DAY) == [none]
    replace_states(engine, [DAY], [console_state()])
    first, *_ = accuracy_lines(load_settings(), engine, DAY)
    assert first.startswith("1 event on the console without")


@pytest.mark.parametrize(("rule", "came"), [("LOG-FILL-30MIN", False), ("SCM-90", True)])
def test_an_event_counts_as_strictly_as_its_rule(engine: Store, rule: str, came: bool) -> None:
    facts = all_rules()[rule]
    assert facts.strict is not came
    limit = 0.6
    replace_crossings(
        engine, DAY, [crossing(rule_id=rule, limit_value=limit, probability_30_days=0.5)]
    )
    later(2, engine, limit)
    over = DAY + timedelta(days=30)
    score(Settings(), engine, over)
    assert [item.came for item in reliability(engine, DAY, over)] == [float(came)]
    assert reliability(engine, DAY, over - timedelta(days=1)) == []
