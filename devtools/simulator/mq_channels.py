"""Channel initiator records: 115 subtype 231 and 116 subtype 10."""

from typing import Any, Final

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.spec import ChannelPartner
from devtools.simulator.workload import rounded

_TASK_BUSY_RATIO: Final = 0.35
_TASK_CPU_RATIO: Final = 0.6
_FIRST_TASK_ADDRESS: Final = 0x9C0250
_TASK_ADDRESS_STEP: Final = 0x2A8
_NO_LIMIT_MIB: Final = 17_592_186_040_320
_LU62_CHANNELS: Final = 200
_CHANNEL_SECTIONS_MAX: Final = 12
_MESSAGES_PER_CHANNEL: Final = 900


def chinit_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """115.231: control information and the tasks of the channel initiator."""
    spec = qmgr.spec.chinit
    dispatchers = _task_columns(qmgr, spec.dispatchers)
    dispatchers["qctchln"] = qmgr.channels // spec.dispatchers
    adapters = _task_columns(qmgr, spec.adapters)
    used = np.arange(spec.adapters) < spec.adapters - spec.adapters_unused
    adapters["qctreqn"] = np.where(used, adapters["qctreqn"][:, np.newaxis], 0)
    limit = spec.limit_64bit_mib
    control = {
        "qcctjobn": f"{qmgr.spec.name}CHIN",
        "qcctqsgn": qmgr.spec.qsg or "",
        "qcctnocc": qmgr.channels,
        "qcctmxcc": spec.max_channels,
        "qcctnoac": qmgr.channels * 9 // 10,
        "qcctmxac": spec.max_channels,
        "qcctmxtp": spec.max_channels,
        "qcctmxlu": _LU62_CHANNELS,
        "qcctstus": qmgr.used_31bit_mib,
        "qcctstab": qmgr.used_64bit_mib,
        "qcctslim": _NO_LIMIT_MIB if limit is None else round(limit),
    }
    groups = {
        1: qmgr.group("QCCT", control),
        2: qmgr.group("QCTDSP", dispatchers, spec.dispatchers),
        3: qmgr.group("QCTADP", adapters, spec.adapters),
        5: qmgr.group("QCTDNS", _task_columns(qmgr, 1)),
    }
    if tls := spec.tls_tasks:
        groups[4] = qmgr.group("QCTSSL", _task_columns(qmgr, tls), tls)
    return qmgr.records(115, 231, groups)


def channel_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """116.10: the busiest channel instances, to partners of the specification, then others."""
    count = _CHANNEL_SECTIONS_MAX
    given = qmgr.spec.partners[:count]
    partners = [
        *given,
        *(
            ChannelPartner(qmgr=f"PARTNER{place:02d}", persistent_pct=20)
            for place in range(len(given), count)
        ),
    ]
    messages = qmgr.channels[:, np.newaxis] * _MESSAGES_PER_CHANNEL // (1 + np.arange(count))
    columns = {
        "qcstcltm": qmgr.intervals.end_us,
        "qcstchnm": [f"{qmgr.spec.name}.TO.{partner.qmgr}" for partner in partners],
        "qcstchdp": 2,
        "qcstchty": 1,
        "qcstchst": 3,
        "qcstcnnm": [f"10.20.0.{place}(1414)" for place in range(count)],
        "qcststrt": qmgr.intervals.start_us,
        "qcstlmst": qmgr.intervals.end_us,
        "qcstcbsz": 50,
        "qcstnmsg": messages,
        "qcstnpmg": messages * [partner.persistent_pct for partner in partners] // 100,
        "qcstbatc": messages // 20,
        "qcstnbyt": messages * [partner.message_bytes for partner in partners],
        "qcstrqmn": [partner.qmgr for partner in partners],
    }
    return qmgr.records(116, 10, {1: qmgr.group("QCST", columns, count)})


def _task_columns(qmgr: SimulatedQueueManager, count: int) -> dict[str, Any]:
    """Busy and waiting time of each task; together they are the interval."""
    length_us = qmgr.intervals.end_us - qmgr.intervals.start_us
    share = _TASK_BUSY_RATIO * qmgr.channels / qmgr.spec.chinit.max_channels
    busy_us = rounded(np.minimum(share, 0.99) * length_us)
    return {
        "qcttskn": [_FIRST_TASK_ADDRESS + _TASK_ADDRESS_STEP * place for place in range(count)],
        "qctreqn": busy_us // 180,
        "qctcptm": np.rint(busy_us * _TASK_CPU_RATIO),
        "qcteltm": busy_us,
        "qctwttm": length_us - busy_us,
    }
