"""Statistics records of a queue manager: 115 subtypes 1, 2, 201 and 215."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import (
    MQ_RECORD_KINDS,
    Group,
    Intervals,
    QueueManagerIdentity,
    group_of,
    mq_records,
)
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.shares import sender_messages
from devtools.simulator.spec import SharedMessageDataSet
from devtools.simulator.timeline import Int64s
from mqcap.ingest.smf.layout import layouts, level_key, level_length

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
_PAGE_SET_LEVEL: Final = (9, 0, 0)
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


@dataclass(frozen=True)
class Slice:
    """The intervals ``low`` to ``high`` of one queue manager, to be written as records."""

    qmgr: SimulatedQueueManager
    low: int
    high: int

    @property
    def mq_level(self) -> str:
        """The level of MQ in its first interval; records are written of one level at a time."""
        return self.qmgr.level_at(self.low)

    @property
    def identity(self) -> QueueManagerIdentity:
        """Names and level."""
        spec = self.qmgr.spec
        return QueueManagerIdentity(spec.system, spec.name, self.mq_level, spec.qsg)

    @property
    def intervals(self) -> Intervals:
        """Times of the records."""
        return self.qmgr.grid.intervals[self.low : self.high]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """Lengths of the intervals."""
        return self.qmgr.grid.seconds[self.low : self.high]

    def of(self, values: Int64s) -> Int64s:
        """Return the own slice of an array over all intervals."""
        return values[self.low : self.high]

    def __len__(self) -> int:
        return self.high - self.low

    def group(self, structure: str, columns: Columns, count: int = 1) -> Group:
        """Sections at the length of this queue manager's level."""
        layout = layouts()[structure]
        length = level_length(layout, self.mq_level)
        return group_of(layout, columns, length, len(self), count)

    def records(self, record_type: int, subtype: int, groups: dict[int, Group]) -> Bytes2D:
        """The finished records."""
        kind = MQ_RECORD_KINDS[record_type, subtype]
        sequence = self.of(self.qmgr.sequence)
        return mq_records(kind, self.identity, self.intervals, groups, sequence)


def log_records(part: Slice) -> Bytes2D:
    """115.1: storage manager and log manager."""
    storage = group_of(
        layouts()["QSST"], {"qsstgplf": 4, "qsstgetm": part.of(part.qmgr.channels)},
        _BLOCK_QSST_BYTES, len(part),
    )  # fmt: skip
    return part.records(115, 1, {9: storage, 11: part.group("QJST", _log_columns(part))})


def message_records(part: Slice) -> Bytes2D:
    """115.2: message, data, lock, topic, CF and DB2 managers."""
    qmgr = part.qmgr
    messages = np.rint(part.of(qmgr.log_ci) * _MESSAGE_LOG_CI).astype(np.int64)
    if qmgr.spec.senders:
        messages = part.of(sender_messages(qmgr).sum(axis=0))
    features = qmgr.spec.features
    topic = group_of(layouts()["QTST"], {"qtststot": 3}, _BLOCK_QTST_BYTES, len(part))
    dynamic = _part(part.seconds, features.dynamic_queues_per_h / _SECONDS_PER_HOUR)
    data = {"qistmget": messages, "qistmput": messages, "qistdcre": dynamic, "qistddel": dynamic}
    groups = {
        1: part.group("QMST", _message_columns(messages)),
        2: part.group("QIST", data),
        4: part.group("QLST", {"qlstgetl": 4 * messages, "qlsthldl": messages}),
        5: part.group("Q5ST", {"numtask": 9, "acttask": 9}),
        6: part.group("QEST", _shared_queue_columns(part)),
        7: topic,
    }
    if data_set := features.shared_message_data_set:
        groups[8] = part.group("QESD", data_set_columns(data_set, messages))
    return part.records(115, 2, groups)


def page_set_records(part: Slice) -> Bytes2D | None:
    """115.201: one section per page set; ``None`` before MQ 9.0, which has no such record."""
    if level_key(part.mq_level) < _PAGE_SET_LEVEL:
        return None
    items = part.qmgr.spec.page_sets
    pages = [item.pages for item in items]
    used = used_pages(part.qmgr)[:, part.low : part.high].T
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
    return part.records(115, 201, {1: part.group("QIS1", columns, len(items))})


def buffer_pool_records(part: Slice) -> Bytes2D:
    """115.215: one section per buffer pool."""
    pools = part.qmgr.spec.buffer_pools
    buffers = np.array([pool.buffers for pool in pools])
    lowest = fewest_buffers(part.qmgr)[:, part.low : part.high].T
    gets = part.of(part.qmgr.log_ci) * 3
    columns = {
        "qpstpool": [pool.number for pool in pools],
        "qpstnbuf": [pool.buffers for pool in pools],
        "qpstcbsl": lowest,
        "qpstcbs": available_buffers(part.qmgr)[:, part.low : part.high].T,
        "qpstgetp": gets,
        "qpstgetn": gets // 2,
        "qpststw": gets,
        "qpsttpw": gets // 8,
        "qpstdwt": np.where(lowest * 100 < _DEFERRED_WRITE_PCT * buffers, 5, 0),
        "qpststl": _part(gets, part.qmgr.spec.features.steals_per_get_page),
        "qpstrio": gets // 40,
        "qpstwio": gets // 60,
        "qpstdmc": np.where(lowest * 100 < _SYNCHRONOUS_WRITE_PCT * buffers, 2, 0),
    }
    return part.records(115, 215, {1: part.group("QPST", columns, len(pools))})


