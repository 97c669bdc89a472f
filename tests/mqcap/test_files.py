"""Atomic replacement: readers see the old content or the new one, whatever kills the writer."""

import errno
import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.files import (
    remove_unfinished,
    replacing,
    replacing_files,
    temporary_path,
    write_bytes,
    write_json,
    write_text,
)

_CONTEXT = multiprocessing.get_context("fork")  # nothing is imported again


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def killed(work: Callable[[], None]) -> None:
    """Run in a child process that ends by SIGKILL."""
    child = _CONTEXT.Process(target=work)
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_gets_full_while_a_file_is_written_names_the_file(
    tmp_path: Path, number: int
) -> None:
    with pytest.raises(OSError, match=r"full: '.*/a\.csv'"), replacing(tmp_path / "a.csv"):
        raise OSError(number, "full")


def test_a_file_that_cannot_be_made_is_named_and_not_its_temporary_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"no: '.*/a\.csv'"), replacing(tmp_path / "a.csv") as path:
        raise PermissionError(errno.EACCES, "no", str(path))


def test_an_error_of_something_else_is_not_about_the_file(tmp_path: Path) -> None:
    with pytest.raises(ConnectionResetError) as raised, replacing(tmp_path / "a.csv"):
        raise ConnectionResetError(errno.ECONNRESET, "reset")
    assert raised.value.filename is None


def test_the_temporary_name_is_hidden_and_names_the_process(tmp_path: Path) -> None:
    assert temporary_path(tmp_path / "a.json").name == f".a.json.{os.getpid()}"


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_is_created_or_replaced_with_the_folders_above_it(
    tmp_path: Path, old: bytes | None
) -> None:
    path = tmp_path / "a" / "b" / "file"
    if old is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(old)
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(path.parent) == ["file"]


def test_text_is_utf_8_and_json_is_sorted(tmp_path: Path) -> None:
    write_text(tmp_path / "text", "Størrelse\n")
    assert (tmp_path / "text").read_bytes() == "Størrelse\n".encode()
    write_json(tmp_path / "json", {"b": [1], "a": "x"})
    text = (tmp_path / "json").read_text("utf-8")
    assert json.loads(text) == {"a": "x", "b": [1]}
    assert text.index('"a"') < text.index('"b"')


@pytest.mark.parametrize(("durable", "synced"), [(True, ["new", "a", "day"]), (False, [])])
def test_what_is_durable_is_on_the_disk_before_its_name_and_then_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, durable: bool, synced: list[str]
) -> None:
    seen: list[tuple[str, bool]] = []
    folder = tmp_path / "day" / "a"

    def noted(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        seen.append((path.name.lstrip(".").partition(".")[0], (folder / "new").exists()))

    monkeypatch.setattr(os, "fsync", noted)
    with replacing(folder, durable=durable) as temporary:
        temporary.mkdir()
        (temporary / "new").write_text("rows", "utf-8")
    assert seen == [(name, name == "day") for name in synced]


def test_an_error_leaves_the_old_content_and_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", "utf-8")
    with pytest.raises(OSError, match="full"), replacing(path) as temporary:
        temporary.write_text("ne", "utf-8")
        raise OSError("disk full")
    assert path.read_text("utf-8") == "old"
    assert names(tmp_path) == ["file"]


def test_a_writer_killed_before_the_rename_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", "utf-8")

    def write_and_die() -> None:
        with replacing(path) as temporary:
            temporary.write_text("new", "utf-8")
            os.kill(os.getpid(), signal.SIGKILL)

    killed(write_and_die)
    assert path.read_text("utf-8") == "old"
    assert len(names(tmp_path)) == 2
    remove_unfinished(tmp_path.glob(".file.*"))
    assert names(tmp_path) == ["file"]


def test_a_folder_replaces_the_one_that_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "day"
    folder.mkdir()
    (folder / "old").touch()
    with replacing(folder) as temporary:
        temporary.mkdir()
        (temporary / "new").touch()
        assert names(folder) == ["old"]
    assert names(folder) == ["new"]
    assert names(tmp_path) == ["day"]


def test_an_unfinished_folder_of_the_same_process_id_does_not_get_into_the_new_one(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "day"
    left = temporary_path(folder)
    left.mkdir()
    (left / "part").touch()
    with replacing(folder) as temporary:
        temporary.mkdir()
        (temporary / "new").touch()
    assert names(folder) == ["new"]


def test_a_block_that_writes_nothing_raises_and_keeps_the_old_content(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", "utf-8")
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_text("utf-8") == "old"


def test_several_files_are_replaced_once_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "QJST.csv").write_text("old", "utf-8")
    (tmp_path / "other").touch()
    with replacing_files(tmp_path) as temporary:
        (temporary / "QJST.csv").write_text("new", "utf-8")
        (temporary / "QPST.csv").write_text("new", "utf-8")
        assert (tmp_path / "QJST.csv").read_text("utf-8") == "old"
    assert names(tmp_path) == ["QJST.csv", "QPST.csv", "other"]
    assert (tmp_path / "QJST.csv").read_text("utf-8") == "new"


def test_an_error_replaces_none_of_several_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bad"), replacing_files(tmp_path / "new") as temporary:
        (temporary / "QJST.csv").touch()
        raise ValueError("bad input")
    assert names(tmp_path / "new") == []


def test_unfinished_files_and_folders_are_removed_and_absent_ones_skipped(tmp_path: Path) -> None:
    (tmp_path / ".spark-staging-1" / "inside").mkdir(parents=True)
    (tmp_path / ".rows.parquet.17").touch()
    (tmp_path / "rows.parquet").touch()
    remove_unfinished([*tmp_path.glob(".*"), tmp_path / ".gone.1"])
    assert names(tmp_path) == ["rows.parquet"]
