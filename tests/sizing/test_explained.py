"""Every figure of a finding can be computed again from the inputs that it prints."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import stated_headroom
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each
from tests.sizing.test_every_rule import judged


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
@settings(max_examples=5)
@given(number=st.integers(2, 99))
def test_observed_limit_and_changes_follow_from_the_printed_inputs(rule: Rule, number: int) -> None:
    finding = judged(rule, number)
    printed = {value.name: value.value for value in finding.inputs}
    again = rule.assess(rule.inputs.model_validate(printed))
    assert (again.observed, again.limit) == (finding.observed, finding.limit_value)
    headroom = stated_headroom(again, rule.traits)
    assert (again.breach, headroom) == (finding.breach, finding.headroom_ratio)
    assert finding.arithmetic[: len(again.arithmetic)] == again.arithmetic
    assert again.changes == finding.changes


@for_each("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_the_arithmetic_says_the_limit(rule: Rule) -> None:
    assert any("limit" in line for line in judged(rule, 7).arithmetic)
