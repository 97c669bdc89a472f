"""The sample dumps of the project decode to what they were written from, or to IBM's own CSV."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.formatter import compare_csv
from tests.ingest.reading import is_accounted, read_all
from tests.ingest.truth import compare
from tests.shared import shared_dir

SHARED = shared_dir()
SAMPLES = None if SHARED is None else SHARED / "data" / "smf"
SHIFTED_BY_MIXED_LEVELS = {"QSPH", "QSGM", "QSRS"}
"""With two levels in one file, the formatter prints these under the wrong headings."""
TRUTHS = {
    "mini.rdw.smf": "mini.truth.jsonl.gz",
    "mini.rdwseg.smf": "mini.truth.jsonl.gz",
    "mini.bdw.smf": "mini.truth.jsonl.gz",
    "mini.nordw.smf": "mini.truth.jsonl.gz",
    "mini_cf.rdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.bdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.nordw.smf": "mini_cf.truth.jsonl.gz",
}
REAL = {"TEST115": (494, 7_046), "TEST116": (318, 9_214), "TESTCHL": (35_923, 792_532)}
"""Fields compared and bytes of content."""


def existing(names: dict[str, object], folder: str = "", suffix: str = "") -> list[Path]:
    """The sample files that this machine has."""
    if SAMPLES is None:
        return []
    return [path for name in names if (path := SAMPLES / folder / f"{name}{suffix}").exists()]


def printed(archive: Path) -> Iterator[tuple[str, list[str]]]:
    """Structure and lines of every CSV in an archive."""
    with tarfile.open(archive) as members:
        for member in members:
            content = members.extractfile(member) if member.name.endswith(".csv") else None
            if content is not None:
                lines = content.read().decode("latin-1").splitlines()
                yield Path(member.name).stem.removeprefix("SMF-"), lines


@pytest.mark.parametrize("dump", existing(dict(TRUTHS)), ids=lambda path: path.name)
def test_every_written_value_is_decoded(dump: Path) -> None:
    read = read_all(dump)
    found = compare(read.tables, dump.parent / "expected" / TRUTHS[dump.name])
    assert found.mismatches == []
    assert found.fields > 2_000
    assert is_accounted(read.summary)
    assert read.summary.quarantined_bytes == 0
    assert read.summary.framing == dump.name.split(".")[1]


@pytest.mark.parametrize(
    "dump", existing(dict(REAL), "real", ".dat.gz"), ids=lambda path: path.name
)
def test_real_dumps_decode_to_the_formatters_csv(dump: Path) -> None:
    name = dump.name.partition(".")[0]
    read = read_all(dump)
    found = [
        compare_csv(read.tables, structure, lines)
        for structure, lines in printed(dump.with_name(f"{name}.csv.tar.gz"))
    ]
    assert [text for comparison in found for text in comparison.mismatches] == []
    fields, content_bytes = REAL[name]
    assert sum(comparison.fields for comparison in found) == fields
    assert (read.summary.content_bytes, read.summary.quarantined_bytes) == (content_bytes, 0)
    assert is_accounted(read.summary)


@pytest.mark.parametrize("dump", existing({"mini.rdw.smf": 0}), ids=lambda path: path.name)
def test_the_synthetic_dump_decodes_to_the_formatters_csv(dump: Path) -> None:
    read = read_all(dump)
    folder = dump.parent / "expected" / "mini.csv"
    compared = 0
    for file in sorted(folder.glob("*.csv")):
        structure = file.stem.removeprefix("SMF-")
        if structure not in SHIFTED_BY_MIXED_LEVELS:
            found = compare_csv(read.tables, structure, file.read_text("latin-1").splitlines())
            assert found.mismatches == []
            compared += found.fields
    assert compared > 10_000


@pytest.mark.parametrize("dump", existing({"sample_3d.rdw.smf.gz": 0}), ids=lambda path: path.name)
def test_three_days_of_facility_records_decode(dump: Path) -> None:
    read = read_all(dump)
    found = compare(read.tables, dump.parent / "expected" / "sample_3d.cf.jsonl.gz")
    assert found.mismatches == []
    assert found.fields == 157_824


@pytest.mark.parametrize(
    ("log", "events"),
    list(zip(existing({"joblog.txt": 0, "syslog.txt": 0}, "console"), (10, 9), strict=False)),
    ids=lambda value: getattr(value, "name", ""),
)
def test_sample_logs_give_their_events(log: Path, events: int) -> None:
    read = read_all(log, {"PRD1": "America/New_York", "PRD2": "America/New_York"})
    assert read.tables["console_event"].num_rows == events
    assert read.summary.quarantined_bytes == 0
    assert is_accounted(read.summary)
