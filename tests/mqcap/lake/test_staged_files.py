"""Files that are written before any of them may be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.lake.files import files_below
from mqcap.lake.location import Location
from mqcap.lake.staged_files import StagedFiles
from tests.memory_lake import memory_lake


@pytest.fixture(params=["folder", "object store"])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    return tmp_path / "lake" if request.param == "folder" else memory_lake()


def test_what_is_published_is_in_the_lake_and_the_rest_is_removed(lake: Location) -> None:
    staged = StagedFiles(lake)
    places = [lake / dataset / "day=1" / "rows.parquet" for dataset in ("a", "b")]
    written = [staged.begun(place) for place in places]
    for path in written:
        path.write_text("rows")
    assert not any(place.is_file() for place in places)
    staged.publish(places[0])
    staged.drop(lake / "*" / "day=1" / "rows.parquet")
    assert files_below(lake) == places[:1]
    assert places[0].read_text() == "rows"
    assert not any(path.exists() for path in written)
