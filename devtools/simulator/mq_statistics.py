"""Records of a queue manager and its channel initiator: 115.1, 2, 201, 215, 231 and 116.10."""

from typing import Any, Final

import numpy as np

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import group_of
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.spec import ChannelPartner, SharedMessageDataSet
from devtools.simulator.timeline import Int64s
from devtools.simulator.workload import rounded
from mqcap.ingest.smf.layout import layouts

_SINGLE_WRITES_PER_CI: Final = 1.8
"""Rewrites of part-filled control intervals: a busy dual-logging system shows this ratio."""
_MULTI_WRITES_PER_CI: Final = 0.11
_CI_PER_MULTI_WRITE: Final = 4
_SINGLE_WRITE_US: Final = 400
_MULTI_WRITE_US: Final = 460
_WRITER_WORK: Final = 1.1
"""Busy time of the log writer task by its I/O time."""
_MESSAGE_LOG_CI: Final = 0.45
"""Control intervals of log per persistent message put and got."""
_DEFERRED_WRITE_PCT: Final = 15
_SYNCHRONOUS_WRITE_PCT: Final = 5
PAGE_SET_LEVEL: Final = (9, 0, 0)
"""Version from which there are records of page sets."""
_CALL_US: Final = 12
"""Time of a call to a structure as MQ sees it."""
_BLOCK_QSST_BYTES: Final = 80
_BLOCK_QTST_BYTES: Final = 100
_SECONDS_PER_HOUR: Final = 3_600
_ZHYPERLINK_FALLBACK_RATIO: Final = 0.01
"""Synchronous writes that became asynchronous."""
_SHORTAGE_MIB_PER_S: Final = 1.6
"""Rate above which transactions wait for log buffers."""

Columns = dict[str, Any]


def log_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """115.1: storage manager and log manager."""
    columns = {"qsstgplf": 4, "qsstgetm": qmgr.channels}
    storage = group_of(layouts()["QSST"], columns, _BLOCK_QSST_BYTES, len(qmgr))
    return qmgr.records(115, 1, {9: storage, 11: qmgr.group("QJST", _log_columns(qmgr))})


def message_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """115.2: message, data, lock, topic, CF and DB2 managers."""
    messages = rounded(qmgr.log_ci * _MESSAGE_LOG_CI)
    if qmgr.spec.senders:
        messages = qmgr.sender_messages.sum(axis=0)
    features = qmgr.spec.features
    dynamic = rounded(qmgr.grid.seconds * (features.dynamic_queues_per_h / _SECONDS_PER_HOUR))
    data = {"qistmget": messages, "qistmput": messages, "qistdcre": dynamic, "qistddel": dynamic}
    persistent, other = messages * 4 // 5, messages // 5
    about_messages = {
        "qmstopen": messages // 50,
        "qmstclos": messages // 50,
        "qmstget": messages,
        "qmstput": messages,
        "qmstspp": persistent,
        "qmstsnp": other,
        "qmstpbp": persistent * 2_048,
        "qmstnbp": other * 2_048,
    }
    groups = {
        1: qmgr.group("QMST", about_messages),
        2: qmgr.group("QIST", data),
        4: qmgr.group("QLST", {"qlstgetl": 4 * messages, "qlsthldl": messages}),
        5: qmgr.group("Q5ST", {"numtask": 9, "acttask": 9}),
        6: qmgr.group("QEST", _shared_queue_columns(qmgr)),
        7: group_of(layouts()["QTST"], {"qtststot": 3}, _BLOCK_QTST_BYTES, len(qmgr)),
    }
    if data_set := features.shared_message_data_set:
        groups[8] = qmgr.group("QESD", _data_set_columns(data_set, messages))
    return qmgr.records(115, 2, groups)


def page_set_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """115.201: one section per page set."""
    items = qmgr.spec.page_sets
    pages = [item.pages for item in items]
    used = qmgr.used_pages.T
    persistent = used * 4 // 5
    columns = {
        "qis1psno": [item.number for item in items],
        "qis1bpno": [item.buffer_pool for item in items],
        "qis1topg": pages,
        "qis1unpg": pages - used,
        "qis1ppg": persistent,
        "qis1nppg": used - persistent,
        "qis1expm": 1,
    }
    return qmgr.records(115, 201, {1: qmgr.group("QIS1", columns, len(items))})


