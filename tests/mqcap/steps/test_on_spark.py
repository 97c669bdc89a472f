from collections.abc import Callable
from contextlib import nullcontext
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.domain.forecast import DriverPlan
from mqcap.settings import Settings
from mqcap.settings.analysis import DriverSettings
from mqcap.steps import on_spark, runner
from mqcap.steps.forecast import driver_courses
from mqcap.steps.on_spark import REFUSED, main

DAY = date(2026, 11, 20)
TODAY = date(2026, 3, 2)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
OTHER = "log_growth_mib_per_s/PLEX1/CSQ2"
PLAN = DriverPlan(first=TODAY + timedelta(days=30), pct=30)


def steps(monkeypatch: pytest.MonkeyPatch, fit: Callable[[], dict[str, Any]]) -> list[str]:
    made: list[str] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date) -> dict[str, Any]:
            assert day == DAY
            made.append(name)
            return fit() if name == "fit" else {"rows": 2}

        noted.__name__ = name
        return noted

    monkeypatch.setattr(on_spark, "early_session", lambda *_: nullcontext())
    monkeypatch.setattr(runner, "LOAD", tuple(map(step, ("land", "decode_and_aggregate"))))
    monkeypatch.setattr(runner, "FORECAST", tuple(map(step, ("fit", "store_forecasts"))))
    return made


def test_all_steps_from_decoding_to_forecasts_run_and_have_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = steps(monkeypatch, lambda: {"series": 3})
    assert main(["--day", f"{DAY}"]) == 0
    assert made == ["decode_and_aggregate", "fit", "store_forecasts"]
    assert "fit: 3 series" in capsys.readouterr().err.splitlines()


def test_what_is_refused_ends_with_its_own_code_and_a_fault_is_raised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> dict[str, Any]:
        raise InputError("no training data for this day")

    made = steps(monkeypatch, refused)
    assert main(["--day", f"{DAY}"]) == REFUSED
    assert made == ["decode_and_aggregate", "fit"]
    assert "fit: no training data for this day" in capsys.readouterr().err

    def lost() -> dict[str, Any]:
        raise ServiceUnavailable("Spark has lost its workers")

    steps(monkeypatch, lost)
    with pytest.raises(ServiceUnavailable):
        main(["--day", f"{DAY}"])


def test_the_application_needs_a_day() -> None:
    with pytest.raises(ConfigurationError, match="--day"):
        main([])


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
    lines = (f"payments,{TODAY + timedelta(days=ahead)},{5 + ahead}" for ahead in (-1, 0, 1))
    courses, problems = driver_courses(drivers(tmp_path, *lines), [LOG], TODAY)
    course = courses[LOG]
    assert course.values == {TODAY - timedelta(days=1): 4.0, TODAY: 5.0}
    assert (course.name, course.plans, course.gain_min_ratio) == ("payments", (PLAN,), 0.1)
    assert problems == ()


def test_a_driver_without_values_is_reported_and_the_others_are_used(tmp_path: Path) -> None:
    given = drivers(tmp_path, f"payments,{TODAY},5", f"payments,{TODAY},6")
    courses, problems = driver_courses(given, [OTHER, LOG], TODAY)
    assert set(courses) == {LOG}
    again, missing = problems
    assert again.endswith(f"line 3: {TODAY} of payments is given again; line 2 counts")
    assert missing.endswith(f"no value of orders, the driver of {OTHER}")


def test_series_without_a_named_driver_or_without_a_file_have_none(tmp_path: Path) -> None:
    given = drivers(tmp_path, f"payments,{TODAY},5")
    assert driver_courses(given, ["cf_busy_pct/PLEX1/CF01"], TODAY) == ({}, ())
    assert driver_courses(DriverSettings(series={LOG: "payments"}), [LOG], TODAY) == ({}, ())
