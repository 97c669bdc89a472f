"""Instances of server-connection channels in a capture, with MAXINST and MAXINSTC.

Connections from one network address are of one client (IBM MQ reference: MaxInstancesPerClient).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES, QmgrFigure
from mqcap.ingest.mq_display.answers import CapturedRecord, CaptureFigure, number

CHSTATUS: Final = "AMQ8417"
NO_CHSTATUS: Final = "AMQ8420"
CHANNEL: Final = "AMQ8414"
CHANNEL_STATES: Final = {
    "INACTIVE": 0.0,
    "BINDING": 1.0,
    "STARTING": 2.0,
    "RUNNING": 3.0,
    "STOPPING": 4.0,
    "RETRYING": 5.0,
    "STOPPED": 6.0,
    "REQUESTING": 7.0,
    "PAUSED": 8.0,
    "DISCONNECTED": 9.0,
    "INITIALIZING": 13.0,
    "SWITCHING": 14.0,
}
"""Numbers of MQCHS."""
_SERVER: Final = "SVRCONN"
_LIMITS: Final = {
    "MAXINST": QmgrFigure.channel_instance_max_count,
    "MAXINSTC": QmgrFigure.channel_client_instance_max_count,
}


def channel_figures(records: Sequence[CapturedRecord]) -> Iterator[CaptureFigure]:
    """Yield instances and limits of the server-connection channels of a capture.

    A channel that is displayed without an instance has none, where status was displayed too; in a
    capture without status nothing is known of instances.
    """
    servers = [
        record
        for record in records
        if record.values.get("CHLTYPE") == _SERVER and is_mq_name(record.values.get("CHANNEL", ""))
    ]
    defined = [record.values for record in servers if record.message == CHANNEL]
    for values in defined:
        for key, figure in _LIMITS.items():
            if (limit := number(values.get(key))) is not None:
                yield CaptureFigure(figure, values["CHANNEL"], limit)
    if any(record.message in {CHSTATUS, NO_CHSTATUS} for record in records):
        names = [values["CHANNEL"] for values in defined]
        yield from _instances(names, [r.values for r in servers if r.message == CHSTATUS])


def _instances(names: list[str], instances: list[dict[str, str]]) -> Iterator[CaptureFigure]:
    """Yield how many instances are active, and how many of them are of the busiest client."""
    clients: dict[str, Counter[str]] = {name: Counter() for name in names}
    for values in instances:
        of_channel = clients.setdefault(values["CHANNEL"], Counter())
        if CHANNEL_STATES.get(values.get("STATUS", "")) in ACTIVE_STATES:
            of_channel[values.get("CONNAME", "").partition("(")[0]] += 1
    for name, by_client in clients.items():
        count, busiest = by_client.total(), max(by_client.values(), default=0)
        yield CaptureFigure(QmgrFigure.channel_instance_count, name, float(count))
        yield CaptureFigure(QmgrFigure.channel_client_instance_count, name, float(busiest))
