"""The sample dumps of the project decode to what they were written from, or to IBM's own CSV."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.mqcap.ingest.compared import TRUTHS, damaged, printed, written
from tests.mqcap.ingest.reading import is_accounted, read_all
from tests.shared import shared_cases, shared_dir

pytestmark = pytest.mark.thorough

SHARED = shared_dir()
SAMPLES = None if SHARED is None else SHARED / "data" / "smf"
WRITTEN = [dump for dump in TRUTHS if dump.startswith("mini")]
REAL = {"TEST115": (494, 7_046), "TEST116": (318, 9_214), "TESTCHL": (35_923, 792_532)}
"""Fields compared and bytes of content."""


def existing(names: Iterable[str], folder: str = "", suffix: str = "") -> list[Path]:
    """The sample files that this machine has."""
    if SAMPLES is None:
        return []
    return [path for name in names if (path := SAMPLES / folder / f"{name}{suffix}").exists()]


@pytest.mark.parametrize("dump", shared_cases(existing(WRITTEN)), ids=lambda path: path.name)
def test_every_written_value_is_decoded(dump: Path) -> None:
    read = read_all(dump)
    differences = written(read.tables, dump.parent / "expected" / TRUTHS[dump.name])
    assert differences.mismatches == []
    assert differences.fields > 2_000
    assert is_accounted(read.summary)
    assert read.summary.quarantined_bytes == 0
    assert read.summary.framing == dump.name.split(".")[1]


@pytest.mark.parametrize(
    "dump", shared_cases(existing(REAL, "real", ".dat.gz")), ids=lambda path: path.name
)
def test_real_dumps_decode_to_the_formatters_csv(dump: Path) -> None:
    name = dump.name.partition(".")[0]
    read = read_all(dump)
    result = printed(read.tables, dump.with_name(f"{name}.csv.tar.gz"))
    assert result.mismatches == []
    fields, content_bytes = REAL[name]
    assert result.fields == fields
    assert (read.summary.content_bytes, read.summary.quarantined_bytes) == (content_bytes, 0)
    assert is_accounted(read.summary)


@pytest.mark.parametrize(
    "dump", shared_cases(existing(["mini.rdw.smf"])), ids=lambda path: path.name
)
def test_the_synthetic_dump_decodes_to_the_formatters_csv(dump: Path) -> None:
    result = printed(read_all(dump).tables, dump.parent / "expected" / "mini.csv")
    assert result.mismatches == []
    assert result.fields == 16_256


@pytest.mark.parametrize(
    "dump", shared_cases(existing(["mini.rdw.smf"])), ids=lambda path: path.name
)
def test_the_readable_records_of_a_corrupt_dump_are_those_of_the_sound_one(dump: Path) -> None:
    readable = dict(damaged(dump))
    assert {name: item.mismatches for name, item in readable.items() if item.mismatches} == {}
    assert len(readable) == 6
    assert min(item.fields for item in readable.values()) > 10_000


@pytest.mark.parametrize(
    "dump", shared_cases(existing(["sample_3d.rdw.smf.gz"])), ids=lambda path: path.name
)
def test_three_days_of_facility_records_decode(dump: Path) -> None:
    read = read_all(dump)
    differences = written(read.tables, dump.parent / "expected" / "sample_3d.cf.jsonl.gz")
    assert differences.mismatches == []
    assert differences.fields == 157_824
