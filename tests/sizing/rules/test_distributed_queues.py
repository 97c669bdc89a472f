"""Queue files, and survival of queues without a consumer."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction
from mqcap.settings import load_settings
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules
from sizing.rules.distributed_queues import AWAY_MIN, LONGEST_MIN
from tests.sizing.builders import RULES, finding

SETTINGS = load_settings()
OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
DEPTH = {"usual_depth": 200, "max_depth": 5_000, "away_min": 10}
FILE = {"usual_mib": 20, "max_mib": 620, "away_min": 10}
SURVIVAL = {"DST-SURVIVE": DEPTH, "DST-SURVIVE-FILE": FILE}
RATES = {"DST-SURVIVE": ("put_per_s", 8.0), "DST-SURVIVE-FILE": ("put_mib_per_s", 1.0)}


@pytest.mark.parametrize(
    ("used_pct", "severity"),
    [(69.9, OK), (70.1, WATCH), (79.9, WATCH), (80.1, ACT), (99.9, ACT), (100, ACT), (100.1, ACT)],
)
def test_a_queue_file_warns_before_its_limit(used_pct: float, severity: Severity) -> None:
    rule, policy = all_rules()["DST-QFILE"], SETTINGS.grade_policy("DST-QFILE")
    assessment = rule.assess(rule.inputs.model_validate({"used_pct": used_pct}))
    assert severity_of(assessment, rule.traits, policy) is severity
    assert ("MAXFSIZE" in assessment.advice) is (used_pct >= 100)


@pytest.mark.parametrize("rule_id", SURVIVAL)
@pytest.mark.parametrize(("factor", "minutes"), [(0.5, 20.0), (1.0, 10.0), (2.0, 5.0)])
def test_the_minutes_are_the_room_over_the_rate(
    rule_id: str, factor: float, minutes: float
) -> None:
    name, rate = RATES[rule_id]
    made = finding(rule_id, **SURVIVAL[rule_id], **{name: rate * factor})
    assert made.observed == pytest.approx(minutes)
    assert (made.unit, made.direction) == ("min", Direction.downward)
    assert made.breach is (minutes < 10)
    assert made.severity is (WATCH if made.breach else OK) or minutes == 10
    assert made.series_limit == pytest.approx(rate)


@pytest.mark.parametrize("rule_id", SURVIVAL)
def test_very_long_times_count_as_a_week(rule_id: str) -> None:
    name, rate = RATES[rule_id]
    made = finding(rule_id, **SURVIVAL[rule_id], **{name: rate / 1e6})
    assert made.observed == LONGEST_MIN == 7 * 24 * 60
    longer = {**SURVIVAL[rule_id], "away_min": LONGEST_MIN}
    assert finding(rule_id, **longer, **{name: rate / 1e6}).observed == 2 * LONGEST_MIN


@pytest.mark.parametrize("rule_id", SURVIVAL)
def test_a_queue_into_which_nothing_is_put_has_no_such_time(rule_id: str) -> None:
    name, rate = RATES[rule_id]
    known = {key: value for key, value in SURVIVAL[rule_id].items() if key != "away_min"}
    rule = RULES[rule_id]
    assert rule.applies_to({**known, name: rate})
    assert not rule.applies_to({**known, name: 0.0})
    assert not rule.applies_to(known)
    assert not rule.applies_to({name: rate})


@pytest.mark.parametrize("rule_id", SURVIVAL)
def test_without_minutes_of_the_site_ours_are_used(rule_id: str) -> None:
    known = {key: value for key, value in SURVIVAL[rule_id].items() if key != "away_min"}
    name, rate = RATES[rule_id]
    assert finding(rule_id, **known, **{name: rate}).limit_value == AWAY_MIN


def test_times_are_not_dated_and_yield_to_the_level_of_the_queue() -> None:
    assert {rule_id: RULES[rule_id].traits.superseded_by for rule_id in SURVIVAL} == {
        "DST-SURVIVE": "DST-DEPTH",
        "DST-SURVIVE-FILE": "DST-QFILE",
    }
    assert all(RULES[rule_id].forecast_series is None for rule_id in SURVIVAL)
    assert RULES["DST-QFILE"].forecast_series is not None


def test_the_sentence_names_the_limit_that_is_reached() -> None:
    made = finding("DST-SURVIVE", **DEPTH, put_per_s=16)
    assert "A consumer may be away for 5 min until MAXDEPTH is reached" in made.summary
    assert "10 min are asked for" in made.summary
    assert "(5,000 - 200) messages / 16 /s / 60 s" in made.arithmetic[0]


def test_the_time_without_a_consumer_has_one_decimal_as_everywhere() -> None:
    rule = all_rules()["DST-SURVIVE"]
    made = rule.assess(rule.inputs.model_validate(DEPTH | {"put_per_s": 21.04}))
    assert made.summary == (
        "A consumer may be away for 3.8 min until MAXDEPTH is reached; 10 min are asked for."
    )
