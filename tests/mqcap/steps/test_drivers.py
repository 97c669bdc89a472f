"""Drivers of series from file and settings together."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from mqcap.domain.forecast import DriverPlan
from mqcap.settings.analysis import DriverSettings
from mqcap.steps.forecast import driver_courses

DAY = date(2026, 3, 2)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
OTHER = "log_growth_mib_per_s/PLEX1/CSQ2"
PLAN = DriverPlan(first=DAY + timedelta(days=30), pct=30)


def drivers(folder: Path, *lines: str) -> DriverSettings:
    file = folder / "drivers.csv"
    file.write_text("\n".join(["driver,time,value", *lines]), encoding="utf-8")
    return DriverSettings(
        file=file,
        series={LOG: "payments", OTHER: "orders"},
        plans={"payments": (PLAN,)},
        gain_min_ratio=0.1,
    )


def test_a_driver_has_its_values_up_to_the_day_and_its_plans(tmp_path: Path) -> None:
    lines = (f"payments,{DAY + timedelta(days=ahead)},{5 + ahead}" for ahead in (-1, 0, 1))
    courses, problems = driver_courses(drivers(tmp_path, *lines), [LOG], DAY)
    course = courses[LOG]
    assert course.values == {DAY - timedelta(days=1): 4.0, DAY: 5.0}
    assert (course.name, course.plans, course.gain_min_ratio) == ("payments", (PLAN,), 0.1)
    assert problems == ()


def test_a_driver_without_values_is_reported_and_the_others_are_used(
    tmp_path: Path,
) -> None:
    given = drivers(tmp_path, f"payments,{DAY},5", f"payments,{DAY},6")
    courses, problems = driver_courses(given, [OTHER, LOG], DAY)
    assert set(courses) == {LOG}
    again, missing = problems
    assert again.endswith(f"line 3: {DAY} of payments is given again; line 2 counts")
    assert missing.endswith(f"no value of orders, the driver of {OTHER}")


def test_series_that_no_driver_is_named_for_have_none(tmp_path: Path) -> None:
    given = drivers(tmp_path, f"payments,{DAY},5")
    assert driver_courses(given, ["cf_busy_pct/PLEX1/CF01"], DAY) == ({}, ())


def test_without_a_file_nothing_is_read() -> None:
    assert driver_courses(DriverSettings(series={LOG: "payments"}), [LOG], DAY) == ({}, ())
