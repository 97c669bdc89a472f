"""Records of senders and groups of channels: 115.216, 116 class 3 and 116.10."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.coupling_facility import held_messages
from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import MQ_RECORD_KINDS, Intervals, group_of, mq_records
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.shares import (
    INSTANCES_PER_RECORD,
    accounting_periods,
    group_instances,
    sender_log_bytes,
    sender_messages,
)
from devtools.simulator.timeline import Int64s, day_number
from mqcap.domain.attribution import DAYS_OF_WEEK
from mqcap.ingest.smf.layout import layouts, level_key, level_length

_QUEUE_LEVEL: Final = (9, 3, 3)
"""Version from which queue statistics count messages and bytes."""
QUEUES_PER_RECORD: Final = 40
"""Sections of queues in a record of 115.216 (ours): within its 32,756 bytes."""
_PUT_US: Final = 60
_GET_US: Final = 45
_COMMIT_US: Final = 20
_GETS_PER_OPEN: Final = 50
_OPENS_AT_CF_RATIO: Final = 0.3
"""Opens of a shared queue that go to the CF: first opens and last closes."""
_RETRY_RATIO: Final = 0.05
_EMPTY_GETS_RATIO: Final = 0.4
"""Gets of a shared queue that find nothing, by those that find a message."""
_SHARED_QUEUE: Final = 0x8000_0000
_REQUEST_WORDS: Final = 500
"""Numbers of MQCFREQ; the first five are of one type of request of MQOPEN."""
_THURSDAY: Final = 3
"""Day of the week of day number 0, 1970-01-01."""

Batch = tuple[Intervals, Bytes2D]


def traffic_records(part: Slice, days: int) -> Iterator[Batch]:
    """Yield the records of senders and groups of channels in the last days up to the anchor."""
    spec = part.qmgr.spec
    recent = last_days(part, days if spec.part_days is None else spec.part_days)
    if recent is not None:
        if spec.senders and level_key(part.mq_level) >= _QUEUE_LEVEL:
            for records in _queue_records(recent):
                yield recent.intervals, records
        if spec.channel_groups:
            yield from _instance_records(recent)
    with_tasks = last_days(part, days) if spec.accounting else None
    if with_tasks is not None and spec.senders:
        yield from _task_records(with_tasks)


def last_days(part: Slice, days: int) -> Slice | None:
    """Return what of a slice is in the last days up to the anchor; ``None`` for nothing."""
    first = day_number(part.qmgr.anchor - timedelta(days=days - 1))
    low = part.low + int(np.searchsorted(part.of(part.qmgr.grid.local_day), first))
    return Slice(part.qmgr, low, part.high) if low < part.high else None


def _slice_of(part: Slice, rows: Int64s) -> Int64s:
    return rows[:, part.low : part.high]


def _queue_records(part: Slice) -> Iterator[Bytes2D]:
    """115.216: a section per sender's queue, in as many records as they need."""
    senders = part.qmgr.spec.senders
    messages = _slice_of(part, sender_messages(part.qmgr)).T
    put_bytes = messages * [sender.message_bytes for sender in senders]
    days = part.of(part.qmgr.grid.local_day)
    held = np.stack([held_messages(one, days, part.qmgr.anchor) for one in senders], axis=1)
    group = part.qmgr.spec.qsg
    empty = [_EMPTY_GETS_RATIO if sender.structure else 0.0 for sender in senders]
    columns: dict[str, Any] = {
        "qqstqnam": _queue_names(part),
        "qqstpsid": [-1 if sender.structure else 3 for sender in senders],
        "qqstbpid": [-1 if sender.structure else sender.buffer_pool for sender in senders],
        "qqstflag": [_SHARED_QUEUE if sender.structure else 0 for sender in senders],
        "qqstqsgn": [group or "" if sender.structure else "" for sender in senders],
        "qqstcfst": [sender.structure for sender in senders],
        "qqstdpth": held,
        "qqstdphi": np.maximum(held, [sender.depth for sender in senders]),
        "qqstnmag": np.rint(messages * empty),
        "qqstputs": messages,
        "qqstppt": messages,
        "qqstputb": put_bytes,
        "qqstppb": put_bytes,
        "qqstgets": messages,
        "qqstpdg": messages,
        "qqstgetb": put_bytes,
        "qqstpdb": put_bytes,
    }
    for first in range(0, len(senders), QUEUES_PER_RECORD):
        some = slice(first, first + QUEUES_PER_RECORD)
        own = {
            name: values[some] if isinstance(values, list) else values[:, some]
            for name, values in columns.items()
        }
        yield part.records(115, 216, {1: part.group("QQST", own, len(senders[some]))})


def _queue_names(part: Slice) -> NDArray[np.object_]:
    """Return the name of each sender's queue, a row per interval."""
    names = [
        [
            f"{sender.queue}{start:016X}" if sender.is_dynamic else sender.queue
            for sender in part.qmgr.spec.senders
        ]
        for start in part.intervals.start_us.tolist()
    ]
    return np.array(names, dtype=object)


