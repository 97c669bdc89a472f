from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake import files, tables
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.files import StagedFiles, files_below, replacing
from mqcap.lake.location import Location, open_lake
from mqcap.lake.objects import ObjectLocation
from mqcap.progress.shown import show_on
from tests.memory_lake import memory_lake
from tests.mqcap.progress.displays import Noted
from tests.spark_apps.manifests import manifest


@pytest.fixture(params=["folder", "object store"])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    return tmp_path / "lake" if request.param == "folder" else memory_lake()


def test_texts_and_documents_are_written_and_read(lake: Location) -> None:
    files.write_text(lake / "a" / "text", "Zürich")
    files.write_json(lake / "b", {"z": 1, "a": [2]})
    assert (lake / "a" / "text").read_bytes().decode() == "Zürich"
    assert files.read_each([lake / "b", lake / "a" / "text"]) == [
        b'{\n "a": [\n  2\n ],\n "z": 1\n}', "Zürich".encode(),
    ]  # fmt: skip


def test_a_file_is_replaced_at_the_end_of_the_block_and_not_when_it_raises(lake: Location) -> None:
    files.write_text(lake / "x", "whole")
    with pytest.raises(ValueError, match="torn"), files.replacing(lake / "x") as path:
        path.write_bytes(b"half")
        raise ValueError("torn")
    assert (lake / "x").read_bytes() == b"whole"
    assert [place.name for place in lake.glob("*")] == ["x"]


def test_a_folder_gets_new_files(lake: Location) -> None:
    for text in ("old", "new"):
        write = partial(Path.write_text, data=text)
        files.replace_folder(lake / "day=1", {"rows": write, "done": Path.touch})
    assert (lake / "day=1" / "rows").read_bytes() == b"new"
    assert (lake / "day=1" / "done").read_bytes() == b""
    assert sorted(place.name for place in files.files_below(lake)) == ["done", "rows"]


def test_files_and_folders_are_removed_and_what_is_absent_is_no_error(lake: Location) -> None:
    for name in ("a/1", "a/2", "b", "c"):
        files.write_text(lake / name, "x")
    files.remove(lake / "a")
    files.remove(lake / "none")
    files.remove_unfinished(lake.glob("b"))
    assert [place.name for place in files.files_below(lake)] == ["c"]


def test_a_copy_on_this_machine_has_name_and_content_and_ends_with_its_use(lake: Location) -> None:
    files.write_text(lake / "a.smf", "dump")
    with files.local_copy(lake / "a.smf") as path:
        assert (path.name, path.read_text()) == ("a.smf", "dump")
    assert path.is_file() == isinstance(lake, Path)


ESTATE = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEXA", smfids=("SYS1", "SYS2")),
        Sysplex(sysplex="PLEXB", smfids=("SYS1",)),
    ),
    places=(Place(site="EAST"),),
)


def test_a_system_of_two_sysplexes_in_settings_or_records_has_none() -> None:
    assert tuple(sysplexes_of_systems(ESTATE, [])) == ({"SYS2": "PLEXA"}, {"SYS1"})
    placed = manifest("c", root="PLEXA", sysplex_by_smfid={"SYS7": "PLEX1"})
    files = [manifest("a", sysplex_by_smfid={"SYS8": "PLEXC", "SYS9": "PLEXC", "SYS2": "X"}),
             manifest("b", sysplex_by_smfid={"SYS9": "PLEXD"}), placed]  # fmt: skip
    by_smfid, shared = sysplexes_of_systems(ESTATE, files)
    assert by_smfid == {"SYS2": "PLEXA", "SYS8": "PLEXC"}
    assert shared == {"SYS1", "SYS9"}


@pytest.mark.parametrize(
    ("facts", "root"),
    [
        ({"root": "PLEXB"}, "PLEXB"),
        ({"root": "EAST"}, "EAST"),
        ({"root": "GONE"}, None),
        ({}, None),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}}, "PLEXB"),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}, "root": "PLEXA"}, "PLEXA"),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}, "smfids": ("SYS1", "SYS2")}, None),
        ({"sysplex_by_smfid": {"SYS2": "PLEXA"}, "smfids": ("SYS2",)}, None),
        ({"sysplex_by_smfid": {"SYS1": "X", "SYS2": "Y"}, "smfids": ("SYS1", "SYS2")}, None),
    ],
)
def test_a_file_is_of_its_input_or_its_records(facts: dict[str, Any], root: str | None) -> None:
    shared = sysplexes_of_systems(ESTATE, []).shared
    assert roots_of_files(ESTATE, [manifest("a", **facts)], shared).get("a") == root


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
    assert places[0].read_bytes() == b"rows"
    assert not any(path.exists() for path in written)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("var/lake", Path("var/lake")),
        ("/data/lake", Path("/data/lake")),
        ("file:///data/lake", Path("/data/lake")),
        ("memory://bucket/lake/", ObjectLocation("memory", ("bucket", "lake"))),
    ],
)
def test_a_path_is_a_folder_and_a_url_an_object_store(address: str, place: Location) -> None:
    assert open_lake(address) == place


TABLE = pa.table({"number": [1, 2, 3], "text": ["a", "b", "c"]})


@pytest.fixture(params=["folder", "object store"])
def paths(request: pytest.FixtureRequest, tmp_path: Path) -> list[Location]:
    lake = tmp_path / "lake" if request.param == "folder" else memory_lake()
    found: list[Location] = [lake / f"{number}.parquet" for number in range(2)]
    for place in found:
        with replacing(place) as path:
            pq.write_table(TABLE, path)
    return found


def test_rows_of_several_files_are_read_with_columns_and_filter(paths: list[Location]) -> None:
    rows = tables.read_rows(paths, ["text"], pc.field("number") > 1)
    assert rows["text"].to_pylist() == ["b", "c", "b", "c"]
    assert tables.read_rows(paths, ["number"]).num_rows == 6
    assert tables.read_rows(paths[:1]).equals(TABLE)
    with tables.opened(paths) as dataset:
        assert dataset.schema.names == TABLE.schema.names
    assert tables.read_metadata(paths[0]).num_rows == 3
    assert pl.read_parquet(tables.parquet_source(paths[0])).height == 3


def test_a_table_of_one_file_has_the_columns_asked_for(paths: list[Location]) -> None:
    assert tables.read_table(paths[0]).equals(TABLE)
    assert tables.read_table(paths[0], columns=["text"]).column_names == ["text"]
    for dictionaries in ((), ["text"]):
        table = tables.read_table(paths[0], ["text", "number"], dictionaries)
        assert table.column_names == ["text", "number"]
        assert pa.types.is_dictionary(table["text"].type) is bool(dictionaries)


def test_files_are_read_in_parts(paths: list[Location], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables.read_rows(paths, ["text"], pc.field("number") > 1)
    monkeypatch.setattr(tables, "PART_FILES", 1)
    with show_on(display := Noted()):
        assert tables.read_rows(paths, ["text"], pc.field("number") > 1).equals(whole)
    shown = ["read the lake begun", "1 of 2 files", "2 of 2 files", "read the lake ended"]
    assert display.calls == [*shown, "closed"]
