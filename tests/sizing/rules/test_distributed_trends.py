"""Figures of distributed queue managers that have no limit of IBM."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from sizing.rules.distributed_trends import LEAST_RISE_MIB, NO_LEVEL
from tests.sizing.builders import RULES, finding

IDS = ("DST-NHA-BACKLOG", "DST-LINEAR-MEDIA")


@pytest.mark.parametrize("rule_id", IDS)
@pytest.mark.parametrize(
    ("usual", "recent", "breach"),
    [
        (100.0, 149.0, False),
        (100.0, 150.0, False),
        (100.0, 151.0, True),
        (0.0, LEAST_RISE_MIB - 0.1, False),
        (0.0, LEAST_RISE_MIB, False),
        (0.0, LEAST_RISE_MIB + 0.1, True),
    ],
)
def test_a_rise_is_one_and_a_half_times_what_was_usual_and_more_than_a_log_file(
    rule_id: str, usual: float, recent: float, breach: bool
) -> None:
    made = finding(rule_id, usual=usual, recent=recent)
    assert made.breach is breach
    assert made.severity is (Severity.watch if breach else Severity.ok)


@pytest.mark.parametrize("rule_id", IDS)
def test_the_level_is_ours_and_says_so(rule_id: str) -> None:
    made = finding(rule_id, usual=100, recent=200)
    assert made.caveats[0] == NO_LEVEL
    assert "IBM states no limit" in NO_LEVEL
    assert RULES[rule_id].traits.limit_is_own_past


@pytest.mark.parametrize(
    ("rule_id", "words"), [("DST-NHA-BACKLOG", "network"), ("DST-LINEAR-MEDIA", "IMGINTVL")]
)
def test_the_advice_names_what_to_look_at(rule_id: str, words: str) -> None:
    assert words in finding(rule_id, usual=100, recent=200).advice
    assert words not in finding(rule_id, usual=100, recent=100).advice


@pytest.mark.parametrize("rule_id", IDS)
def test_a_rule_needs_days_to_compare_with(rule_id: str) -> None:
    assert RULES[rule_id].applies_to({"recent": 1.0, "usual": 1.0})
    assert not RULES[rule_id].applies_to({"recent": 1.0})
    assert not RULES[rule_id].applies_to({"usual": 1.0})