def _task_records(part: Slice) -> Iterator[Batch]:
    """116.1: a task per sender and interval, with the queue that it puts to."""
    log_bytes = _slice_of(part, sender_log_bytes(part.qmgr))
    every = _slice_of(part, sender_messages(part.qmgr))
    names = _queue_names(part)
    for place, sender in enumerate(part.qmgr.spec.senders):
        messages = every[place]
        identity = {
            "wtidatyp": 2,
            "wtidccn": sender.application,
            "wtidopid": sender.user,
            "wtidchl": "",
            "wtidchlc": "",
        }
        task = {
            "wtasstrt": part.intervals.start_us,
            "wtasints": part.intervals.start_us,
            "wtasinte": part.intervals.end_us,
            "wtaswqct": 1,
            "wtascmct": messages * float(_COMMIT_US),
            "wtascmn": 2 * messages // sender.messages_per_commit,
            "wtasjwn": messages,
            "wtasjwb": log_bytes[place],
        }
        queue = {
            "objname": names[:, place],
            "basename": names[:, place],
            "putn": messages,
            "putct": messages * float(_PUT_US),
            "putpmsg": messages,
            "putbytes": messages * sender.message_bytes,
            "validput": messages,
            "getn": messages,
            "getct": messages * float(_GET_US),
            "validget": messages,
            "getsmsg": np.rint(messages * sender.skips_per_get),
            "openn": messages // _GETS_PER_OPEN,
            "nbuffpool": sender.buffer_pool,
            **(_shared_columns(sender, messages) if sender.structure else {}),
        }
        kind = MQ_RECORD_KINDS[116, 1]
        groups = {
            1: part.group("WTID", identity),
            2: part.group("WTAS", task),
            3: part.group("WQST", queue),
        }
        user = {"qwhcaid": sender.user, "qwhccn": sender.application, "qwhcatyp": 2}
        yield part.intervals, mq_records(kind, part.identity, part.intervals, groups, user=user)


def _shared_columns(sender: Sender, messages: Int64s) -> dict[str, Any]:
    """Return columns of WQST for a shared queue: opens without the CF, and requests of the rest."""
    opens = messages // _GETS_PER_OPEN
    at_cf = np.rint(opens * _OPENS_AT_CF_RATIO).astype(np.int64)
    requests = np.zeros((len(messages), _REQUEST_WORDS), dtype=">u4")
    requests[:, 0] = at_cf
    requests[:, 1] = np.rint(at_cf / (1 - _RETRY_RATIO))
    return {
        "cfstrucname": sender.structure,
        "opencf0": opens - at_cf,
        "mqcfreq": requests.view(np.uint8).reshape(len(messages), -1),
    }


def _instance_records(part: Slice) -> Iterator[Batch]:
    """116.10: ten instances in each record."""
    intervals, first = _accounting_intervals(part)
    instances = _slice_of(part, group_instances(part.qmgr))[:, first]
    for place, group in enumerate(part.qmgr.spec.channel_groups):
        for number in range(0, int(instances[place].max(initial=0)), INSTANCES_PER_RECORD):
            of_group = intervals[instances[place] > number]
            yield of_group, _instances(part, of_group, group, number)


def _accounting_intervals(part: Slice) -> tuple[Intervals, Int64s]:
    """Return the intervals of accounting, and the place of the first of those of statistics."""
    periods, every = part.of(accounting_periods(part.qmgr)), part.intervals
    _, first = np.unique(periods, return_index=True)
    last = np.append(first[1:], len(part)) - 1
    wanted = part.qmgr.spec.accounting_weekday
    if wanted is not None:
        weekday = (part.of(part.qmgr.grid.local_day)[first] + _THURSDAY) % DAYS_OF_WEEK
        first, last = first[weekday == wanted], last[weekday == wanted]
    intervals = Intervals(every.start_us[first], every.end_us[last], every.offset_minutes[last])
    return intervals, first


def _instances(part: Slice, intervals: Intervals, group: ChannelGroup, first: int) -> Bytes2D:
    count = INSTANCES_PER_RECORD
    columns = {
        "qcstcltm": intervals.end_us,
        "qcstchnm": group.name,
        "qcstchty": 7,
        "qcstchst": 3,
        "qcstcnnm": [f"10.1.{place // 250}.{place % 250}" for place in range(first, first + count)],
        "qcststrt": intervals.start_us,
        "qcstnmsg": 90,
        "qcstnpmg": 90,
        "qcstbatc": 9,
        "qcstcscv": 1,
        "qcstnbyt": 90 * group.message_bytes,
    }
    layout = layouts()["QCST"]
    length = level_length(layout, part.mq_level)
    sections = {1: group_of(layout, columns, length, len(intervals), count)}
    return mq_records(MQ_RECORD_KINDS[116, 10], part.identity, intervals, sections)
