"""Just below, at and just above each limit, from the report's own wording."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each
from tests.sizing.builders import finding

LOG = {"log_size_mib": 3_600}
ACTIVE_LOGS = {**LOG, "active_logs": 12}

CASES = [
    # 3600 MiB / 1800 s; 30 minutes are enough
    ("LOG-FILL-30MIN", LOG, "log_rate_mib_per_s", (1.999, 2.0, 2.001), (False, False, True)),
    # (13 - 1) x 3600 MiB / 43,200 s; 12 hours are enough
    (
        "LOG-RUNWAY-12H",
        {**ACTIVE_LOGS, "active_logs": 13},
        "sustained_rate_mib_per_s",
        (0.99, 1.0, 1.01),
        (False, False, True),
    ),
    ("LOG-COUNT-MIN", {}, "active_logs", (5, 4, 3), (False, False, True)),
    # 3600 MiB in 30 min; as slow as the fill is too slow
    (
        "LOG-COUNT-OVERLAP",
        {**LOG, "archive_time_min": 30},
        "log_rate_mib_per_s",
        (1.99, 2.0, 2.01),
        (False, True, True),
    ),
    # 24 other logs x 3600 MiB / 86,400 s; a day is enough
    (
        "LOG-DAY-ACTIVE",
        {**LOG, "active_logs": 25},
        "day_mean_mib_per_s",
        (0.99, 1.0, 1.01),
        (False, False, True),
    ),
    (
        "LOG-OUTBUFF-WTB",
        {"outbuff_kb": 40},
        "log_buffer_waits_per_h",
        (0, 0, 1),
        (False, False, True),
    ),
    ("CF-BUSY-1", {"engines": 1}, "busy_pct", (29.9, 30, 30.1), (False, False, True)),
    ("CF-BUSY-N", {"engines": 4}, "busy_pct", (59.9, 60, 60.1), (False, False, True)),
    ("CHI-80-31BIT", {}, "used_pct", (79.9, 80, 80.1), (False, False, True)),
    ("CHI-80-64BIT", {}, "used_pct", (79.9, 80, 80.1), (False, False, True)),
    ("CHI-SCAV-75", {}, "used_pct", (74.9, 75, 75.1), (False, True, True)),
    ("CHI-MAXCHL", {"maxchl": 500}, "channels", (499, 500, 501), (False, True, True)),
    ("BP-FREE-15", {}, "used_pct", (84.9, 85, 85.1), (False, False, True)),
    ("PS-EXPAND-90", {}, "used_pct", (89.9, 90, 90.1), (False, False, True)),
    ("CFS-FULL", {}, "used_pct", (79.9, 80, 80.1), (False, True, True)),
    ("CFS-FULL-ELEMENTS", {}, "used_pct", (79.9, 80, 80.1), (False, True, True)),
    *(
        (rule_id, fixed, name, tuple(numbers), tuple(breaches))
        for rule_id, fixed, name, numbers, breaches in yaml.safe_load(
            Path(__file__).with_name("daily_limits.yaml").read_text("utf-8")
        )
    ),
]


@for_each("rule_id, fixed, name, numbers, breaches", CASES, ids=lambda case: case[0])
def test_below_at_and_above_the_limit(
    rule_id: str,
    fixed: dict[str, float],
    name: str,
    numbers: tuple[float, ...],
    breaches: tuple[bool, ...],
) -> None:
    result = [finding(rule_id, **fixed, **{name: number}) for number in numbers]
    worst = all_rules()[rule_id].traits.breach_severity
    if worst is Severity.suggestion:
        assert tuple(item.severity is worst for item in result) == breaches
        assert not any(item.breach for item in result)
        return
    assert tuple(item.breach for item in result) == breaches
    for item in result:
        assert (item.severity is worst) is item.breach or worst is Severity.watch


def test_only_rules_are_graded() -> None:
    assert set(load_settings().grading) - {"default"} <= set(all_rules())


def test_every_rule_is_in_the_table_of_limits() -> None:
    assert {case[0] for case in CASES} == set(all_rules())


@for_each("rule_id", sorted(all_rules()))
def test_the_declared_side_is_the_side_of_the_breach(rule_id: str) -> None:
    case = next(case for case in CASES if case[0] == rule_id)
    outer = finding(rule_id, **case[1], **{case[2]: case[3][2]})
    exact = finding(rule_id, **case[1], **{case[2]: case[3][1]})
    assert outer.direction is all_rules()[rule_id].direction
    assert outer.observed is not None
    assert outer.limit_value is not None
    assert (outer.observed > outer.limit_value) is (outer.direction == "upward")
    if exact.observed == exact.limit_value:
        assert case[4][1] is not all_rules()[rule_id].strict


def test_headroom_is_the_share_of_the_limit_still_free() -> None:
    assert finding("CF-BUSY-N", engines=2, busy_pct=45).headroom_ratio == pytest.approx(0.25)
    assert finding("CF-BUSY-N", engines=2, busy_pct=75).headroom_ratio == pytest.approx(-0.25)
    assert finding("LOG-COUNT-MIN", active_logs=6).headroom_ratio == pytest.approx(0.5)
    none = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=0, outbuff_kb=40)
    assert none.headroom_ratio is None


def test_small_headroom_is_worth_watching() -> None:
    assert finding("CF-BUSY-N", engines=2, busy_pct=50).severity is Severity.ok
    assert finding("CF-BUSY-N", engines=2, busy_pct=55).severity is Severity.watch
    assert finding("CF-BUSY-N", engines=2, busy_pct=61).severity is Severity.act


def test_engines_decide_which_rule_of_the_coupling_facility_speaks() -> None:
    item, several = all_rules()["CF-BUSY-1"], all_rules()["CF-BUSY-N"]
    assert (item.applies_to({"engines": 1}), several.applies_to({"engines": 1})) == (True, False)
    assert (item.applies_to({"engines": 2}), several.applies_to({"engines": 2})) == (False, True)
    assert (item.applies_to({}), several.applies_to({})) == (False, True)


def test_storage_without_its_amounts_is_judged_by_the_percentage_alone() -> None:
    for rule_id in ("CHI-80-31BIT", "CHI-80-64BIT"):
        item = finding(rule_id, used_pct=90)
        assert item.breach
        assert item.changes == ()


def test_the_fuller_of_entries_and_elements_ends_first() -> None:
    rule = all_rules()["CFS-FULL"]
    answer = rule.answer({"entries_used_pct": 40, "elements_used_pct": 92})
    assert answer["exhausts_first"] == "elements"
    assert (answer["breach"], answer["scm_prestaging"]) == (True, True)
    assert rule.answer({"entries_used_pct": 50, "elements_used_pct": 40})["exhausts_first"] == (
        "entries"
    )


def test_logs_for_an_archive_outage_count_the_one_in_use() -> None:
    rule = all_rules()["LOG-COUNT-OVERLAP"]
    assert rule.answer({"fill_time_min": 30, "outage_min": 720}) == {"active_logs": 25}
