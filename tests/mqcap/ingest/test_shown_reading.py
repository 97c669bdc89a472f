"""The share of an input that has been read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import at_position, followed, shown_tables
from mqcap.progress.shown import show_on
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.progress.displays import Noted


def shares_of(path: Path) -> list[float]:
    """The shares that are shown while the tables of a file are made."""
    with show_on(display := Noted()):
        list(shown_tables(source_for(path).read(path, "0" * 64), path, "input"))
    begun, *shown, ended, _ = display.calls
    assert (begun, ended) == ("read input begun", "read input ended")
    mib = path.stat().st_size / 1_048_576
    return [float(call.split(" ")[0]) / mib for call in shown]


def log(lines: int) -> bytes:
    """A console log of so many lines, which no packing makes much smaller."""
    line = "N 0000000 PRD1     2025069 08:%02d:00.17 STC04712 00000090  TEXT %s\n"
    digits = Random(1)  # noqa: S311 - no secret
    return "".join(
        line % (number % 60, digits.randbytes(16).hex()) for number in range(lines)
    ).encode()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_text_shows_the_share_of_the_file_as_it_is_on_disk(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(log(20_001)))
    shares = shares_of(path)
    assert shares == sorted(shares)
    assert any(0.2 < share < 0.8 for share in shares)
    assert shares[-1] == pytest.approx(1.0, abs=0.001)


@pytest.mark.thorough
def test_a_dump_shows_the_share_within_each_batch(tmp_path: Path) -> None:
    shares = shares_of(small_dump(tmp_path))
    assert shares == sorted(shares)
    assert len({share for share in shares if 0 < share < 1}) > 3
    assert shares[-1] == pytest.approx(1.0, abs=0.001)


def test_nobody_need_follow() -> None:
    at_position(3)
    seen: list[int] = []
    with followed(seen.append):
        at_position(4)
    at_position(5)
    assert seen == [4]
