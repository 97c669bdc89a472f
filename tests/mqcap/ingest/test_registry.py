"""Sources in their order, and how far a reading is."""

import gzip
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from mqcap import ingest
from mqcap.ingest.capture_stamp import site_stamp_utc, stamp_utc
from mqcap.ingest.registry import expected_inputs, source_for, sources
from mqcap.ingest.shown_reading import shown_tables
from mqcap.ingest.smf import source as smf_source
from mqcap.progress.shown import show_on
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.progress.displays import Noted


def test_sources_are_asked_in_their_order_and_dumps_first() -> None:
    orders = [source.order for source in sources()]
    assert orders == sorted(orders)
    assert next(sources()) is smf_source.SOURCE
    assert {"smf", "formatter", "rmf", "console"} <= {source.name for source in sources()}


def test_what_is_expected_lists_every_source() -> None:
    text = expected_inputs()
    assert text.startswith("an SMF dump, ")
    assert all(source.description in text for source in sources())


def test_a_new_package_is_found_without_an_entry_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "ingest" / "notes"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "source.py").write_text(
        """
class NotesSource:
    name = "notes"
    order = 25
    description = "a notebook"

    def accepts(self, path):
        return path.read_bytes().startswith(b"NOTES")

    def read(self, path, file_sha256):
        raise NotImplementedError


SOURCE = NotesSource()
"""
    )
    monkeypatch.setattr(ingest, "__path__", [*ingest.__path__, str(package.parent)])
    path = tmp_path / "file"
    path.write_bytes(b"NOTES of a test")
    try:
        assert source_for(path).name == "notes"
        names = [source.name for source in sources()]
        assert names.index("rmf") < names.index("notes") < names.index("console")
    finally:
        for name in ("mqcap.ingest.notes", "mqcap.ingest.notes.source"):
            sys.modules.pop(name, None)
        del ingest.notes  # type: ignore[attr-defined]


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


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-07-09T10:00:00Z", 10),
        ("2026-07-09T10:00:00+0000", 10),
        ("2026-07-09T10:00:00-0400", 14),
        ("2026-07-09T10:00:00+05:00", 5),
    ],
)
def test_a_stamp_is_an_instant_by_its_offset(text: str, hour: int) -> None:
    assert stamp_utc(text) == datetime(2026, 7, 9, hour, tzinfo=UTC)


def test_the_largest_offset_is_fourteen_hours() -> None:
    assert stamp_utc("2026-07-09T14:00:00+1400") == datetime(2026, 7, 9, tzinfo=UTC)
    with pytest.raises(ValueError, match="no time zone has"):
        stamp_utc("2026-07-09T14:00:00+1401")


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+0100", "9999-12-31T23:59:59-0100"])
def test_a_time_beyond_the_calendar_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no time that a clock has"):
        stamp_utc(text)
    with pytest.raises(ValueError, match="no time that a clock has"):
        zone = "Asia/Kolkata" if text.startswith("0001") else "America/Chicago"
        site_stamp_utc(text[:19], zone, None, "TPF1")


def test_a_stamp_without_offset_is_local_time_of_the_site() -> None:
    utc = datetime(2026, 7, 8, 18, 45, tzinfo=UTC)
    assert site_stamp_utc("2026-07-09T00:15:00", "Asia/Kolkata", None, "TPF1") == utc
    assert site_stamp_utc("2026-07-08T18:45:00Z", "Asia/Kolkata", None, "TPF1") == utc
    with pytest.raises(ValueError, match="no site of the settings lists TPF1"):
        site_stamp_utc("2026-07-09T00:15:00", None, None, "TPF1")


@pytest.mark.parametrize(("earlier_minute", "hour"), [(None, 5), (15, 5), (45, 6)])
def test_the_second_of_two_equal_hours_is_meant_behind_the_first(
    earlier_minute: int | None, hour: int
) -> None:
    earlier = None
    if earlier_minute is not None:
        earlier = datetime(2026, 11, 1, 5, earlier_minute, tzinfo=UTC)
    made = site_stamp_utc("2026-11-01T01:30:00", "America/New_York", earlier, "TPF1")
    assert made == datetime(2026, 11, 1, hour, 30, tzinfo=UTC)
