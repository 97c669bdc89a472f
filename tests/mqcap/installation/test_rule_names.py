"""Rules that the settings name and that this release does not have."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.installation.check import CheckState
from mqcap.installation.rule_names import unknown_rules
from mqcap.settings import Settings

FIGURE: dict[str, Any] = {
    "figure": "disk_busy_pct", "label": "Disk busy", "unit": "%", "limit": 80,
}  # fmt: skip


def settings_with(**further: Any) -> Settings:
    return Settings.model_validate(further)


@pytest.mark.parametrize("name", ["default", "LOG-FILL-30MIN", "SITE-MAX-DISK_BUSY_PCT"])
def test_rules_of_the_release_and_of_own_figures_are_known(name: str) -> None:
    settings = settings_with(
        grading={name: {"breach": "act"}},
        alerts={"lead_time_days": {name: 7}},
        site_figures=[FIGURE],
    )
    assert list(unknown_rules(settings)) == []


def test_a_wrong_name_of_a_rule_is_to_be_corrected_with_the_near_one() -> None:
    [check] = unknown_rules(settings_with(grading={"LOG-FIL-30MIN": {"breach": "act"}}))
    assert (check.state, check.what) == (CheckState.to_do, "grading")
    assert "LOG-FIL-30MIN" in check.found
    assert "LOG-FILL-30MIN" in check.remedy


def test_a_rule_of_a_figure_that_is_not_declared_is_named() -> None:
    stated = {"SITE-MAX-DISK_BUSY_PCT": 30, "DST-TOLD-LOG": 30}
    [check] = unknown_rules(settings_with(alerts={"lead_time_days": stated}))
    assert check.what == "alerts.lead_time_days"
    assert "DST-TOLD-LOG, SITE-MAX-DISK_BUSY_PCT" in check.found
