"""The first warnings of the settings as they come, against those of the catalogue."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import finding

SETTINGS = load_settings()
FIRST = [
    ("LOG-FILL-30MIN", {"log_size_mib": 2_700, "log_rate_mib_per_s": 1.0}, {"log_size_mib": 2_706}),
    ("LOG-DASD-50PCT", {"log_rate_mib_per_s": 41, "log_ceiling_mib_per_s": 100},
     {"log_rate_mib_per_s": 39}),
    ("CF-BUSY-1", {"engines": 1, "busy_pct": 25.1}, {"busy_pct": 24.9}),
    ("CF-BUSY-N", {"engines": 2, "busy_pct": 50.1}, {"busy_pct": 49.9}),
    ("CFS-FULL", {"used_pct": 70}, {"used_pct": 69.9}),
    ("BP-FREE-15", {"used_pct": 75.1}, {"used_pct": 74.9}),
    ("BP-SYNC-5", {"used_pct": 85.1}, {"used_pct": 84.9}),
    ("PS-DEPTH-FORECAST", {"used_pct": 80.1}, {"used_pct": 79.9}),
    ("PS-EXPAND-90", {"used_pct": 85}, {"used_pct": 84.9}),
    ("CHI-80-31BIT", {"used_pct": 75.1}, {"used_pct": 75}),
    ("CHI-MAXCHL", {"channels": 801, "maxchl": 1_000}, {"channels": 800}),
    ("APP-UOW-MAX", {"messages": 101}, {"messages": 100}),
    ("IMS-MPR", {"busiest_pct": 90}, {"busiest_pct": 89.9}),
    ("TPF-SWEEP-LEVEL", {"in_use_blocks": 601, "blocks": 1_000}, {"in_use_blocks": 600}),
    ("LNX-NET", {"used_gigabits": 6.01, "gigabits": 10}, {"used_gigabits": 6.0}),
    ("ZHL-TOKENS", {"log_stripes": 1, "other_tokens": 47}, {"other_tokens": 46}),
]  # fmt: skip


@pytest.mark.parametrize(("rule_id", "near", "further"), FIRST, ids=[item[0] for item in FIRST])
def test_a_rule_warns_from_the_level_of_the_catalogue_on(
    rule_id: str, near: dict[str, float], further: dict[str, float]
) -> None:
    rule, policy = all_rules()[rule_id], SETTINGS.grade_policy(rule_id)
    for inputs, expected in ((near, Severity.watch), ({**near, **further}, Severity.ok)):
        assessment = rule.assess(rule.inputs.model_validate(inputs))
        assert not finding(rule_id, **inputs).breach
        assert severity_of(assessment, rule.traits, policy) is expected, inputs


def test_only_rules_are_graded() -> None:
    assert set(SETTINGS.grading) - {"default"} <= set(all_rules())
