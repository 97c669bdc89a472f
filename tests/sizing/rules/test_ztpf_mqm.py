"""z/TPF: memory of 64-bit queues (MQM) and its sweeper."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH = Severity.ok, Severity.watch
both_rules = pytest.mark.parametrize(
    ("rule_id", "used"),
    [("TPF-SWEEP-LEVEL", "in_use_blocks"), ("TPF-HWM", "high_water_blocks")],
)


@both_rules
def test_the_sweeper_starts_when_80_percent_are_reached(rule_id: str, used: str) -> None:
    blocks = (680, 681, 799, 800)
    assert severities(rule_id, used, *blocks, blocks=1_000) == [OK, WATCH, WATCH, WATCH]
    breaches = [finding(rule_id, blocks=1_000, **{used: count}).breach for count in blocks]
    assert breaches == [False, False, False, True]


@both_rules
def test_a_level_of_its_own_takes_the_place_of_80_percent(rule_id: str, used: str) -> None:
    own = {"blocks": 1_000, "level_pct": 60}
    assert finding(rule_id, **own, **{used: 599}).breach is False
    reached = finding(rule_id, **own, **{used: 600})
    assert reached.breach
    assert reached.limit_value == 60


@both_rules
@pytest.mark.parametrize(
    ("blocks_used", "megabytes"),
    [
        (800, 6),  # 800 / 0.6 = 1,334 blocks of 4,096 bytes = 5.46 MB
        (146_485, 1_001),  # 244,142 blocks = 1,000.006 MB
    ],
)
def test_more_memory_is_advised_until_the_same_blocks_are_60_percent(
    rule_id: str, used: str, blocks_used: int, megabytes: int
) -> None:
    inputs = {used: blocks_used, "blocks": blocks_used}
    judged = finding(rule_id, **inputs)
    assert typed(judged) == [f"MQM {megabytes} MB"]
    [change] = judged.changes
    assert change.effect is Effect.enough
    assert "from the next IPL on" in change.side_effects
    after = after_advice(rule_id, **inputs)
    assert after.observed is not None
    assert after.observed <= 60
    assert after.severity is OK


@both_rules
def test_nothing_changes_below_the_level(rule_id: str, used: str) -> None:
    judged = finding(rule_id, blocks=1_000, **{used: 0})
    assert judged.observed == 0
    assert judged.changes == ()
    assert judged.advice == "Nothing to change: the sweeper has no cause to run."


def test_a_hundred_sweeps_a_day_mean_too_little_memory() -> None:
    assert severities("TPF-SWEEP-FREQ", "sweeps", 85, 86, 99, 100) == [OK, WATCH, WATCH, WATCH]
    assert finding("TPF-SWEEP-FREQ", sweeps=99).breach is False
    reached = finding("TPF-SWEEP-FREQ", sweeps=100)
    assert reached.breach
    assert "TPF-HWM" in reached.advice


@pytest.mark.parametrize(
    ("rule_id", "key", "superseded_by", "why_undated"),
    [
        ("TPF-SWEEP-LEVEL", "in_use_blocks", "", ""),
        ("TPF-HWM", "high_water_blocks", "TPF-SWEEP-LEVEL", "never falls"),
        ("TPF-SWEEP-FREQ", "sweeps", "TPF-HWM", ""),
    ],
)
def test_the_three_figures_report_one_cause_once_and_only_where_they_are_known(
    rule_id: str, key: str, superseded_by: str, why_undated: str
) -> None:
    rule = RULES[rule_id]
    assert rule.traits.superseded_by == superseded_by
    assert rule.applies_to({key: 10})
    assert not rule.applies_to({"blocks": 1_000})
    assert why_undated in rule.why_undated
    assert bool(rule.why_undated) is bool(why_undated)


def test_the_limit_of_the_series_is_in_blocks() -> None:
    rule = RULES["TPF-SWEEP-LEVEL"]
    assert rule.series is not None
    assert rule.series.metric == "tpf_mqm_in_use_blocks"
    inputs = {"in_use_blocks": 600, "blocks": 1_000, "level_pct": 70}
    judged = finding("TPF-SWEEP-LEVEL", **inputs)
    assert (judged.observed, judged.limit_value, judged.series_limit) == (60, 70, 700)


@pytest.mark.parametrize(
    ("rule_id", "metrics"),
    [
        (
            "TPF-SWEEP-LEVEL",
            ["tpf_mqm_blocks", "tpf_mqm_in_use_blocks", "tpf_mqm_sweep_level_pct"],
        ),
        (
            "TPF-HWM",
            ["tpf_mqm_blocks", "tpf_mqm_high_water_blocks", "tpf_mqm_sweep_level_pct"],
        ),
        ("TPF-SWEEP-FREQ", ["tpf_system_sweep_count"]),
    ],
)
def test_what_is_measured_comes_before_what_the_estate_gives(
    rule_id: str, metrics: list[str]
) -> None:
    sources = value_sources_of(RULES[rule_id].inputs).values()
    measured, typed_keys = zip(*sources, strict=True)
    assert sorted(source.metric for source in measured) == metrics
    assert all(isinstance(source, FromEstate) for source in typed_keys)


def test_the_memory_that_is_defined_is_asked_for() -> None:
    unknown = finding("TPF-HWM", high_water_blocks=10)
    assert unknown.severity is Severity.unknown
    assert "mqm_blocks" in unknown.missing[0]
    assert "ZMQSC DISPLAY QMGR" in unknown.missing[0]