def buffer_pool_records(qmgr: SimulatedQueueManager) -> Bytes2D:
    """115.215: one section per buffer pool."""
    pools = qmgr.spec.buffer_pools
    buffers = [pool.buffers for pool in pools]
    lowest_pct = 100 * qmgr.lowest_buffers.T
    gets = qmgr.log_ci * 3
    columns = {
        "qpstpool": [pool.number for pool in pools],
        "qpstnbuf": buffers,
        "qpstcbsl": qmgr.lowest_buffers.T,
        "qpstcbs": qmgr.available_buffers.T,
        "qpstgetp": gets,
        "qpstgetn": gets // 2,
        "qpststw": gets,
        "qpsttpw": gets // 8,
        "qpstdwt": np.where(lowest_pct < np.multiply(buffers, _DEFERRED_WRITE_PCT), 5, 0),
        "qpststl": rounded(gets * qmgr.spec.features.steals_per_get_page),
        "qpstrio": gets // 40,
        "qpstwio": gets // 60,
        "qpstdmc": np.where(lowest_pct < np.multiply(buffers, _SYNCHRONOUS_WRITE_PCT), 2, 0),
    }
    return qmgr.records(115, 215, {1: qmgr.group("QPST", columns, len(pools))})


def _log_columns(qmgr: SimulatedQueueManager) -> Columns:
    """QJST: growth, and the physical writes that are consistent with it."""
    growth, seconds, size = qmgr.log_ci, qmgr.grid.seconds, qmgr.spec.log_size_bytes
    single, multi = rounded(growth * _SINGLE_WRITES_PER_CI), rounded(growth * _MULTI_WRITES_PER_CI)
    copies = 2 if qmgr.spec.dual_logging else 1
    switches = qmgr.rba_end // size - qmgr.rba_start // size
    rate = growth / 256 / seconds
    busy_us = _WRITER_WORK * (single * _SINGLE_WRITE_US + multi * _MULTI_WRITE_US)
    columns: Columns = {
        "qjstwrnw": 2 * single,
        "qjstwtb": rounded(np.maximum(rate - _SHORTAGE_MIB_PER_S, 0) * 100),
        "qjstbffl": growth,
        "qjstbfwr": single + multi,
        "qjstciof": switches * (size // 4096),
        "qjstllcp": switches,
        "qjstlogw": copies * (single + multi),
        "qjstciwr": copies * (single + multi * _CI_PER_MULTI_WRITE),
        "qjstslptu": rounded(np.maximum(seconds * 1e6 - busy_us, 1.0)),
        "qjstcp1n": switches,
        "qjstcp2n": switches if copies == 2 else 0,
    }
    if write_us := qmgr.spec.features.zhyperlink_write_us:
        for kind, tried in (("s", copies * single), ("m", copies * multi)):
            failed = rounded(tried * _ZHYPERLINK_FALLBACK_RATIO)
            columns |= {
                f"qjsthl{kind}ciw": tried,
                f"qjsthl{kind}cis": tried - failed,
                f"qjsthl{kind}cif": failed,
                f"qjsthl{kind}ciwttot": (tried - failed) * write_us,
            }
    kinds = ((single, 1, _SINGLE_WRITE_US), (multi, _CI_PER_MULTI_WRITE, _MULTI_WRITE_US))
    for copy in range(copies):
        for number, (writes, ci, us) in enumerate(kinds):
            prefix = f"qjstio_{copy}_qjstiotype_{number}_qjstio"
            columns |= {
                f"{prefix}count": writes,
                f"{prefix}ci": writes * ci,
                f"{prefix}totio": writes * us,
                f"{prefix}totsus": writes * (us + 30),
            }
    return columns


def _shared_queue_columns(qmgr: SimulatedQueueManager) -> Columns:
    """QEST: the first slots for the structures of the group, the rest binary zeros.

    Calls for several entries are requests too; the single ones are the others. Calls of both kinds
    are driven again.
    """
    columns: Columns = {}
    features = qmgr.spec.features
    for place, (name, requests) in enumerate(qmgr.shared_requests.items()):
        calls = rounded(requests / (1 + features.list_calls_per_call))
        lists = rounded(calls * features.list_calls_per_call)
        slot = {
            "str": name,
            "csec": calls,
            "sstc": calls * _CALL_US,
            "cmec": lists,
            "rsec": rounded(calls * features.redrive_ratio),
            "rmec": rounded(lists * features.redrive_ratio),
        }
        columns |= {f"qeststuc_{place}_qest{column}": value for column, value in slot.items()}
    return columns


def _data_set_columns(spec: SharedMessageDataSet, messages: Int64s) -> Columns:
    used = round(spec.blocks * spec.used_ratio)
    return {
        "qesdstr": spec.structure,
        "qesdsmbt": spec.blocks,
        "qesdsmbd": spec.blocks,
        "qesdsmbu": used // 2,
        "qesdsmmu": used,
        "qesdbfto": spec.buffers,
        "qesdbfgb": messages // 100,
        "qesdbfmf": spec.buffers - round(spec.buffers / 2),
    }


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
