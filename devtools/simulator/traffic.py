"""Records of senders and groups of channels: 115.216, 116 class 3 and 116.10."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.coupling_facility import held_messages
from devtools.simulator.encode.fields import Bytes2D
from devtools.simulator.encode.mq_records import MQ_RECORD_KINDS, Intervals, group_of, mq_records
from devtools.simulator.queue_manager import INSTANCES_PER_RECORD, SimulatedQueueManager
from devtools.simulator.spec import ChannelGroup, Sender
from devtools.simulator.timeline import Int64s
from devtools.simulator.workload import rounded
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


def traffic_records(qmgr: SimulatedQueueManager, days: int) -> Iterator[Batch]:
    """Yield the records of senders and groups of channels in the last days up to the anchor."""
    spec = qmgr.spec
    if recent := last_days(qmgr, days if spec.part_days is None else spec.part_days):
        if spec.senders and level_key(qmgr.level_at(0)) >= _QUEUE_LEVEL:
            for records in _queue_records(recent):
                yield recent.intervals, records
        yield from _instance_records(recent)
    if spec.accounting and (with_tasks := last_days(qmgr, days)):
        yield from _task_records(with_tasks)


def last_days(qmgr: SimulatedQueueManager, days: int) -> SimulatedQueueManager:
    """Return the intervals in the last days up to the anchor."""
    return qmgr.of_days(qmgr.anchor - timedelta(days=days - 1), date.max)


def _queue_records(qmgr: SimulatedQueueManager) -> Iterator[Bytes2D]:
    """115.216: a section per sender's queue, in as many records as they need."""
    senders = qmgr.spec.senders
    messages = qmgr.sender_messages.T
    put_bytes = messages * [sender.message_bytes for sender in senders]
    days = qmgr.grid.local_day
    held = np.stack([held_messages(one, days, qmgr.anchor) for one in senders], axis=1)
    empty = [_EMPTY_GETS_RATIO if sender.structure else 0.0 for sender in senders]
    columns: dict[str, Any] = {
        "qqstqnam": _queue_names(qmgr),
        "qqstpsid": [-1 if sender.structure else 3 for sender in senders],
        "qqstbpid": [-1 if sender.structure else sender.buffer_pool for sender in senders],
        "qqstflag": [_SHARED_QUEUE if sender.structure else 0 for sender in senders],
        "qqstqsgn": [qmgr.spec.qsg or "" if sender.structure else "" for sender in senders],
        "qqstcfst": [sender.structure for sender in senders],
        "qqstdpth": held,
        "qqstdphi": np.maximum(held, [sender.depth for sender in senders]),
        "qqstnmag": np.rint(messages * empty),
        **dict.fromkeys(("qqstputs", "qqstppt", "qqstgets", "qqstpdg"), messages),
        **dict.fromkeys(("qqstputb", "qqstppb", "qqstgetb", "qqstpdb"), put_bytes),
    }
    for first in range(0, len(senders), QUEUES_PER_RECORD):
        some = slice(first, first + QUEUES_PER_RECORD)
        own = {
            name: values[some] if isinstance(values, list) else values[:, some]
            for name, values in columns.items()
        }
        yield qmgr.records(115, 216, {1: qmgr.group("QQST", own, len(senders[some]))})


def _queue_names(qmgr: SimulatedQueueManager) -> NDArray[np.object_]:
    names = [
        [
            f"{sender.queue}{start:016X}" if sender.is_dynamic else sender.queue
            for sender in qmgr.spec.senders
        ]
        for start in qmgr.intervals.start_us.tolist()
    ]
    return np.array(names, dtype=object)


def _task_records(qmgr: SimulatedQueueManager) -> Iterator[Batch]:
    """116.1: a task per sender and interval, with the queue that it puts to."""
    intervals, names = qmgr.intervals, _queue_names(qmgr)
    of_senders = zip(qmgr.spec.senders, qmgr.sender_messages, qmgr.sender_log_bytes, strict=True)
    for place, (sender, messages, log_bytes) in enumerate(of_senders):
        identity = {
            "wtidatyp": 2,
            "wtidccn": sender.application,
            "wtidopid": sender.user,
            "wtidchl": "",
            "wtidchlc": "",
        }
        task = {
            "wtasstrt": intervals.start_us,
            "wtasints": intervals.start_us,
            "wtasinte": intervals.end_us,
            "wtaswqct": 1,
            "wtascmct": messages * float(_COMMIT_US),
            "wtascmn": 2 * messages // sender.messages_per_commit,
            "wtasjwn": messages,
            "wtasjwb": log_bytes,
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
        groups = {
            1: qmgr.group("WTID", identity),
            2: qmgr.group("WTAS", task),
            3: qmgr.group("WQST", queue),
        }
        user = {"qwhcaid": sender.user, "qwhccn": sender.application, "qwhcatyp": 2}
        kind = MQ_RECORD_KINDS[116, 1]
        yield intervals, mq_records(kind, qmgr.identity, intervals, groups, user=user)


def _shared_columns(sender: Sender, messages: Int64s) -> dict[str, Any]:
    """Return columns of WQST for a shared queue: opens without the CF, and requests of the rest."""
    opens = messages // _GETS_PER_OPEN
    at_cf = rounded(opens * _OPENS_AT_CF_RATIO)
    requests = np.zeros((len(messages), _REQUEST_WORDS), dtype=">u4")
    requests[:, 0] = at_cf
    requests[:, 1] = np.rint(at_cf / (1 - _RETRY_RATIO))
    return {
        "cfstrucname": sender.structure,
        "opencf0": opens - at_cf,
        "mqcfreq": requests.view(np.uint8).reshape(len(messages), -1),
    }


def _instance_records(qmgr: SimulatedQueueManager) -> Iterator[Batch]:
    """116.10: ten instances in each record, an interval of accounting after the other."""
    _, first = np.unique(qmgr.accounting_period, return_index=True)
    last = np.append(first[1:], len(qmgr)) - 1
    wanted = qmgr.spec.accounting_weekday
    if wanted is not None:
        is_wanted = (qmgr.grid.local_day[first] + _THURSDAY) % DAYS_OF_WEEK == wanted
        first, last = first[is_wanted], last[is_wanted]
    every = qmgr.intervals
    intervals = Intervals(every.start_us[first], every.end_us[last], every.offset_minutes[last])
    for group, instances in zip(qmgr.spec.channel_groups, qmgr.instances[:, first], strict=True):
        for number in range(0, int(instances.max(initial=0)), INSTANCES_PER_RECORD):
            of_group = intervals[instances > number]
            yield of_group, _instances(qmgr, of_group, group, number)


def _instances(
    qmgr: SimulatedQueueManager, intervals: Intervals, group: ChannelGroup, first: int
) -> Bytes2D:
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
    length = level_length(layout, qmgr.level_at(0))
    sections = {1: group_of(layout, columns, length, len(intervals), count)}
    return mq_records(MQ_RECORD_KINDS[116, 10], qmgr.identity, intervals, sections)
