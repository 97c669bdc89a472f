"""Scenarios compared with the day as it is."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import judge_facts
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from mqcap.whatif.comparison import Baseline, RuleOutcome, WhatIfResult, baseline_on
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    new_store,
    observe,
    rising,
    settings_of,
)

pytestmark = pytest.mark.thorough

CF = "PLEX1/CF01"
CHINIT = f"{QUEUE_MANAGER}/CHINIT"
FILL = "LOG-FILL-30MIN"


def filled(folder: Path) -> Store:
    made = new_store(folder)
    observe(made, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 0.8))
    observe(made, "cf_busy_pct", CF, days(5, 40.0), kind=SubjectKind.coupling_facility, unit="%")
    chinit = {"kind": SubjectKind.channel_initiator}
    observe(made, "channels_current_count", CHINIT, days(5, 500.0), unit="count", **chinit)
    observe(made, "channels_current_limit_count", CHINIT, days(5, 900.0), unit="count", **chinit)
    observe(made, "chinit_31bit_used_mib", CHINIT, days(5, 700.0), unit="MiB", **chinit)
    observe(made, "chinit_31bit_used_pct", CHINIT, days(5, 70.0), unit="%", **chinit)
    replace_forecasts(made, DAY, [rising(LOG, 0.8, 0.001)])
    return made


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Baseline:
    """What tests share that store nothing further."""
    folder = tmp_path_factory.mktemp("comparison")
    return anew(filled(folder), folder)


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    """A store of the same day for a test that stores more."""
    return filled(tmp_path)


def anew(engine: Store, folder: Path) -> Baseline:
    return baseline_on(settings_of(folder), engine, DAY)


def answer(day: Baseline, **scenario: Any) -> WhatIfResult:
    return day.compare(Scenario.model_validate(scenario))


def outcomes(
    given: WhatIfResult, rule: str = FILL
) -> tuple[RuleOutcome | None, list[RuleOutcome | None]]:
    [item] = [difference for difference in given.differences if difference.rule_id == rule]
    return item.before, list(item.after)


def changed(given: WhatIfResult, rule: str = FILL) -> tuple[RuleOutcome, RuleOutcome]:
    before, after = outcomes(given, rule)
    assert before is not None
    assert after[0] is not None
    return before, after[0]


GROWTH = {"subjects": [QUEUE_MANAGER], "pct": 50}


def test_an_empty_scenario_gives_the_identical_result(day: Baseline) -> None:
    assert judge_facts(overlay(day.facts, Scenario()).facts) == judge_facts(day.facts)
    given = answer(day)
    assert given.differences == ()
    assert given.unchanged_count == len(judge_facts(day.facts))


def test_growth_takes_headroom_and_brings_the_breach(day: Baseline) -> None:
    before, after = changed(answer(day, growth=[GROWTH]))
    assert (before.severity, after.severity) == (Severity.watch, Severity.act)
    assert after.observed == pytest.approx(2_048 / 1.2 / 60)
    assert after.state is CrossingState.breached


def test_a_future_scenario_dates_the_crossing_from_its_start(day: Baseline) -> None:
    start = DAY + timedelta(days=40)
    before, after = changed(answer(day, start=start, growth=[GROWTH]))
    assert before.state is CrossingState.not_within_horizon
    assert before.expected_date is None
    assert after.expected_date == start


def test_a_crossing_before_the_start_stays(engine: Store, tmp_path: Path) -> None:
    replace_forecasts(engine, DAY, [rising(LOG, 0.8, 0.02)])
    start = DAY + timedelta(days=90)
    before, after = changed(answer(anew(engine, tmp_path), start=start, growth=[GROWTH]))
    assert after.expected_date == before.expected_date
    assert after.expected_date is not None
    assert after.expected_date < start


@pytest.mark.parametrize(
    ("part", "rule"),
    [
        ({"subject": QUEUE_MANAGER, "active_log_size_mib": 4_000}, FILL),
        ({"subject": CHINIT, "memlimit_gib": 4}, "CHI-80-64BIT"),
    ],
)
def test_a_change_of_a_limit_or_of_a_size_counts_alike_from_a_start_to_come(
    engine: Store, tmp_path: Path, part: dict[str, Any], rule: str
) -> None:
    """Both pass their limit before the start as it is; in force, neither does."""
    chinit = {"kind": SubjectKind.channel_initiator}
    for metric, value, unit in (("pct", 75.0, "%"), ("mib", 1_536.0, "MiB")):
        observe(engine, f"chinit_64bit_used_{metric}", CHINIT, days(30, value), unit=unit, **chinit)
    storage = f"chinit_64bit_used_pct/{CHINIT}"
    replace_forecasts(engine, DAY, [rising(LOG, 0.8, 0.012), rising(storage, 75.0, 0.2)])
    start = DAY + timedelta(days=60)
    now, later = (
        changed(
            answer(
                baseline_on(settings_of(tmp_path), engine, DAY), start=first, configuration=[part]
            ),
            rule,
        )
        for first in (None, start)
    )
    assert now[0].severity.rank >= Severity.watch.rank
    assert [each.severity for each in (now[1], later[1])] == [Severity.ok, Severity.ok]
    assert later[1].headroom_ratio == now[1].headroom_ratio
    assert later[1].bound is not None
    assert later[0].bound is not None
    assert later[0].bound.limit_from == start
    assert later[1].bound.limit_from != start


def test_added_log_load_counts_in_every_rule_of_the_log(day: Baseline) -> None:
    given = answer(day, workload=[{"subject": QUEUE_MANAGER, "log_mib_per_s": 0.2}])
    found = {difference.rule_id for difference in given.differences}
    assert found == {FILL, "LOG-RUNWAY-12H", "LOG-DAY-ACTIVE", "LOG-RATE-MBH"}
    assert changed(given)[1].observed == pytest.approx(2_048 / 1.0 / 60)


def test_an_engine_less_changes_the_rule_that_applies(day: Baseline) -> None:
    given = answer(day, configuration=[{"subject": CF, "engines": 1}])
    before, after = outcomes(given, "CF-BUSY-1")
    assert before is None
    assert after[0] is not None
    assert after[0].observed == 80.0
    assert outcomes(given, "CF-BUSY-N")[1] == [None]


def test_a_percentage_above_100_is_what_is_needed(day: Baseline) -> None:
    given = answer(day, workload=[{"subject": CF, "cf_busy_points": 90}])
    assert changed(given, "CF-BUSY-N")[1].observed == 130.0


def test_what_is_available_stays_when_the_use_of_it_doubles(day: Baseline) -> None:
    growth = {"subjects": [CHINIT], "pct": 100}
    storage = changed(answer(day, growth=[growth]), "CHI-80-31BIT")[1]
    assert storage.observed == 105.0, "the base, at most the lowest mean of 35 %, does not grow"
    assert any("= 1,000 MiB" in line for line in storage.arithmetic)


def test_ranges_are_evaluated_at_every_corner(day: Baseline) -> None:
    given = answer(
        day,
        growth=[GROWTH | {"pct": (10, 50)}],
        configuration=[{"subject": QUEUE_MANAGER, "active_log_size_mib": (2_048, 4_000)}],
    )
    after = outcomes(given)[1]
    ratios = sorted(round(item.headroom_ratio or 0, 2) for item in after if item)
    assert ratios == [-0.05, 0.29, 0.85, 1.53]


def test_limits_and_numbers_of_engines_do_not_grow(day: Baseline) -> None:
    growth = {"subjects": ["*"], "pct": 100}
    world = overlay(day.facts, Scenario.model_validate({"growth": [growth]})).facts
    limits = world.observed.days("channels_current_limit_count", CHINIT)
    assert {limit.peak for limit in limits} == {900.0}


def test_a_setting_that_the_estate_does_not_hold_can_be_given(
    engine: Store, tmp_path: Path
) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX2/CSQ7", days(5, 0.5))
    change = {"subject": "PLEX2/CSQ7", "active_log_size_mib": 2_000, "active_logs": 4}
    given = answer(anew(engine, tmp_path), configuration=[change])
    [item] = [difference for difference in given.differences if difference.rule_id == FILL]
    assert item.subject == "PLEX2/CSQ7"
    assert item.before is not None
    assert item.before.severity is Severity.unknown
    assert item.after[0] is not None
    assert item.after[0].severity is Severity.ok
