"""Just below, at and just above each limit, from the report's own wording."""

from pathlib import Path

import yaml

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each
from tests.sizing.builders import finding

CASES = [
    (rule_id, fixed, name, tuple(numbers), tuple(breaches))
    for rule_id, fixed, name, numbers, breaches in yaml.safe_load(
        Path(__file__).with_name("daily_limits.yaml").read_text("utf-8")
    )
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


def test_engines_decide_which_rule_of_the_coupling_facility_speaks() -> None:
    item, several = all_rules()["CF-BUSY-1"], all_rules()["CF-BUSY-N"]
    assert (item.applies_to({"engines": 1}), several.applies_to({"engines": 1})) == (True, False)
    assert (item.applies_to({"engines": 2}), several.applies_to({"engines": 2})) == (False, True)
    assert (item.applies_to({}), several.applies_to({})) == (False, True)
