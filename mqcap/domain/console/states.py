"""States of resources, from the messages that begin and end them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.console.message import CatalogueEntry, ConsoleMessage, MessageKind
from mqcap.domain.finding import Severity
from mqcap.domain.resource import Resource, ResourceKind, resource_of
from mqcap.domain.subject import Subject

OPEN_DAYS_MAX: Final = 7
"""Days for which a state counts whose end no message reported, unless it is exhaustion, which then
counts on its own day alone (ours)."""


_GRAVITY: Final = (MessageKind.exhausted, MessageKind.near_exhaustion, MessageKind.degraded)


class ConsoleState(BaseModel, frozen=True, from_attributes=True):
    """A state of a resource: the message that began it, and when it ended."""

    message_id: str
    subject: Subject
    resource_kind: ResourceKind
    kind: MessageKind
    severity: Severity
    state: str
    """In a few words, such as ``out of active log space``."""
    site_date: date
    """Day on which it began."""
    last_date: date
    """Last day on which it counts."""
    first_utc: AwareDatetime
    last_utc: AwareDatetime
    """When the message came last."""
    message_count: int
    ended_utc: AwareDatetime | None = None
    """``None`` while no message has ended it."""
    ended_by: str = ""
    object_name: str = ""
    amount: float | None = None
    """The number in the last message, such as a percentage; ``None`` without one."""
    text: str
    """The first message."""
    file_name: str
    line_number: int

    @property
    def resource(self) -> Resource:
        """The resource that is in this state."""
        return resource_of(self.resource_kind, self.subject)


def states_of(
    messages: Iterable[ConsoleMessage],
    entries: Mapping[str, CatalogueEntry],
    date_of: Callable[[datetime, str], date],
) -> list[ConsoleState]:
    """Return the states that messages begin, by the time of their first message.

    A message that comes again on a day belongs to the state of that day; on a later day it begins
    the state anew, so that a day is reported the same whatever came after it. A state is ended by a
    message of the same owner, and of the same object where both name one. ``messages`` are in any
    order, with those that only end states; ``entries`` is the catalogue by id; ``date_of`` returns
    the site date of an instant for a subject.
    """
    open_states: list[_Open] = []
    done: list[ConsoleState] = []
    ordered = sorted(messages, key=lambda m: (m.at_utc, m.file_name, m.line_number))
    for message in ordered:
        entry = entries[message.message_id]
        still_open = []
        for begun in open_states:
            if begun.is_over_at(message, date_of(message.at_utc, begun.first.subject)):
                done.append(begun.state(date_of, None))
            elif begun.is_ended_by(message):
                done.append(begun.state(date_of, message))
            else:
                still_open.append(begun)
        open_states = still_open
        if entry.begins_state:
            done += _begin(open_states, entry, message, date_of)
    done += [begun.state(date_of, None) for begun in open_states]
    return sorted(done, key=lambda state: (state.first_utc, state.subject, state.message_id))


def states_on(
    states: Iterable[ConsoleState], kind: ResourceKind, subject: str
) -> list[ConsoleState]:
    """Return the states of one kind of resource of a subject, in their order."""
    return [one for one in states if one.resource_kind is kind and one.subject == subject]


def open_on(states: Iterable[ConsoleState], day: date) -> list[ConsoleState]:
    """Return the states that count on a day: the gravest first, then by time."""
    counting = (state for state in states if state.site_date <= day <= state.last_date)
    return sorted(counting, key=lambda one: (_GRAVITY.index(one.kind), one.first_utc))


@dataclass
class _Open:
    """A state that no message has ended yet."""

    entry: CatalogueEntry
    first: ConsoleMessage
    last: ConsoleMessage
    day: date
    last_date: date
    """Last day on which it counts if nothing else comes."""
    count: int = 1

    def is_over_at(self, message: ConsoleMessage, day: date) -> bool:
        """Return whether it no longer counts when a message of its owner comes."""
        return message.owner == self.first.owner and day > self.last_date

    def is_ended_by(self, message: ConsoleMessage) -> bool:
        """Return whether a message ends it."""
        return (
            message.message_id in self.entry.ended_by
            and message.owner == self.first.owner
            and _may_be_one(message.object_name, self.first.object_name)
        )

    def is_repeated_by(self, message: ConsoleMessage) -> bool:
        """Return whether a message reports it again."""
        return (message.message_id, message.subject, message.object_name) == (
            self.first.message_id,
            self.first.subject,
            self.first.object_name,
        )

    def state(
        self, date_of: Callable[[datetime, str], date], ended_by: ConsoleMessage | None
    ) -> ConsoleState:
        """Return the state as it is known."""
        first, subject = self.first, self.first.subject
        ended = date_of(ended_by.at_utc, subject) if ended_by is not None else None
        return ConsoleState(
            message_id=self.entry.id,
            subject=subject,
            resource_kind=first.resource_kind,
            kind=self.entry.kind,
            severity=self.entry.severity or Severity.watch,
            state=self.entry.state,
            site_date=date_of(first.at_utc, subject),
            last_date=ended or self.last_date,
            first_utc=first.at_utc,
            last_utc=self.last.at_utc,
            message_count=self.count,
            ended_utc=ended_by.at_utc if ended_by is not None else None,
            ended_by=ended_by.message_id if ended_by is not None else "",
            object_name=first.object_name,
            amount=self.last.amount,
            text=first.text,
            file_name=first.file_name,
            line_number=first.line_number,
        )


def _begin(
    open_states: list[_Open],
    entry: CatalogueEntry,
    message: ConsoleMessage,
    date_of: Callable[[datetime, str], date],
) -> list[ConsoleState]:
    """Add a message to the open state of its day, or open one; return the one that it replaces."""
    day = last_date = date_of(message.at_utc, message.subject)
    if entry.ended_by and entry.kind is not MessageKind.exhausted:
        last_date += timedelta(days=OPEN_DAYS_MAX - 1)
    begun = next((one for one in open_states if one.is_repeated_by(message)), None)
    if begun is not None and begun.day == day:
        begun.last = message
        begun.count += 1
        return []
    if begun is not None:
        open_states.remove(begun)
        begun.last_date = day - timedelta(days=1)
    open_states.append(_Open(entry, message, message, day, last_date))
    return [begun.state(date_of, None)] if begun is not None else []


def _may_be_one(one: str, other: str) -> bool:
    return not one or not other or one == other
