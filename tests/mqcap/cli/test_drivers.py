"""Command ``drivers``: as lines and as an object."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.settings import Settings
from mqcap.store.forecasts import replace_forecasts
from tests.factories import DAY, driver_effect, forecast
from tests.mqcap.cli.command_line import invoked


@pytest.fixture
def driven(
    settings: Settings, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A forecast with a driver and one without, and a driver file with a bad line."""
    made = [forecast(driver=driver_effect()), forecast("PLEX1/CSQ2")]
    replace_forecasts(engine, DAY, made)
    file = tmp_path / "drivers.csv"
    file.write_text("driver,time,value\npayments,2026-03-01,many\n", encoding="utf-8")
    monkeypatch.setenv("MQCAP_DRIVERS__FILE", str(file))
    return file


def test_csv_has_the_same_headings_with_a_driver_and_without(driven: Path, engine: Engine) -> None:
    head, row = invoked("drivers", "--day", str(DAY), "--format", "csv").stdout.splitlines()
    assert row.startswith('"log_growth_mib_per_s/PLEX1/CSQ1, peak",payments,True,')
    replace_forecasts(engine, DAY, [forecast("PLEX1/CSQ2")])
    without = invoked("drivers", "--day", str(DAY), "--format", "csv").stdout
    assert without.splitlines() == [head]


def test_each_driver_is_printed_with_its_effect_and_bad_lines(driven: Path) -> None:
    result = invoked("drivers", "--day", str(DAY))
    assert result.exit_code == 0
    assert f"log_growth_mib_per_s/PLEX1/CSQ1, peak: {driver_effect().text}." in result.output
    assert "CSQ2" not in result.output
    assert f"{driven} line 2: 'many' is no number; the line is left out." in result.output


def test_the_object_has_effects_and_problems(driven: Path) -> None:
    result = invoked("drivers", "--day", str(DAY), "--format", "json")
    document = json.loads(result.stdout)
    [series] = document["series"]
    assert series["series"] == "log_growth_mib_per_s/PLEX1/CSQ1, peak"
    assert series["elasticity"] == pytest.approx(0.7147)
    assert len(document["problems"]) == 1


def test_without_a_driver_that_is_reported(settings: Settings, engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast()])
    result = invoked("drivers", "--day", str(DAY))
    assert "has a driver" in result.output
