"""Names of sysplexes and time zones in the records, beside those of the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqcap.installation.check import CheckState
from mqcap.installation.doctor import records_check
from mqcap.settings import Settings, load_settings
from tests.mqcap.completeness.builders import QM, every, write_lake

RENAME = (
    "If they are the same, change sysplex: PROD1 in estate to PLEX1; else add an entry for PLEX1."
)
UNKNOWN = ("statistics", "UNKNOWN/CSQ7", "SYS7")


def settings_of(lake: Path, *plexes: dict[str, Any]) -> Settings:
    """Return settings of a lake and an estate."""
    return Settings.model_validate(
        {**load_settings().model_dump(), "lake": str(lake), "estate": plexes}
    )


def arrived(lake: Path, offset_minutes: int | None) -> None:
    """Put records of PLEX1 and of an unknown sysplex into a lake."""
    rows = [*every(QM), *every(UNKNOWN)]
    write_lake(lake, [{**row, "utc_offset_minutes": offset_minutes} for row in rows])


def test_records_that_agree_are_fine(tmp_path: Path) -> None:
    arrived(tmp_path, 0)
    check = records_check(settings_of(tmp_path, {"sysplex": "PLEX1"}))
    assert check is not None
    assert check.lines == [
        "fine      records: time zone as in estate on 2026-03-04 (PLEX1, UNKNOWN)"
    ]


def test_another_time_zone_is_told_with_found_expected_and_key(tmp_path: Path) -> None:
    arrived(tmp_path, 60)
    plex = {"sysplex": "PLEX1", "timezone": "Asia/Tokyo"}
    check = records_check(settings_of(tmp_path, plex))
    assert check is not None
    assert check.state is CheckState.to_do
    assert "UTC+01:00 by SYS1, expected is UTC+09:00 (Asia/Tokyo" in check.found
    assert "Correct timezone of PLEX1 in estate;" in check.remedy


@pytest.mark.parametrize(
    ("plexes", "found", "remedy"),
    [
        (
            ["PROD1"],
            "of sysplex PLEX1; in estate is PROD1, of which none have arrived",
            RENAME,
        ),
        ([], "of sysplex PLEX1, which is not in estate", "Add to estate: sysplex: PLEX1."),
    ],
)
def test_another_name_of_a_sysplex_is_told_with_both_and_the_key(
    tmp_path: Path, plexes: list[str], found: str, remedy: str
) -> None:
    arrived(tmp_path, None)
    check = records_check(settings_of(tmp_path, *({"sysplex": plex} for plex in plexes)))
    assert check is not None
    assert (check.state, check.found, check.remedy) == (CheckState.to_do, found, remedy)


@pytest.mark.parametrize("has_records", [False, True])
def test_nothing_is_told_without_records_or_without_offsets_in_them(
    tmp_path: Path, has_records: bool
) -> None:
    if has_records:
        arrived(tmp_path, None)
    assert records_check(settings_of(tmp_path, {"sysplex": "PLEX1"})) is None
