"""Statistics and accounting messages of distributed queue managers as rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.source import SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.mq_statistics.accounting import Accounting, with_length
from mqcap.ingest.mq_statistics.messages import StatisticsMessage, figures_of, interval_utc
from mqcap.ingest.mq_statistics.printed import StatisticsEvent, of_event, text_messages
from mqcap.ingest.text_reading import SamplesReading, TextInput

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
