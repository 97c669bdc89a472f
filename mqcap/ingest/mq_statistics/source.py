"""Statistics and accounting messages of distributed queue managers as rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.gathered_samples import GatheredSamples
from mqcap.ingest.json_objects import JsonObjects
from mqcap.ingest.mq_statistics.accounting import Accounting, with_length
from mqcap.ingest.mq_statistics.messages import StatisticsMessage, figures_of, interval_utc
from mqcap.ingest.mq_statistics.printed import StatisticsEvent, of_event, text_messages
from mqcap.ingest.samples import SampleKey, Samples
from mqcap.ingest.smf.dump_file import Lines, open_content, read_head

_EVENT_SIGNS: Final = (b'"eventSource"', b'"eventType"', b'"eventData"')
_MONITOR: Final = re.compile(
    rb"^MonitoringType: (?:MQI|Queue|Channel)(?:Statistics|Accounting)", re.MULTILINE
)
_DECODER: Final = msgspec.json.Decoder(StatisticsEvent)


@dataclass
class MqStatisticsReading:
    """A pass over one file of messages."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    is_json: bool
    content_bytes: int = 0
    skipped_bytes: int = 0
    _samples: Samples = field(init=False)
    _accounting: Accounting = field(init=False)
    _gathered: GatheredSamples[SampleKey] = field(init=False)
    _latest: dict[tuple[str, bool], datetime] = field(default_factory=dict)
    """End of the last interval of each queue manager, of its queues apart."""
    _left_out: Counter[str] = field(default_factory=Counter)
    _unpacking: str = ""

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256)
        self._gathered = GatheredSamples(self._samples.admits)
        self._accounting = Accounting(self.file_sha256)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples, and rows of accounting; raises InputError without any."""
        for message in self._of_events() if self.is_json else self._of_text():
            self._take(message)
        for key, reported_us, seconds, values in self._gathered.figures():
            self._samples.add(key, reported_us, seconds, values)
            yield from self._samples.full()
        if not (self._samples.row_count or self._accounting):
            raise InputError(
                "statistics messages without any figure that can be used",
                file=self.path.name,
                found="; ".join(self._left_out) or "no statistics of MQI or queues",
                remedy="Send the messages of SYSTEM.ADMIN.STATISTICS.QUEUE (STATMQI, STATQ on).",
            )
        yield from self._samples.rest()
        if self._accounting:
            yield QMGR_ACCOUNTING.name, self._accounting.table()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        framing, name = "json" if self.is_json else "text", self.path.name
        problems = [
            f"{name}: {counted(count, 'message')} left out: {reason}."
            for reason, count in self._left_out.items()
        ]
        if self._unpacking:
            problems.insert(0, f"{name}: {self._unpacking}")
        made = self._samples.summary(
            name, framing, self.content_bytes, self.skipped_bytes, problems
        )
        return self._accounting.added_to(made)

    def _of_events(self) -> Iterator[StatisticsMessage]:
        content = open_content(self.path)
        self.content_bytes = len(content.data)
        events = JsonObjects(content, _DECODER)
        for event in events:
            try:
                message = of_event(event)
            except ValueError as error:
                self._left_out[str(error)] += 1
                continue
            if message is not None:
                yield message
        self.skipped_bytes = events.unreadable_bytes
        if events.unreadable_bytes:
            self._left_out[f"it cannot be read ({events.problem})"] += 1

    def _of_text(self) -> Iterator[StatisticsMessage]:
        for message in text_messages(self._lines()):
            if isinstance(message, ValueError):
                self._left_out[str(message)] += 1
            else:
                yield message

    def _lines(self) -> Iterator[str]:
        lines = Lines(self.path)
        for line in lines:
            self.content_bytes += len(line)
            yield line.decode("utf-8", "replace").rstrip("\r\n")
        self._unpacking = lines.problem or ""

    def _take(self, message: StatisticsMessage) -> None:
        if not is_mq_name(message.qmgr):
            self._left_out["it names no queue manager"] += 1
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
            self._left_out[str(error)] += 1
            return
        if message.is_accounting:
            self._accounting.add(message, start, end)
            return
        self._latest[kind] = end
        for key, value in figures_of(message):
            seconds = (end - start).total_seconds()
            self._gathered.add(key, round(end.timestamp()) * US_PER_S, value, seconds)


@dataclass(frozen=True)
class MqStatisticsSource:
    """Output of amqsevt and amqsmon."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone of each distributed queue manager, by ``qmgr_zone_key``."""
    name: str = "mq_statistics"
    order: int = 52
    title: str = "statistics and accounting messages"
    description: str = (
        "statistics or accounting messages of a queue manager (amqsevt as JSON, amqsmon)"
    )

    def in_zones(self, zones: Mapping[str, str]) -> MqStatisticsSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such output."""
        head = read_head(path)
        return b"\x00" not in head and (_is_json(head) or _MONITOR.search(head) is not None)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return MqStatisticsReading(path, file_sha256, self.zones, _is_json(read_head(path)))


def _is_json(head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and all(sign in head for sign in _EVENT_SIGNS)


SOURCE: Final = MqStatisticsSource()
