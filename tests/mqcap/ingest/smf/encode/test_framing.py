from __future__ import annotations

import gzip
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.encode import (
    MQ_RECORD_KINDS,
    Bytes2D,
    Intervals,
    QueueManagerIdentity,
    WrittenFraming,
    dump_marker,
    group_of,
    mq_records,
    write_dump,
)
from mqcap.ingest.smf.layout import (
    layouts,
)


def _sample_records(count: int, pools: int) -> Bytes2D:
    hour_us = 3_600_000_000
    starts = 1_741_611_600_000_000 + hour_us * np.arange(count, dtype=np.int64)
    intervals = Intervals(starts, starts + hour_us, np.full(count, -300, dtype=np.int64))
    columns = {"qpstpool": np.arange(count * pools, dtype=np.int64) % pools}
    group = group_of(layouts()["QPST"], columns, 104, count, pools)
    identity = QueueManagerIdentity("PRD1", "MQP1", "10.0.0", "QSGP")
    return mq_records(MQ_RECORD_KINDS[115, 215], identity, intervals, {1: group})


def _logical(data: bytes) -> Iterator[bytes]:
    place, pieces = 0, b""
    while place < len(data):
        length, code = struct.unpack(">HB", data[place : place + 3])
        pieces += data[place + 4 : place + length]
        if code in (0, 2):
            yield bytes(4) + pieces
            pieces = b""
        place += length


def _block_bodies(data: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(data):
        length = struct.unpack(">H", data[place : place + 2])[0]
        yield data[place + 4 : place + length]
        place += length


def test_every_framing_holds_the_same_records(tmp_path: Path) -> None:
    records = [row.tobytes() for row in _sample_records(40, 60)]
    content = [dump_marker(2, 0, "PRD1"), *records, dump_marker(3, 0, "PRD1")]
    for framing, segment_bytes in [
        (WrittenFraming.rdw, 0),
        (WrittenFraming.rdwseg, 1_000),
        (WrittenFraming.rdwseg, 27_994),
        (WrittenFraming.bdw, 0),
    ]:
        path = tmp_path / f"{framing}.smf"
        written = write_dump(path, content, framing, segment_bytes=segment_bytes)
        data = path.read_bytes()
        assert len(data) == written
        blocks = _block_bodies(data) if framing is WrittenFraming.bdw else [data]
        assert [record[4:] for record in _logical(b"".join(blocks))] == [
            record[4:] for record in content
        ]
    write_dump(tmp_path / "nordw.smf", content, WrittenFraming.nordw)
    assert (tmp_path / "nordw.smf").read_bytes() == b"".join(record[4:] for record in content)


def test_a_compressed_dump_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    records = [dump_marker(2, 0, "PRD1")]
    for name in ("one.gz", "two.gz"):
        write_dump(tmp_path / name, records, compress=True)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert gzip.decompress((tmp_path / "one.gz").read_bytes()) == records[0]


def test_a_record_longer_than_the_platform_allows_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot exist"):
        _sample_records(1, 400)


def test_the_header_of_a_record_carries_local_time_and_the_product_header_both() -> None:
    record = _sample_records(1, 4)[0].tobytes()
    assert record[:28].hex() == "021000005e73003170400125069fd7d9c4f1d4d8d7f100d7f9f4f600"
    offset, length, count = struct.unpack(">IHH", record[28:36])
    assert (length, count, offset + length) == (68, 1, len(record))
    product = record[offset:]
    assert product[12:16] == "MQP1".encode("cp037")
    local_start, duration_us = struct.unpack(">QQ", product[36:52])
    utc_end = struct.unpack(">Q", product[16:24])[0]
    assert duration_us == 3_600_000_000
    assert (local_start >> 12) + duration_us == (utc_end >> 12) - 300 * 60_000_000
    assert product[56:60] == "QSGP".encode("cp037")
    assert product[60:66] == "100000".encode("cp037")
