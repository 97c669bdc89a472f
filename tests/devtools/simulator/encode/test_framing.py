import numpy as np
import pytest

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import (
    MQ_RECORD_KINDS,
    Intervals,
    QueueManagerIdentity,
    group_of,
    mq_records,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import layouts


def _sample_records(count: int, pools: int) -> Bytes2D:
    hour_us = 3_600_000_000
    starts = 1_741_611_600_000_000 + hour_us * np.arange(count, dtype=np.int64)
    intervals = Intervals(starts, starts + hour_us, np.full(count, -300, dtype=np.int64))
    columns = {"qpstpool": np.arange(count * pools, dtype=np.int64) % pools}
    group = group_of(layouts()["QPST"], columns, 104, count, pools)
    identity = QueueManagerIdentity("PRD1", "MQP1", "10.0.0", "QSGP")
    return mq_records(MQ_RECORD_KINDS[115, 215], identity, intervals, {1: group})


def test_a_record_longer_than_the_platform_allows_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot exist"):
        _sample_records(1, 400)
