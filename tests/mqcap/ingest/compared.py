"""Decoded sample dumps against what they were written from, and against IBM's formatter."""

import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa

from tests.mqcap.ingest.formatter import compare_csv
from tests.mqcap.ingest.reading import read_all
from tests.mqcap.ingest.truth import Comparison, compare
from tests.shared import shared_dir

TRUTHS: Final = {
    "mini.rdw.smf": "mini.truth.jsonl.gz",
    "mini.rdwseg.smf": "mini.truth.jsonl.gz",
    "mini.bdw.smf": "mini.truth.jsonl.gz",
    "mini.nordw.smf": "mini.truth.jsonl.gz",
    "mini_cf.rdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.bdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.nordw.smf": "mini_cf.truth.jsonl.gz",
    "sample_3d.rdw.smf.gz": "sample_3d.cf.jsonl.gz",
}
PRINTED: Final = {
    "real/TEST115.dat.gz": "real/TEST115.csv.tar.gz",
    "real/TEST116.dat.gz": "real/TEST116.csv.tar.gz",
    "real/TESTCHL.dat.gz": "real/TESTCHL.csv.tar.gz",
    "mini.rdw.smf": "expected/mini.csv",
    "sample_3d.rdw.smf.gz": "expected/sample_3d.csv.tar.gz",
}
SHIFTED_BY_MIXED_LEVELS: Final = frozenset({"QSPH", "QSGM", "QSRS"})
"""With two levels in one file, the formatter prints these under the wrong headings."""
OWN_PLACE: Final = frozenset({"record_offset_bytes", "file_sha256"})
"""Columns that differ between a sound dump and a damaged copy."""

Tables = Mapping[str, pa.Table]


def comparisons() -> Iterator[tuple[str, Comparison]]:
    """Name and result of every comparison that this machine has the data for."""
    shared = shared_dir()
    if shared is None:
        return
    samples = shared / "data" / "smf"
    for dump, truth in TRUTHS.items():
        path = samples / dump
        result = compare(read_all(path).tables, path.parent / "expected" / truth)
        yield f"{dump} / written values", result
    for dump, csv in PRINTED.items():
        yield f"{dump} / formatter", printed(read_all(samples / dump).tables, samples / csv)
    for name, result in damaged(samples / "mini.rdw.smf"):
        yield f"mini.rdw.smf {name} / sound rows", result


def printed(tables: Tables, path: Path) -> Comparison:
    """All CSV files of the formatter for one dump: a folder or an archive."""
    mixed = path.is_dir()
    result = [
        ("", compare_csv(tables, structure, lines))
        for structure, lines in csv_files(path)
        if not (mixed and structure in SHIFTED_BY_MIXED_LEVELS)
    ]
    return whole(result)


def csv_files(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Structure and lines of every CSV in a folder or archive."""
    if path.is_dir():
        for file in sorted(path.glob("*.csv")):
            yield file.stem.removeprefix("SMF-"), file.read_text("latin-1").splitlines()
        return
    with tarfile.open(path) as members:
        for member in members:
            content = members.extractfile(member) if member.name.endswith(".csv") else None
            if content is not None:
                lines = content.read().decode("latin-1").splitlines()
                yield Path(member.name).stem.removeprefix("SMF-"), lines


def damaged(path: Path) -> Iterator[tuple[str, Comparison]]:
    """Damaged copies of a dump: every row that they still give is one of the sound dump."""
    content, sound = path.read_bytes(), _by_identity(read_all(path).tables)
    middle = len(content) // 2
    copies = {
        "cut": content[:middle],
        "with a hole": content[:middle] + bytes(900) + content[middle + 900 :],
        "with bytes inserted": content[:middle] + b"\r\n" * 7 + content[middle:],
        "with bytes lost": content[:middle] + content[middle + 333 :],
        "with a wrong length": _with_wrong_length(content),
        "without its beginning": content[7_777:],
    }
    for name, copy in copies.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "copy.smf"
            file.write_bytes(copy)
            yield name, _among(sound, read_all(file).tables)


def whole(values: Iterable[tuple[str, Comparison]]) -> Comparison:
    """Several comparisons as one."""
    every = [comparison for _, comparison in values]
    mismatches = [text for item in every for text in item.mismatches]
    return Comparison(sum(item.fields for item in every), mismatches)


def _with_wrong_length(content: bytes) -> bytes:
    """The third record says that it is longer than it is."""
    at = 0
    for _ in range(2):
        at += int.from_bytes(content[at : at + 2], "big")
    length = int.from_bytes(content[at : at + 2], "big") + 77
    return content[:at] + length.to_bytes(2, "big") + content[at + 2 :]


Identity = tuple[str, int, int]


def _by_identity(tables: Tables) -> dict[Identity, dict[str, object]]:
    return {
        (dataset, row["record_hash"], row["section_index"]): row
        for dataset, table in tables.items()
        if dataset != "quarantine"
        for row in table.to_pylist()
    }


def _among(sound: Mapping[Identity, Mapping[str, object]], tables: Tables) -> Comparison:
    """Every row with its sound counterpart, field by field; a time that became unknown is none."""
    count, mismatches = 0, []
    for identity, row in _by_identity(tables).items():
        original = sound.get(identity)
        for name, value in row.items():
            if name in OWN_PLACE:
                continue
            count += 1
            wanted = original[name] if original else "no such row"
            lost = value is None and name.startswith(("interval_", "utc_", "record_utc"))
            if value != wanted and not lost:
                mismatches.append(f"{identity} {name}: {value!r}, not {wanted!r}")
    return Comparison(count, mismatches)