def _log_columns(part: Slice) -> Columns:
    """QJST: growth, and the physical writes that are consistent with it."""
    qmgr = part.qmgr
    growth = part.of(qmgr.log_ci)
    single = np.rint(growth * _SINGLE_WRITES_PER_CI).astype(np.int64)
    multi = np.rint(growth * _MULTI_WRITES_PER_CI).astype(np.int64)
    copies = 2 if qmgr.spec.dual_logging else 1
    size = round(qmgr.spec.active_log_size_mib * 2**20)
    switches = part.of(qmgr.rba_end) // size - part.of(qmgr.rba_start) // size
    rate = growth / 256 / part.seconds
    columns: Columns = {
        "qjstwrnw": 2 * single,
        "qjstwtb": np.rint(np.maximum(rate - _SHORTAGE_MIB_PER_S, 0) * 100).astype(np.int64),
        "qjstbffl": growth,
        "qjstbfwr": single + multi,
        "qjstciof": switches * (size // 4096),
        "qjstllcp": switches,
        "qjstlogw": copies * (single + multi),
        "qjstciwr": copies * (single + multi * _CI_PER_MULTI_WRITE),
        "qjstslptu": np.rint(_idle_us(part, single, multi)),
        "qjstcp1n": switches,
        "qjstcp2n": switches if copies == 2 else 0,
    }
    if write_us := qmgr.spec.features.zhyperlink_write_us:
        columns |= zhyperlink_columns(write_us, copies * single, copies * multi)
    for copy in range(copies):
        columns |= _write_columns(f"qjstio_{copy}_qjstiotype_", single, multi)
    return columns


def _idle_us(part: Slice, single: Int64s, multi: Int64s) -> NDArray[np.float64]:
    """Time of the interval in which the log writer has no I/O; it works between I/Os as well."""
    busy_us = _WRITER_WORK * (single * _SINGLE_WRITE_US + multi * _MULTI_WRITE_US)
    return np.maximum(part.seconds * 1e6 - busy_us, 1.0)


def _write_columns(prefix: str, single: Int64s, multi: Int64s) -> Columns:
    return {
        f"{prefix}0_qjstiocount": single,
        f"{prefix}0_qjstioci": single,
        f"{prefix}0_qjstiototio": single * _SINGLE_WRITE_US,
        f"{prefix}0_qjstiototsus": single * (_SINGLE_WRITE_US + 30),
        f"{prefix}1_qjstiocount": multi,
        f"{prefix}1_qjstioci": multi * _CI_PER_MULTI_WRITE,
        f"{prefix}1_qjstiototio": multi * _MULTI_WRITE_US,
        f"{prefix}1_qjstiototsus": multi * (_MULTI_WRITE_US + 30),
    }


def _message_columns(messages: Int64s) -> Columns:
    return {
        "qmstopen": messages // 50,
        "qmstclos": messages // 50,
        "qmstget": messages,
        "qmstput": messages,
        "qmstspp": messages * 4 // 5,
        "qmstsnp": messages // 5,
        "qmstpbp": messages * 4 // 5 * 2_048,
        "qmstnbp": messages // 5 * 2_048,
    }


def _shared_queue_columns(part: Slice) -> Columns:
    """QEST: the first slots for the structures of the group, the rest binary zeros.

    Calls for several entries are requests too; the single ones are the others. Calls of both kinds
    are driven again.
    """
    columns: Columns = {}
    features = part.qmgr.spec.features
    kinds = 1 + features.list_calls_per_call
    for place, (name, requests) in enumerate(part.qmgr.shared_requests.items()):
        calls = np.rint(part.of(requests) / kinds).astype(np.int64)
        lists = _part(calls, features.list_calls_per_call)
        slot = {
            "qeststr": name,
            "qestcsec": calls,
            "qestsstc": calls * _CALL_US,
            "qestcmec": lists,
            "qestrsec": _part(calls, features.redrive_ratio),
            "qestrmec": _part(lists, features.redrive_ratio),
        }
        columns |= {f"qeststuc_{place}_{column}": value for column, value in slot.items()}
    return columns


def zhyperlink_columns(write_us: int, single: Int64s, multi: Int64s) -> Columns:
    """Return those of QJST: writes tried, done synchronously, and the time of these."""
    columns: Columns = {}
    for kind, tried in (("s", single), ("m", multi)):
        failed = _part(tried, _ZHYPERLINK_FALLBACK_RATIO)
        columns |= {
            f"qjsthl{kind}ciw": tried,
            f"qjsthl{kind}cis": tried - failed,
            f"qjsthl{kind}cif": failed,
            f"qjsthl{kind}ciwttot": (tried - failed) * write_us,
        }
    return columns


def data_set_columns(spec: SharedMessageDataSet, messages: Int64s) -> Columns:
    """Return those of QESD."""
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


def _part(numbers: Any, ratio: float) -> Int64s:
    result: Int64s = np.rint(numbers * ratio).astype(np.int64)
    return result


def fewest_buffers(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the fewest available buffers of each interval, a row per buffer pool."""
    buffers = _column([pool.buffers for pool in qmgr.spec.buffer_pools])
    return np.rint(buffers * (100 - qmgr.pool_used_pct) / 100).astype(np.int64)


def available_buffers(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the available buffers at the end of each interval, a row per buffer pool."""
    fewest = fewest_buffers(qmgr)
    return fewest + (_column([pool.buffers for pool in qmgr.spec.buffer_pools]) - fewest) // 3


def used_pages(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the pages in use at the end of each interval, a row per page set."""
    pages = _column([item.pages for item in qmgr.spec.page_sets])
    used = np.rint(pages * qmgr.page_set_used_pct / 100).astype(np.int64)
    return np.minimum(used, pages)


def _column(counts: list[int]) -> Int64s:
    return np.array(counts, dtype=np.int64)[:, np.newaxis]
