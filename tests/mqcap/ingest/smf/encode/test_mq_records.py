from __future__ import annotations

import struct

import numpy as np

from mqcap.ingest.smf.encode import (
    MQ_RECORD_KINDS,
    Bytes2D,
    Intervals,
    QueueManagerIdentity,
    group_of,
    mq_records,
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
