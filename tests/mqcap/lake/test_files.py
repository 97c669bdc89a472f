"""Files of the lake are read and written alike in a folder and in an object store."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from mqcap.lake import files
from mqcap.lake.location import Location
from tests.memory_lake import memory_lake


@pytest.fixture(params=["folder", "object store"])
def lake(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    return tmp_path / "lake" if request.param == "folder" else memory_lake()


def test_texts_and_documents_are_written_and_read(lake: Location) -> None:
    files.write_text(lake / "a" / "text", "Zürich")
    files.write_json(lake / "b", {"z": 1, "a": [2]})
    assert (lake / "a" / "text").read_text(encoding="utf-8") == "Zürich"
    assert files.read_each([lake / "b", lake / "a" / "text"]) == [
        b'{\n "a": [\n  2\n ],\n "z": 1\n}', "Zürich".encode(),
    ]  # fmt: skip


def test_no_files_have_no_contents() -> None:
    assert files.read_each([]) == []


def test_a_file_is_replaced_at_the_end_of_the_block_and_not_when_it_raises(lake: Location) -> None:
    files.write_text(lake / "x", "whole")
    with pytest.raises(ValueError, match="torn"), files.replacing(lake / "x") as path:
        path.write_bytes(b"half")
        raise ValueError("torn")
    assert (lake / "x").read_text() == "whole"
    assert [place.name for place in lake.glob("*")] == ["x"]


def test_a_folder_gets_new_files(lake: Location) -> None:
    for text in ("old", "new"):
        write = partial(Path.write_text, data=text)
        files.replace_folder(lake / "day=1", {"rows": write, "done": Path.touch})
    assert (lake / "day=1" / "rows").read_text() == "new"
    assert (lake / "day=1" / "done").read_bytes() == b""
    assert sorted(place.name for place in files.files_below(lake)) == ["done", "rows"]


def test_files_and_folders_are_removed_and_what_is_absent_is_no_error(lake: Location) -> None:
    for name in ("a/1", "a/2", "b", "c"):
        files.write_text(lake / name, "x")
    files.remove(lake / "a")
    files.remove(lake / "none")
    files.remove_unfinished(lake.glob("b"))
    assert [place.name for place in files.files_below(lake)] == ["c"]


def test_a_copy_on_this_machine_has_name_and_content_and_ends_with_the_block(
    lake: Location,
) -> None:
    files.write_text(lake / "a.smf", "dump")
    with files.local_copy(lake / "a.smf") as path:
        assert (path.name, path.read_text()) == ("a.smf", "dump")
    assert path.is_file() == isinstance(lake, Path)


def test_a_file_that_is_gone_cannot_be_copied() -> None:
    with pytest.raises(FileNotFoundError), files.local_copy(memory_lake() / "none"):
        pytest.fail("there is nothing to copy")
