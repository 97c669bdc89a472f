"""Statistics and accounting messages as amqsevt (JSON) and amqsmon (text) print them.

Start and end of an interval are printed in local time without a zone. A message is put when its
interval ends, so the difference to its creation, which is UTC, is the offset; it must be close to
a quarter of an hour. A tool that does not print the creation leaves it to the zone of the site.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.ingest.capture_stamp import local_utc
from mqcap.ingest.samples import SampleKey
from mqcap.ingest.text_reading import Omissions

OFFSET_STEP: Final = timedelta(minutes=15)
OFFSET_REST_MAX: Final = timedelta(minutes=2)
"""A larger distance from a quarter of an hour is no offset: the message was not put at the end."""
INTERVAL_MAX: Final = timedelta(days=1, hours=1)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_PERMANENT: Final = frozenset({"", "predefined", "permanent dynamic", "permdyn"})
_NOT_IN_NAMES: Final = "".join(map(chr, range(0x21)))
"""Blanks and control characters, which names of queue managers may end with."""
_PUTS: Final = ("puts", "put1s")
_HIGHEST: Final = ("connsmax", "queuemaxdepth")
_COUNTED: Final = (*_PUTS, "putbytes", *_HIGHEST)
_OF_QMGR: Final = {
    "connsmax": QmgrFigure.connection_count,
    "puts": QmgrFigure.put_count,
    "putbytes": QmgrFigure.put_bytes,
}
_OF_QUEUE: Final = {
    "queuemaxdepth": QmgrFigure.queue_depth_count,
    "puts": QmgrFigure.queue_put_count,
    "putbytes": QmgrFigure.queue_put_bytes,
}


@dataclass
class StatisticsMessage:
    """One message; field names are those of amqsevt in lower case."""

    qmgr: str
    start_local: datetime
    end_local: datetime
    created_utc: datetime | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Of the queue manager, in accounting of the connection; empty in statistics of queues."""
    queues: list[Mapping[str, Any]] = field(default_factory=list)
    is_accounting: bool = False
    """Whether it is about one connection, not about the queue manager."""

    def no_counts(self) -> Iterator[str]:
        """Yield the names of counts that are there and are none."""
        for fields in (self.fields, *self.queues):
            for name in _COUNTED:
                if name in fields and count_of(fields[name]) is None:
                    yield name


def interval_utc(
    message: StatisticsMessage, zone: str | None, after: datetime | None = None
) -> tuple[datetime, datetime]:
    """Return start and end of the interval; raises ValueError with the reason where unknown.

    ``zone`` is that of the site, ``None`` where no site lists the queue manager; ``after`` the end
    of the interval printed before. A start before a change of clocks has the offset of its own
    side: of two instants it is the last one before the end.
    """
    end = _end_utc(message, zone, after)
    start = message.start_local - (message.end_local - end.replace(tzinfo=None))
    start_utc = start.replace(tzinfo=UTC)
    if zone is not None:
        local_end = end.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        if local_end == message.end_local:
            local = message.start_local.replace(tzinfo=ZoneInfo(zone))
            moments = [local.replace(fold=fold).astimezone(UTC) for fold in (0, 1)]
            start_utc = max((moment for moment in moments if moment < end), default=moments[0])
    if not timedelta(0) < end - start_utc <= INTERVAL_MAX:
        raise ValueError("the interval has no length, or more than a day")
    return start_utc, end


def figures_of(message: StatisticsMessage) -> Iterator[tuple[SampleKey, float]]:
    """Yield the figures of a message."""
    counted: list[tuple[str, Mapping[str, Any]]] = [("", message.fields)]
    for queue in message.queues:
        name = text_of(queue.get("queuename"))
        kind = text_of(queue.get("definitiontype")).lower()
        if is_mq_name(name) and kind in _PERMANENT:
            counted.append((name, queue))
    for queue_name, fields in counted:
        for name, figure in (_OF_QUEUE if queue_name else _OF_QMGR).items():
            value = puts_of(fields) if name == "puts" else count_of(fields.get(name))
            if value is not None:
                reading = SampleReading.gauge if name in _HIGHEST else SampleReading.delta
                yield SampleKey(message.qmgr, figure, reading, queue_name), float(value)


def puts_of(fields: Mapping[str, Any]) -> float | None:
    """Return MQPUT and MQPUT1 calls, of which MQ leaves out those of 0; ``None``: no counts."""
    counts = [count_of(fields[call]) for call in _PUTS if call in fields]
    known = [count for count in counts if count is not None]
    return float(sum(known)) if counts and len(known) == len(counts) else None


def count_of(value: Any) -> int | None:
    """Return a count, of non-persistent and persistent messages together; ``None``: no count."""
    parts = value if isinstance(value, list) else [value]
    is_count = bool(parts) and all(type(part) is int and part >= 0 for part in parts)
    return sum(parts) if is_count else None


def text_of(value: Any) -> str:
    """Return a name without what is no part of it; empty where there is none."""
    return "" if value is None else str(value).strip(_NOT_IN_NAMES)


def _end_utc(message: StatisticsMessage, zone: str | None, after: datetime | None) -> datetime:
    """Return the end; of two with the same local time the later one if it cannot be the first."""
    if message.created_utc is None:
        if zone is None:
            raise ValueError(f"no site of the settings lists {message.qmgr}: its zone is unknown")
        is_second = message.start_local >= message.end_local
        return local_utc(message.end_local, zone, _NEVER if is_second else after)
    ahead = message.end_local.replace(tzinfo=UTC) - message.created_utc
    offset = round(ahead / OFFSET_STEP) * OFFSET_STEP
    if abs(ahead - offset) > OFFSET_REST_MAX:
        raise ValueError(
            "the end of the interval is more than 2 minutes from a quarter of an hour of the time "
            "at which the message was created"
        )
    return message.end_local.replace(tzinfo=UTC) - offset


