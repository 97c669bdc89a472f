"""A plain reader of ``rdw`` dumps, written without the product's decoder."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from mqcap.ingest.smf.layout import dtype_of, layouts


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
    def local_hour(self) -> int:
        """Hour of the header's time, on the local clock."""
        hundredths: int = struct.unpack(">I", self.data[6:10])[0]
        return hundredths // 360_000

    def triplet(self, number: int) -> tuple[int, int, int]:
        offset, length, count = struct.unpack_from(">IHH", self.data, 28 + 8 * number)
        return offset, length, count

    def section(self, number: int, structure: str) -> Any:
        """Return the first section of a triplet."""
        offset, length, _ = self.triplet(number)
        return np.frombuffer(self.data, dtype_of(layouts()[structure], length), 1, offset)[0]

    @property
    def start_local_us(self) -> int:
        """Local start of the interval, from the product header."""
        return _us(self.section(0, "QWHS")["qwhstime"])

    @property
    def built_utc_us(self) -> int:
        return _us(self.section(0, "QWHS")["qwhsstck"])


def _us(tod: Any) -> int:
    return (int(tod) >> 12) - 2_208_988_800_000_000


def records_in(rows: Bytes2D | None) -> list[Record]:
    """Return the records of an encoder, one per row."""
    assert rows is not None
    return [Record((row[5], struct.unpack_from(">H", row, 22)[0]), row) for row in map(bytes, rows)]


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
