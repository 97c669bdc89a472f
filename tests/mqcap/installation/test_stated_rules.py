"""What the settings state of rules, beside the rules and grades of this release."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from mqcap.installation.check import CheckState
from mqcap.installation.doctor import grades_check, unknown_rules
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE

FIGURE: dict[str, Any] = {
    "figure": "disk_busy_pct", "label": "Disk busy", "unit": "%", "limit": 80,
}  # fmt: skip


GRADES: dict[str, Any] = yaml.safe_load(DEFAULT_FILE.read_text("utf-8"))["grading"]


@pytest.fixture(autouse=True)
def only_what_is_stated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "platform.yaml").write_text("{}", "utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(tmp_path / "platform.yaml"))


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


def test_the_grades_of_the_package_are_fine() -> None:
    assert grades_check(settings_with(grading=GRADES)).state is CheckState.fine
    further = {**GRADES, "CF-CPU-60": {"breach": "watch"}}
    assert grades_check(settings_with(grading=further)).state is CheckState.fine


def test_grades_of_an_older_release_are_named() -> None:
    older = {**GRADES, "LOG-FILL-30MIN": {"watch_below_headroom": 0.334}}
    del older["DST-DEPTH"]
    check = grades_check(settings_with(grading=older))
    assert check.state is CheckState.optional
    assert check.found == (
        "1 of the package are not stated: DST-DEPTH; 1 are your own: LOG-FILL-30MIN"
    )


def test_of_many_grades_the_first_are_named() -> None:
    check = grades_check(settings_with())
    missing = [rule for rule in GRADES if rule != "default"]
    assert check.found == (
        f"{len(missing)} of the package are not stated: {', '.join(missing[:5])}, ..."
    )
