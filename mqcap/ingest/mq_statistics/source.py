"""Statistics and accounting messages of distributed queue managers as rows.

Accounting messages: what each connection put, in all and to each queue.

A connection reports at its end, a long one also at the end of each ACCTINT; the names are those of
the connection. Source: amqsmon0.c and amqsevta.c, which print them; IBM MQ documentation (9.4),
"Accounting message data".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import pyarrow as pa

from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.source import SourceSummary
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
from mqcap.ingest.smf.record_heads import schema_of
from mqcap.ingest.text_reading import SamplesReading, TextInput

_SHORTEST: Final = timedelta(seconds=1)
_NAMES: Final = {
    "application": "applname",
    "user": "useridentifier",
    "channel": "channelname",
    "connection": "connectionname",
}
"""Column and field of each name; a local application has neither channel nor connection."""
_SCHEMA: Final = schema_of(QMGR_ACCOUNTING)


class _Key(NamedTuple):
    qmgr: str
    connection_id: str
    application: str
    user: str
    channel: str
    connection: str
    queue: str
    interval_start_utc: datetime
    interval_end_utc: datetime


@dataclass
class Accounting:
    """The rows of a file; a message that is printed twice counts once."""

    file_sha256: str
    _puts: dict[_Key, tuple[int, int]] = field(default_factory=dict)
    """Calls and bytes."""

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._puts)

    def add(self, message: StatisticsMessage, start: datetime, end: datetime) -> None:
        """Take a message about the time from ``start`` to ``end``.

        Where nothing was put, and of numbers beyond any amount of an interval, there is no row.
        """
        fields = message.fields
        names = {name: text_of(fields.get(key)) for name, key in _NAMES.items()}
        process = ".".join(text_of(fields.get(key)) for key in ("processid", "threadid"))
        identity = text_of(fields.get("connectionid")) or process
        puts: dict[_Key, tuple[int, int]] = {}
        for queue, counted in _counted(message):
            key = _Key(message.qmgr, identity, **names, queue=queue, interval_start_utc=start,
                       interval_end_utc=end)  # fmt: skip
            count, size = puts.get(key, (0, 0))
            more = (int(puts_of(counted) or 0), count_of(counted.get("putbytes")) or 0)
            if 0 < more[0] < AMOUNT_BELOW and 0 <= more[1] < AMOUNT_BELOW:
                puts[key] = (count + more[0], size + more[1])
        self._puts.update(puts)

    def table(self) -> pa.Table:
        """Return the rows of the dataset."""
        rows = [
            {**key._asdict(), "put_count": count, "put_bytes": size,
             "file_sha256": self.file_sha256}
            for key, (count, size) in self._puts.items()
        ]  # fmt: skip
        return pa.Table.from_pylist(rows, schema=_SCHEMA)

    def added_to(self, summary: SourceSummary) -> SourceSummary:
        """Return the summary of a file with these rows; they touch the UTC dates of their times."""
        if not self._puts:
            return summary
        starts = {key.interval_start_utc for key in self._puts}
        times = starts | {key.interval_end_utc for key in self._puts}
        days = {moment.date() for moment in times}
        return summary.with_rows(QMGR_ACCOUNTING.name, len(self), times, days)


def with_length(message: StatisticsMessage) -> StatisticsMessage:
    """Return a message whose interval has a length: times are whole seconds."""
    if message.end_local != message.start_local:
        return message
    return replace(message, end_local=message.end_local + _SHORTEST)


def _counted(message: StatisticsMessage) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the queue, empty for all of them, and the counts of each."""
    if not message.queues:
        yield "", message.fields
    for counted in message.queues:
        queue = text_of(counted.get("queuename"))
        if is_mq_name(queue):
            yield queue, counted


_EVENT_KEYS: Final = frozenset({"eventSource", "eventType", "eventData"})
_MONITOR: Final = re.compile(
    r"^MonitoringType: (?:MQI|Queue|Channel)(?:Statistics|Accounting)", re.MULTILINE
)


@dataclass
class MqStatisticsReading(SamplesReading):
    """A pass over one file of messages."""

    _accounting: Accounting = field(init=False)
    _latest: dict[tuple[str, bool], datetime] = field(default_factory=dict)
    """End of the last interval of each queue manager, of its queues apart."""

    def __post_init__(self) -> None:
        """Begin without samples."""
        super().__post_init__()
        self._accounting = Accounting(self.file_sha256)

    @property
    def framing(self) -> str:  # type: ignore[override]
        """The form of the messages."""
        return "json" if self.text.is_json else "text"

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples, and rows of accounting; raises InputError without any."""
        yield from super().tables()
        if self._accounting:
            yield QMGR_ACCOUNTING.name, self._accounting.table()

    def take_all(self) -> None:
        """Read the messages."""
        for message in self._of_events() if self.text.is_json else self._of_text():
            self._take(message)

    def is_usable(self) -> bool:
        """Return whether there are samples or rows of accounting."""
        return super().is_usable() or bool(self._accounting)

    def refusal(self) -> InputError:
        """Return the error for messages without any figure."""
        return self.unusable(
            "statistics messages without any figure that can be used",
            expected="statistics of MQI or queues, or accounting, with their times",
            remedy="Send the messages of SYSTEM.ADMIN.STATISTICS.QUEUE (STATMQI, STATQ on).",
        )

    def summary(self) -> SourceSummary:
        """Return what was found."""
        return self._accounting.added_to(super().summary())

    def _of_events(self) -> Iterator[StatisticsMessage]:
        for event, line_number in self.objects(StatisticsEvent, "message"):
            try:
                message = of_event(event)
            except ValueError as error:
                self.left_out.add(str(error), "message", line_number)
                continue
            if message is not None:
                for name in message.no_counts():
                    self.left_out.add(f"{name} is no number", "figure", line_number)
                yield message

    def _of_text(self) -> Iterator[StatisticsMessage]:
        for message in text_messages(self.text.lines(), self.left_out):
            if isinstance(message, ValueError):
                self.left_out.add(str(message), "message")
            else:
                yield message

    def _take(self, message: StatisticsMessage) -> None:
        if not is_mq_name(message.qmgr):
            self.left_out.add("it names no queue manager", "message")
            return
        if message.is_accounting:
            message = with_length(message)
        try:
            zone = self.zones.get(qmgr_zone_key(message.qmgr))
            # messages of connections are not in order of time
            kind = (message.qmgr, bool(message.queues))
            after = None if message.is_accounting else self._latest.get(kind)
            start, end = interval_utc(message, zone, after)
        except ValueError as error:
            self.left_out.add(str(error), "message")
            return
        if message.is_accounting:
            self._accounting.add(message, start, end)
            return
        self._latest[kind] = end
        for key, value in figures_of(message):
            seconds = (end - start).total_seconds()
            self.gathered.add(key, round(end.timestamp()) * US_PER_S, value, seconds)


SOURCE: Final = TextInput(
    name="mq_statistics",
    order=52,
    title="statistics and accounting messages",
    description="statistics or accounting messages of a queue manager (amqsevt as JSON, amqsmon)",
    recognises=lambda text: _MONITOR.search(text.head) is not None,
    recognises_json=lambda text: text.keys >= _EVENT_KEYS,
    begin=MqStatisticsReading,
)
