"""Sections of many records: found, judged, decoded to tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mqcap.domain.datasets import CACHE_SECTION_COLUMNS, CF_SECTION_COLUMNS, SECTION_COLUMNS
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.header import read_heads
from mqcap.ingest.smf.kinds import Kind
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.record_heads import Heads
from mqcap.ingest.smf.sections import SHORTEST_SECTION_BYTES, dataset_schema, find_sections
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records
from tests.mqcap.ingest.smf.test_header import read_records

STATISTICS = Kind(115, 1)


def heads(*records: bytes | bytearray, kind: Kind = STATISTICS) -> Heads:
    sizes = np.array([len(record) for record in records], np.int64)
    base = np.cumsum(sizes) - sizes
    buffer = np.frombuffer(b"".join(records), np.uint8)
    return read_heads(Records(buffer, base, sizes, base, sizes), kind)


def statistics() -> list[bytearray]:
    """Two records of type 115 subtype 1, each with two sections of QSST and of QJST."""
    return [bytearray(record) for record in mq_dump_records()[:2]]


def place_of(record: bytes | bytearray, name: str) -> int:
    """The begin of the first section of a structure in a record."""
    return bytes(record).index(name.encode("cp037")) - 4


def found(made: Heads) -> dict[str, list[tuple[int, int]]]:
    """Record and index of each section by structure."""
    return {
        span.layout.name: list(zip(span.record.tolist(), span.index.tolist(), strict=True))
        for span in find_sections(made)
    }


def test_every_section_of_every_record_is_found_with_its_position() -> None:
    every = [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert found(heads(*statistics())) == {"QSST": every, "QJST": every}


def test_one_unsound_section_excludes_its_complete_record_and_no_other() -> None:
    first, second = statistics()
    at = place_of(first, "QJST") + 4
    first[at : at + 4] = b"XXXX"
    made = heads(first, second)
    assert found(made) == {"QSST": [(1, 0), (1, 1)], "QJST": [(1, 0), (1, 1)]}
    assert made.faults.reasons == {0: "a QJST section does not begin with its eye catcher"}
    assert made.faults.kinds == {0: Corruption.wrong_content}


def test_a_section_that_is_all_zero_is_absent_and_no_fault() -> None:
    first, second = statistics()
    at = place_of(first, "QJST")
    first[at : at + SHORTEST_SECTION_BYTES] = bytes(SHORTEST_SECTION_BYTES)
    made = heads(first, second)
    assert found(made)["QJST"] == [(0, 1), (1, 0), (1, 1)]
    assert made.faults.reasons == {}


def test_a_section_holds_as_many_bytes_of_fields_as_it_says_itself() -> None:
    first, _ = statistics()
    at = place_of(first, "QJST") + 2
    first[at : at + 2] = (48).to_bytes(2, "big")
    [span] = [span for span in find_sections(heads(first)) if span.layout.name == "QJST"]
    assert span.length.tolist() == [48, layouts()["QJST"].length]


def test_a_triplet_that_points_out_of_its_record_is_a_fault() -> None:
    first, second = statistics()
    first[28 + 8 * 11 : 28 + 8 * 11 + 4] = (30_000).to_bytes(4, "big")
    made = heads(first, second)
    assert {record for places in found(made).values() for record, _ in places} == {1}
    assert made.faults.reasons == {0: "its QJST sections are outside of it"}
    assert made.faults.kinds == {0: Corruption.too_short}


def test_the_columns_in_front_depend_on_who_wrote_the_record() -> None:
    writers = {
        "QJST": SECTION_COLUMNS,
        "R744F": CF_SECTION_COLUMNS,
        "SMF74PRO": CF_SECTION_COLUMNS,
        "R745D": CACHE_SECTION_COLUMNS,
    }
    for name, declared in writers.items():
        assert dataset_schema(layouts()[name]).names[: len(declared)] == list(declared)


def test_decoded_tables_have_the_schema_of_their_dataset(tmp_path: Path) -> None:
    tables = read_records(tmp_path, *mq_dump_records(), *cf_dump_records()).tables
    for name in ("QJST", "QSST", "R744F", "R744S"):
        layout = layouts()[name]
        assert tables[layout.dataset].schema.names == dataset_schema(layout).names
    assert tables["section_qjst"]["section_index"].to_pylist() == [0, 1, 0, 1]
