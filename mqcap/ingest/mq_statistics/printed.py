"""Statistics and accounting messages as amqsevt (JSON) and amqsmon (text) print them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from mqcap.ingest.mq_statistics.messages import StatisticsMessage, text_of
from mqcap.ingest.text_reading import Omissions

_MQI: Final = 164
_QUEUE: Final = 165
_ACCOUNTED_MQI: Final = 167
_ACCOUNTED_QUEUE: Final = 168
_KIND: Final = re.compile(r"^MonitoringType: (\w+)")
_FIELD: Final = re.compile(r"^(\s*)(\w+): (.*)$")
_PROCESSED: Final = re.compile(r"\s*\d+ \w+ (?:Processed|processed)\.")
_GROUPS: Final = frozenset({"QueueStatistics", "QueueAccounting"})
TEXT_NAMES: Final = {
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


_COUNTS: Final = frozenset({"ConnHighwater", "PutCount", "Put1Count", "PutBytes", "QMaxDepth"})


class _EventType(msgspec.Struct):
    value: int


class _Creation(msgspec.Struct):
    epoch: float


class StatisticsEvent(msgspec.Struct):
    """A message of amqsevt."""

    eventType: _EventType  # noqa: N815 - MQ's names
    eventCreation: _Creation  # noqa: N815
    eventData: dict[str, Any]  # noqa: N815


def of_event(event: StatisticsEvent) -> StatisticsMessage | None:
    """Return the message of an event; ``None`` for events of other kinds.

    Raises ValueError when its times or queues cannot be read.
    """
    kind = event.eventType.value
    if kind not in {_MQI, _QUEUE, _ACCOUNTED_MQI, _ACCOUNTED_QUEUE}:
        return None
    data = _lower(event.eventData)
    group = {_QUEUE: "queuestatisticsdata", _ACCOUNTED_QUEUE: "queueaccountingdata"}.get(kind, "")
    found = data.get(group, [])
    if not isinstance(found, list) or not all(isinstance(queue, dict) for queue in found):
        raise ValueError(f"its {group} is no list of queues")
    queues = [_lower(queue) for queue in found]
    try:
        created = datetime.fromtimestamp(event.eventCreation.epoch, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError("it was created at an impossible time") from error
    fields = {} if kind == _QUEUE else data
    is_accounting = kind in {_ACCOUNTED_MQI, _ACCOUNTED_QUEUE}
    return _message(data, created, fields, queues, is_accounting=is_accounting)


def text_messages(
    lines: Iterable[str], left_out: Omissions | None = None
) -> Iterator[StatisticsMessage | ValueError]:
    """Yield the messages of amqsmon about MQI and queues; those about channels are none.

    Of a message whose times cannot be read the reason.
    """
    left_out = Omissions() if left_out is None else left_out
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
            elif read[2] in TEXT_NAMES:
                target[TEXT_NAMES[read[2]]] = _value(read[3])
                if read[2] in _COUNTS and not _is_count(target[TEXT_NAMES[read[2]]]):
                    left_out.add(f"{read[2]} is no number", "figure", number)
        elif not _PROCESSED.match(line):
            left_out.not_understood(line, number)
    yield from _printed(kind, fields, queues)


def _printed(
    kind: str, fields: dict[str, Any], queues: list[dict[str, Any]]
) -> Iterator[StatisticsMessage | ValueError]:
    if not kind and fields:
        yield ValueError("no line MonitoringType in front of it")
    try:
        if kind == "MQIStatistics":
            yield _message(fields, None, fields, [])
        elif kind == "QueueStatistics":
            yield _message(fields, None, {}, queues)
        elif kind in {"MQIAccounting", "QueueAccounting"}:
            yield _message(fields, None, fields, queues, is_accounting=True)
    except ValueError as error:
        yield error


def _message(
    data: Mapping[str, Any],
    created: datetime | None,
    fields: Mapping[str, Any],
    queues: list[Any],
    *,
    is_accounting: bool = False,
) -> StatisticsMessage:
    return StatisticsMessage(
        text_of(data.get("queuemgrname")),
        _moment(data, "start"),
        _moment(data, "end"),
        created,
        fields,
        queues,
        is_accounting,
    )


def _moment(data: Mapping[str, Any], name: str) -> datetime:
    text = f"{data.get(f'{name}date')} {str(data.get(f'{name}time')).replace('.', ':')}"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is not None:
        raise ValueError(f"its {name} is no local date and time")
    return moment


def _lower(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields by their names in lower case: another version spells some differently."""
    return {name.lower(): value for name, value in data.items()}


def _is_count(value: Any) -> bool:
    return all(isinstance(each, int) for each in (value if isinstance(value, list) else [value]))


def _value(text: str) -> Any:
    """Return a printed value: a text in quotes, a list of numbers, a number, or a name of MQ."""
    text = text.strip()
    if text.startswith("'"):
        return text.strip("'")
    if text.startswith("["):
        # amqsmon has a blank behind the comma; without one it is the group of a changed number
        return [_value(part) for part in text.strip("[]").split(", ")]
    return int(text) if text.lstrip("-").isdigit() else text
