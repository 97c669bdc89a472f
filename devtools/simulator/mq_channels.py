"""Channel initiator records: 115 subtype 231 and 116 subtype 10."""

from typing import Any, Final

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import ChannelPartner
from devtools.simulator.timeline import Int64s

_TASK_BUSY_RATIO: Final = 0.35
_TASK_CPU_RATIO: Final = 0.6
_FIRST_TASK_ADDRESS: Final = 0x9C0250
_TASK_ADDRESS_STEP: Final = 0x2A8
_NO_LIMIT_MIB: Final = 17_592_186_040_320
_LU62_CHANNELS: Final = 200
_CHANNEL_SECTIONS_MAX: Final = 12
_MESSAGES_PER_CHANNEL: Final = 900


def chinit_records(part: Slice) -> Bytes2D:
    """115.231: control information and the tasks of the channel initiator."""
    spec, tls = part.qmgr.spec.chinit, part.qmgr.spec.chinit.tls_tasks
    dispatchers = _task_columns(part, spec.dispatchers)
    dispatchers["qctchln"] = part.of(part.qmgr.channels) // spec.dispatchers
    adapters = _task_columns(part, spec.adapters)
    used = np.arange(spec.adapters) < spec.adapters - spec.adapters_unused
    adapters["qctreqn"] = np.where(used, adapters["qctreqn"][:, np.newaxis], 0)
    groups = {
        **({4: part.group("QCTSSL", _task_columns(part, tls), tls)} if tls else {}),
        1: part.group("QCCT", _control_columns(part)),
        2: part.group("QCTDSP", dispatchers, spec.dispatchers),
        3: part.group("QCTADP", adapters, spec.adapters),
        5: part.group("QCTDNS", _task_columns(part, 1)),
    }
    return part.records(115, 231, groups)


def channel_records(part: Slice) -> Bytes2D:
    """116.10: the busiest channel instances."""
    name = part.qmgr.spec.name
    partners = _partners(part)
    count = _CHANNEL_SECTIONS_MAX
    channels = part.of(part.qmgr.channels)[:, np.newaxis]
    messages = channels * _MESSAGES_PER_CHANNEL // (1 + np.arange(count))
    columns = {
        "qcstcltm": part.intervals.end_us,
        "qcstchnm": [f"{name}.TO.{partner.qmgr}" for partner in partners],
        "qcstchdp": 2,
        "qcstchty": 1,
        "qcstchst": 3,
        "qcstcnnm": [f"10.20.0.{place}(1414)" for place in range(count)],
        "qcststrt": part.intervals.start_us,
        "qcstlmst": part.intervals.end_us,
        "qcstcbsz": 50,
        "qcstnmsg": messages,
        "qcstnpmg": messages * [partner.persistent_pct for partner in partners] // 100,
        "qcstbatc": messages // 20,
        "qcstnbyt": messages * [partner.message_bytes for partner in partners],
        "qcstrqmn": [partner.qmgr for partner in partners],
    }
    return part.records(116, 10, {1: part.group("QCST", columns, count)})


def _partners(part: Slice) -> list[ChannelPartner]:
    """Return the partner of each channel: those of the specification, then others elsewhere."""
    given = part.qmgr.spec.partners[:_CHANNEL_SECTIONS_MAX]
    others = range(len(given), _CHANNEL_SECTIONS_MAX)
    return [
        *given,
        *(ChannelPartner(qmgr=f"PARTNER{place:02d}", persistent_pct=20) for place in others),
    ]


def _control_columns(part: Slice) -> dict[str, Any]:
    spec, qmgr = part.qmgr.spec, part.qmgr
    channels = part.of(qmgr.channels)
    limit = spec.chinit.limit_64bit_mib
    return {
        "qcctjobn": f"{spec.name}CHIN",
        "qcctqsgn": spec.qsg or "",
        "qcctnocc": channels,
        "qcctmxcc": spec.chinit.max_channels,
        "qcctnoac": channels * 9 // 10,
        "qcctmxac": spec.chinit.max_channels,
        "qcctmxtp": spec.chinit.max_channels,
        "qcctmxlu": _LU62_CHANNELS,
        "qcctstus": part.of(qmgr.used_31bit_mib),
        "qcctstab": part.of(qmgr.used_64bit_mib),
        "qcctslim": _NO_LIMIT_MIB if limit is None else round(limit),
    }


def _task_columns(part: Slice, count: int) -> dict[str, Any]:
    """Busy and waiting time of each task; together they are the interval."""
    length_us: Int64s = part.intervals.end_us - part.intervals.start_us
    share = _TASK_BUSY_RATIO * part.of(part.qmgr.channels) / part.qmgr.spec.chinit.max_channels
    busy_us = np.rint(np.minimum(share, 0.99) * length_us).astype(np.int64)
    return {
        "qcttskn": [_FIRST_TASK_ADDRESS + _TASK_ADDRESS_STEP * place for place in range(count)],
        "qctreqn": busy_us // 180,
        "qctcptm": np.rint(busy_us * _TASK_CPU_RATIO),
        "qcteltm": busy_us,
        "qctwttm": length_us - busy_us,
    }
