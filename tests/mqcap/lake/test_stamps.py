"""A digest of files is that of before only while no file has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.lake.stamps import SETTLED_SECONDS, digest_of_files
from tests.memory_lake import filled, memory_lake

LONG_AGO = 1_700_000_000


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    for name in ("metric/hour_date=1/a.parquet", "metric/hour_date=2/b.parquet", "top.json"):
        write(tmp_path / name, b"content")
    return tmp_path


def write(path: Path, content: bytes, seconds: float = LONG_AGO) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (seconds, seconds))


CHANGES: dict[str, Callable[[Path], None]] = {
    "other size": lambda lake: write(lake / "top.json", b"longer content"),
    "other time": lambda lake: write(lake / "top.json", b"CONTENT", LONG_AGO + 1),
    "new file": lambda lake: write(lake / "metric/hour_date=3/c.parquet", b""),
    "no file": lambda lake: (lake / "top.json").unlink(),
    "other name": lambda lake: [(lake / "top.json").rename(lake / "tip.json")].clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_any_file_changes_the_digest(lake: Path, change: str) -> None:
    before = digest_of_files(lake, ())
    assert before is not None
    assert digest_of_files(lake, ()) == before
    CHANGES[change](lake)
    assert digest_of_files(lake, ()) != before


def test_folders_and_files_that_are_left_out_change_nothing(lake: Path) -> None:
    without = {"locks", "landing/looked_at.json"}
    before = digest_of_files(lake, without)
    write(lake / "locks/forecast", b"held", time.time())
    write(lake / "landing/looked_at.json", b"{}", time.time())
    assert digest_of_files(lake, without) == before
    write(lake / "landing/places.json", b"{}")
    assert digest_of_files(lake, without) != before


def test_an_empty_lake_and_one_that_does_not_exist_have_the_same_digest(tmp_path: Path) -> None:
    assert digest_of_files(tmp_path, ()) == digest_of_files(tmp_path / "none", ()) is not None


@pytest.mark.parametrize(
    ("age_seconds", "is_told"), [(0.0, False), (1.0, False), (SETTLED_SECONDS + 1, True)]
)
def test_a_file_that_was_just_written_may_change_unseen(
    lake: Path, age_seconds: float, is_told: bool
) -> None:
    write(lake / "new.parquet", b"new", time.time() - age_seconds)
    assert (digest_of_files(lake, ()) is not None) is is_told


def test_nothing_is_told_of_objects_that_were_just_written() -> None:
    new = filled(memory_lake(), {"metric/a.parquet": b"a", "locks/a": b""})
    assert digest_of_files(new, ()) is None
    assert digest_of_files(new, {"metric"}) is None
    assert digest_of_files(new, {"metric", "locks/a"}) is not None
