"""Statistics and accounting messages of distributed queue managers as rows.

Accounting messages tell what each connection put, in all and to each queue. A connection reports at
its end, a long one also at the end of each ACCTINT; the names are those of the connection. Source:
amqsmon0.c and amqsevta.c, which print them; IBM MQ documentation (9.4), "Accounting message data".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Final

from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.estate import zone_key
from mqcap.domain.units import US_PER_S
from mqcap.ingest.mq_statistics.printed import (
    StatisticsEvent,
    StatisticsMessage,
    count_of,
    figures_of,
    interval_utc,
    of_event,
    puts_of,
    text_messages,
    text_of,
)
from mqcap.ingest.samples import AMOUNT_BELOW
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

_NAMES: Final = {
    "application": "applname",
    "user": "useridentifier",
    "channel": "channelname",
    "connection": "connectionname",
}
"""Column and field of each name; a local application has neither channel nor connection."""


_MONITOR: Final = re.compile(
    r"^MonitoringType: (?:MQI|Queue|Channel)(?:Statistics|Accounting)", re.MULTILINE
)


@dataclass
class _MqStatisticsReading(SamplesReading):
    nothing = Refusal(
        "statistics messages without any figure that can be used",
        expected="statistics of MQI or queues, or accounting, with their times",
        remedy="Send the messages of SYSTEM.ADMIN.STATISTICS.QUEUE (STATMQI, STATQ on).",
    )
    _puts: dict[tuple[Any, ...], dict[str, Any]] = field(default_factory=dict)
    """Rows of accounting; a message that is printed twice counts once."""
    _latest: dict[tuple[str, bool], datetime] = field(default_factory=dict)
    """End of the last interval of each queue manager, of its queues apart."""

    def tables(self) -> Iterator[tuple[str, Any]]:
        yield from super().tables()
        if self._puts:
            yield self.table(QMGR_ACCOUNTING.name, list(self._puts.values()))

    def take_all(self) -> None:
        """Read the messages; of text what is no number is noted as it is parsed."""
        is_json = self.text.is_json
        events = self.objects(StatisticsEvent, "message") if is_json else ()
        lines = () if is_json else text_messages(self.text.lines(), self.left_out)
        for message, number in chain(
            ((of_event(event), number) for event, number in events),
            ((message, 0) for message in lines),
        ):
            if isinstance(message, ValueError):
                self.left_out.add(str(message), "message", number)
            elif message is not None:
                for name in message.no_counts() if is_json else ():
                    self.left_out.add(f"{name} is no number", "figure", number)
                self._take(message)

    def is_usable(self) -> bool:
        return super().is_usable() or bool(self._puts)

    def _take(self, message: StatisticsMessage) -> None:
        if not is_mq_name(message.qmgr):
            self.left_out.add("it names no queue manager", "message")
            return
        if message.is_accounting and message.end_local == message.start_local:  # whole seconds
            message = replace(message, end_local=message.end_local + timedelta(seconds=1))
        try:
            zone = self.zones.get(zone_key("qmgr", message.qmgr))
            # messages of connections are not in order of time
            kind = (message.qmgr, bool(message.queues))
            after = None if message.is_accounting else self._latest.get(kind)
            start, end = interval_utc(message, zone, after)
        except ValueError as error:
            self.left_out.add(str(error), "message")
            return
        if message.is_accounting:
            self._take_accounting(message, start, end)
            return
        self._latest[kind] = end
        for key, value in figures_of(message):
            seconds = (end - start).total_seconds()
            self.gathered.add(key, round(end.timestamp()) * US_PER_S, value, seconds)

    def _take_accounting(self, message: StatisticsMessage, start: datetime, end: datetime) -> None:
        """Take what a connection put, but nothing, and no number beyond any amount."""
        fields = message.fields
        process = ".".join(text_of(fields.get(key)) for key in ("processid", "threadid"))
        whose = {
            "qmgr": message.qmgr,
            "connection_id": text_of(fields.get("connectionid")) or process,
            **{name: text_of(fields.get(key)) for name, key in _NAMES.items()},
            "interval_start_utc": start,
            "interval_end_utc": end,
        }
        queues = [(text_of(queue.get("queuename")), queue) for queue in message.queues]
        counted = [named for named in queues if is_mq_name(named[0])] if queues else [("", fields)]
        puts: dict[str, tuple[int, int]] = {}
        for queue, counts in counted:
            count, size = puts.get(queue, (0, 0))
            more = (int(puts_of(counts) or 0), count_of(counts.get("putbytes")) or 0)
            if 0 < more[0] < AMOUNT_BELOW and 0 <= more[1] < AMOUNT_BELOW:
                puts[queue] = (count + more[0], size + more[1])
        for queue, (count, size) in puts.items():
            row = {**whose, "queue": queue}
            made = {"put_count": count, "put_bytes": size, "file_sha256": self.file_sha256}
            self._puts[tuple(row.values())] = row | made
        if puts:
            self.note(start, end)
            self.dates |= {start.date(), end.date()}


SOURCE: Final = TextInput(
    name="mq_statistics",
    order=52,
    title="statistics and accounting messages",
    description="statistics or accounting messages of a queue manager (amqsevt as JSON, amqsmon)",
    recognises=lambda text: _MONITOR.search(text.head) is not None,
    recognises_json=lambda text: text.keys >= {"eventSource", "eventType", "eventData"},
    begin=_MqStatisticsReading,
    first_line=r"MonitoringType: (?:MQI|Queue|Channel)[SA]|\{.*\"eventSource\"",
    named_behind="statistics messages",
)
