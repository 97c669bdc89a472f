"""The command that writes a simulated estate."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import yaml

from devtools.simulator.spec import small_spec
from devtools.simulator.write_sample import write_sample
from mqcap.domain.errors import ConfigurationError

LAST = date(2026, 3, 4)


@pytest.fixture
def spec_file(tmp_path: Path) -> Path:
    file = tmp_path / "estate.yaml"
    file.write_text(yaml.safe_dump(small_spec().model_dump(mode="json")), encoding="utf-8")
    return file


@pytest.mark.parametrize(("days", "first"), [(1, date(2026, 3, 4)), (5, date(2026, 2, 28))])
def test_the_last_day_is_one_of_the_days(
    tmp_path: Path, spec_file: Path, days: int, first: date
) -> None:
    made = write_sample(tmp_path / "out", last_date=LAST, days=days, spec_file=spec_file)
    assert (made.truth.first_date, made.truth.last_date) == (first, LAST)
    assert [len(by_day) for by_day in made.truth.log_bytes.values()] == [days, days]


@pytest.mark.thorough
def test_without_a_file_it_is_the_sample_estate(tmp_path: Path) -> None:
    made = write_sample(tmp_path / "out", last_date=LAST, days=1)
    assert {name.partition("/")[0] for name in made.truth.log_bytes} == {"PLEX1", "PLEX2"}


def test_no_days_are_refused_before_anything_is_written(tmp_path: Path, spec_file: Path) -> None:
    with pytest.raises(ConfigurationError, match="2026-03-05 to 2026-03-04"):
        write_sample(tmp_path / "out", last_date=LAST, days=0, spec_file=spec_file)
    assert not (tmp_path / "out").exists()
