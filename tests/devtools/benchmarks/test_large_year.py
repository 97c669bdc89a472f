"""A year of the large site, a day at a time, and what is printed of it."""

from __future__ import annotations

import os
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest

from devtools.benchmarks.large_estate import LAST, Size
from devtools.benchmarks.large_site import SiteSize
from devtools.benchmarks.large_year import (
    DAYS_FILE,
    LoadedDay,
    days_of,
    lines,
    load_days,
    loaded_days,
)
from devtools.benchmarks.step_costs import StepCost
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import MIB_BYTES
from mqcap.settings.loader import FILE_VARIABLE

SIZE: Final = Size(sysplexes=1, managers=2, facilities=1, queues=3, minutes=60, days=365)
FIRST: Final = LAST - timedelta(days=364)


def loaded(day: date, cpu_seconds: float, lake_mib: int, size: Size = SIZE) -> LoadedDay:
    """A day on which the lake had so many MiB."""
    costs = (StepCost("observe", 2.0, cpu_seconds, 100.0),)
    site = SiteSize(MIB_BYTES, lake_mib * MIB_BYTES, 2 * MIB_BYTES, 4_000, 1_000)
    return LoadedDay(day=day, size=size, costs=costs, site=site)


def test_the_days_are_those_of_the_year_before_the_last_one() -> None:
    days = days_of(SIZE)
    assert (days[0], days[-1], len(days)) == (FIRST, LAST, 365)


def test_steps_are_stated_by_day_and_sizes_as_they_grow() -> None:
    days = [loaded(FIRST + timedelta(days=number), 1.0 + number, number) for number in range(3)]
    printed = [" ".join(line.split()) for line in lines(SIZE, days, [StepCost("size", 9, 5, 300)])]
    assert printed == [
        "2 queue managers, 3 of 365 days are loaded",
        "observe 3 days 2.0 s of CPU a day, first 1.0, last 3.0 100 MiB 1000.0 ms each",
        *(
            f"{FIRST + timedelta(days=number)}: delivered 1.0 MiB, lake {number}.0 MiB,"
            " store 2.0 MiB, 4,000 section rows, 1,000 hourly rows"
            for number in range(3)
        ),
        "size 9.0 s 5.0 s of CPU 300 MiB",
    ]


def test_without_a_loaded_day_nothing_is_stated() -> None:
    assert list(lines(SIZE, [], [])) == ["2 queue managers, 0 of 365 days are loaded"]


def test_a_day_that_was_cut_off_while_it_was_noted_is_not_loaded(tmp_path: Path) -> None:
    whole = loaded(FIRST, 1.0, 1).model_dump_json()
    (tmp_path / DAYS_FILE).write_text(f"{whole}\n{whole[:-1]}", encoding="utf-8")
    assert loaded_days(tmp_path, SIZE) == [loaded(FIRST, 1.0, 1)]


def test_days_of_another_site_are_refused(tmp_path: Path) -> None:
    other = loaded(FIRST, 1.0, 1, SIZE._replace(queues=4))
    (tmp_path / DAYS_FILE).write_text(f"{other.model_dump_json()}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"days of another site.*queues=4.*queues=3"):
        load_days(tmp_path, SIZE)


def test_nothing_is_loaded_where_there_is_no_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_days(tmp_path, SIZE, lambda: False)
    assert "the disk is full" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.spark
def test_days_are_loaded_once_and_their_dumps_removed(tmp_path: Path) -> None:
    load_days(tmp_path, SIZE._replace(days=1))
    [before] = loaded_days(tmp_path, SIZE)
    with (tmp_path / DAYS_FILE).open("a", encoding="utf-8") as file:
        file.write("{cut off")
    load_days(tmp_path, SIZE._replace(days=2))
    first, second = loaded_days(tmp_path, SIZE)
    assert first == before
    assert second.day == FIRST + timedelta(days=1)
    assert second.site.hourly_rows > first.site.hourly_rows > 0
    assert not list(tmp_path.glob("made")) + list((tmp_path / "lake").glob("landing"))
    assert FILE_VARIABLE not in os.environ