_QUEUES: Final = "QueueStatistics"
_KINDS: Final = {164: "MQIStatistics", 165: _QUEUES, 167: "MQIAccounting", 168: "QueueAccounting"}
"""Types of events, and what amqsmon calls them."""
_KIND: Final = re.compile(r"^MonitoringType: (\w+)")
_FIELD: Final = re.compile(r"^(\s*)(\w+): (.*)$")
_PROCESSED: Final = re.compile(r"\s*\d+ \w+ (?:Processed|processed)\.")
_GROUPS: Final = {_QUEUES: "queuestatisticsdata", "QueueAccounting": "queueaccountingdata"}
_TEXT_NAMES: Final = {
    "QueueManager": "queuemgrname",
    "IntervalStartDate": "startdate",
    "IntervalStartTime": "starttime",
    "IntervalEndDate": "enddate",
    "IntervalEndTime": "endtime",
    "ConnHighwater": "connsmax",
    "PutCount": "puts",
    "Put1Count": "put1s",
    "PutBytes": "putbytes",
    "ApplicationName": "applname",
    "ApplicationPid": "processid",
    "ApplicationTid": "threadid",
    "UserId": "useridentifier",
    "ChannelName": "channelname",
    "ConnName": "connectionname",
    "ConnectionId": "connectionid",
    "QueueName": "queuename",
    "QueueDefinitionType": "definitiontype",
    "QMaxDepth": "queuemaxdepth",
}
"""Names of amqsmon, and those of amqsevt in lower case. Source: amqsmon0.c, amqsevta.c."""


class _EventType(msgspec.Struct):
    value: int


class _Creation(msgspec.Struct):
    epoch: float


class StatisticsEvent(msgspec.Struct):
    """A message of amqsevt."""

    eventType: _EventType  # noqa: N815 - MQ's names
    eventCreation: _Creation  # noqa: N815
    eventData: dict[str, Any]  # noqa: N815


def of_event(event: StatisticsEvent) -> StatisticsMessage | ValueError | None:
    """Return the message of an event, or why it cannot be read; ``None`` for events of others."""
    kind = _KINDS.get(event.eventType.value)
    if kind is None:
        return None
    data = _lower(event.eventData)
    group = _GROUPS.get(kind, "")
    found = data.get(group, [])
    if not isinstance(found, list) or not all(isinstance(queue, dict) for queue in found):
        return ValueError(f"its {group} is no list of queues")
    try:
        created = datetime.fromtimestamp(event.eventCreation.epoch, UTC)
    except (OverflowError, OSError):
        return ValueError("it was created at an impossible time")
    return _message(kind, data, [_lower(queue) for queue in found], created)


def text_messages(
    lines: Iterable[str], left_out: Omissions
) -> Iterator[StatisticsMessage | ValueError]:
    """Yield messages of amqsmon about MQI and queues, or why one cannot be read."""
    kind = ""
    fields: dict[str, Any] = {}
    queues: list[dict[str, Any]] = []
    target = fields
    for number, line in enumerate(lines, start=1):
        if begin := _KIND.match(line):
            yield from _printed(kind, fields, queues)
            kind, fields, queues = begin[1], {}, []
            target = fields
        elif read := _FIELD.match(line):
            if read[2] in _GROUPS and not read[1]:
                target = {}
                queues.append(target)
            elif read[2] in _TEXT_NAMES:
                target[_TEXT_NAMES[read[2]]] = value = _value(read[3])
                if _TEXT_NAMES[read[2]] in _COUNTED and count_of(value) is None:
                    left_out.add(f"{read[2]} is no number", "figure", number)
        elif not _PROCESSED.match(line):
            left_out.not_understood(line, number)
    yield from _printed(kind, fields, queues)


def _printed(
    kind: str, fields: dict[str, Any], queues: list[dict[str, Any]]
) -> Iterator[StatisticsMessage | ValueError]:
    if not kind and fields:
        yield ValueError("no line MonitoringType in front of it")
    elif kind in _KINDS.values():
        yield _message(kind, fields, [] if kind == "MQIStatistics" else queues)


def _message(
    kind: str, data: Mapping[str, Any], queues: list[Any], created: datetime | None = None
) -> StatisticsMessage | ValueError:
    try:
        start, end = (_moment(data, name) for name in ("start", "end"))
    except ValueError as error:
        return error
    qmgr, fields = text_of(data.get("queuemgrname")), {} if kind == _QUEUES else data
    is_accounting = kind.endswith("Accounting")
    return StatisticsMessage(qmgr, start, end, created, fields, queues, is_accounting)


def _moment(data: Mapping[str, Any], name: str) -> datetime:
    text = f"{data.get(f'{name}date')} {str(data.get(f'{name}time')).replace('.', ':')}"
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            return moment
    raise ValueError(f"its {name} is no local date and time")


def _lower(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields by their names in lower case: another version spells some differently."""
    return {name.lower(): value for name, value in data.items()}


def _value(text: str) -> Any:
    """Return a printed value: a text in quotes, a list of numbers, a number, or a name of MQ."""
    text = text.strip()
    if text.startswith("'"):
        return text.strip("'")
    if text.startswith("["):
        # amqsmon has a blank behind the comma; without one it is the group of a changed number
        return [_value(part) for part in text.strip("[]").split(", ")]
    return int(text) if text.lstrip("-").isdigit() else text
