"""A plain reader of ``rdw`` dumps, written without the product's decoder."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from mqcap.ingest.smf.layout import dtype_of, layouts

_STRUCTURES = {
    (74, 4): {
        0: "SMF74PRO",
        1: "R744F",
        2: "R744X",
        3: "R744G",
        4: "R744Q",
        5: "R744S",
        6: "R744P",
    },
    (74, 5): {0: "SMF74PRO", 2: "R745D"},
    (115, 1): {9: "QSST", 11: "QJST"},
    (115, 2): {1: "QMST", 2: "QIST", 4: "QLST", 5: "Q5ST", 6: "QEST", 7: "QTST", 8: "QESD"},
    (115, 201): {1: "QIS1"},
    (115, 215): {1: "QPST"},
    (115, 231): {1: "QCCT", 2: "QCTDSP", 3: "QCTADP", 4: "QCTSSL", 5: "QCTDNS"},
    (116, 10): {1: "QCST"},
}


@dataclass(frozen=True)
class Record:
    kind: tuple[int, int]
    data: bytes

    @property
    def smfid(self) -> str:
        return self.data[14:18].decode("cp037").strip()

    @property
    def owner(self) -> str:
        return self.data[18:22].decode("cp037").strip()

    @property
    def local_us(self) -> int:
        """Header time as microseconds since 1970 on the local clock."""
        hundredths = struct.unpack(">I", self.data[6:10])[0]
        digits = self.data[10:14].hex()
        assert digits[0] == "0"
        assert digits[-1] == "f"
        year, day = 1900 + 100 * int(digits[1]) + int(digits[2:4]), int(digits[4:7])
        start = np.datetime64(f"{year}-01-01", "us") + np.timedelta64(day - 1, "D")
        return int(start.astype(np.int64)) + int(hundredths) * 10_000

    def triplet(self, number: int) -> tuple[int, int, int]:
        offset, length, count = struct.unpack_from(">IHH", self.data, 28 + 8 * number)
        return offset, length, count

    def sections(self, number: int) -> Any:
        structure = "QWHS" if number == 0 and self.kind[0] != 74 else ""
        offset, length, count = self.triplet(number)
        structure = structure or _STRUCTURES[self.kind][number]
        dtype = dtype_of(layouts()[structure], length)
        return np.frombuffer(self.data, dtype, count, offset)

    @property
    def interval_us(self) -> tuple[int, int]:
        """Local start and length of the interval, from the product header."""
        product = self.sections(0)[0]
        unit = 4096 if self.kind in {(115, 231), (116, 10)} else 1
        start = (int(product["qwhstime"]) >> 12) - 2_208_988_800_000_000
        return start, int(product["qwhsdurn"]) // unit

    @property
    def built_utc_us(self) -> int:
        return (int(self.sections(0)[0]["qwhsstck"]) >> 12) - 2_208_988_800_000_000


def records_in(rows: Bytes2D | None) -> list[Record]:
    """Return the records of an encoder, one per row."""
    assert rows is not None
    return [Record((row[5], struct.unpack_from(">H", row, 22)[0]), row) for row in map(bytes, rows)]


def text(value: bytes) -> str:
    return value.decode("cp037").strip()


def records_of(path: Path) -> Iterator[Record]:
    data = path.read_bytes()
    place = 0
    while place < len(data):
        length = struct.unpack_from(">H", data, place)[0]
        content = data[place : place + length]
        subtype = struct.unpack_from(">H", content, 22)[0] if length >= 24 else 0
        yield Record((content[5], subtype), content)
        place += length


def records_of_kind(paths: list[Path], kind: tuple[int, int], owner: str) -> list[Record]:
    return [
        record
        for path in paths
        for record in records_of(path)
        if record.kind == kind and record.owner == owner
    ]
