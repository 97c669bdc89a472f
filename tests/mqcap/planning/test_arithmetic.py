from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqcap.planning.builders import facts_of, plan_of_active_log


@pytest.mark.thorough
def test_the_rule_that_decides_is_shown_with_the_plan_and_with_one_log_less(
    tmp_path: Path,
) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 0.9, growth_per_day=0.002))
    assert plan is not None
    logs = int(plan.settings[("PLEX1/CSQ1", "active_logs")])
    lines = plan.arithmetic
    assert lines[0].startswith(("LOG-RUNWAY-12H PLEX1/CSQ1 on ", "LOG-DAY-ACTIVE PLEX1/CSQ1 on "))
    assert "at the 90 % bound of the forecast" in lines[0]
    assert any(f"({logs} - 1)" in line for line in lines)
    assert lines[-1].startswith(f"with active_logs {logs - 1}: ")
    assert any(severity in lines[-1] for severity in ("act", "watch"))


def test_a_plan_without_changes_has_no_arithmetic(tmp_path: Path) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 9.0, active_logs=None))
    assert plan is not None
    assert plan.arithmetic == ()
