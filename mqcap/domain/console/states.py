"""Messages of the console, their catalogue, and the states of resources that they begin and end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.resource import Resource, ResourceKind, resource_of
from mqcap.domain.subject import Subject

OF_ERROR_LOGS: Final = "DST-ERRORLOG-"
"""Beginning of the ids of rules about what error logs report."""


def where_reported(rule_id: str) -> str:
    """Return where the messages behind a rule are, as an adverbial."""
    return "in the error log" if rule_id.startswith(OF_ERROR_LOGS) else "on the console"


def where_written(message_id: str) -> str:
    """Return where a message was written, as an adverbial."""
    return "in the error log" if message_id.startswith("AMQ") else "on the console"


class MessageKind(StrEnum):
    """What a message says of its resource."""

    exhausted = "exhausted"
    """Nothing of the resource is left: work stops or is refused."""
    near_exhaustion = "near_exhaustion"
    degraded = "degraded"
    """It works with less than it should: one copy of two, a failed recovery."""
    recovered = "recovered"
    """A state that another message began is over."""
    event = "event"
    configuration = "configuration"
    """A setting or an answer to a command."""


STATE_KINDS: Final = frozenset(
    {MessageKind.exhausted, MessageKind.near_exhaustion, MessageKind.degraded}
)
"""Kinds of messages that begin a state of their resource."""


class TextCertainty(StrEnum):
    """Source of what is known of a message."""

    A = "A"
    """Number and words are in a document of IBM."""
    B = "B"
    """The number is in such a document; the words are those of a related message or of memory."""
    C = "C"
    """Neither was found in a document: the number alone is relied on."""


class CatalogueEntry(BaseModel, frozen=True, extra="forbid"):
    """A message of the catalogue."""

    id: str
    resource: ResourceKind
    kind: MessageKind
    certainty: TextCertainty
    pattern: str = ""
    """Regular expression of its text, with its figures as groups; empty: the number alone."""
    needs_text: bool = False
    """True where the message is of no use without its figures: another text is quarantined."""
    reader: str = ""
    """Name of the code that reads what no expression can; empty for all others."""
    severity: Severity | None = None
    """Severity of the state that it begins; ``None`` for a message that begins none."""
    state: str = ""
    """The state in a few words, such as ``out of active log space``."""
    ended_by: tuple[str, ...] = ()
    """Messages that end the state; empty: none does, and it counts on its own day."""
    capacity_only: str = ""
    """Expression that the text must match for a matter of capacity; empty: it always is one."""

    not_judged: str = ""
    """Why it begins no state where no queue manager is known for it; empty: that is a fault of
    the estate, or the message is of something else than MQ."""

    @property
    def begins_state(self) -> bool:
        """True where the message begins a state of its resource."""
        return self.kind in STATE_KINDS


class ConsoleMessage(BaseModel, frozen=True):
    """A message about a resource, as it came."""

    message_id: str
    at_utc: AwareDatetime
    resource_kind: ResourceKind
    subject: Subject
    """Queue manager, channel initiator, pool, page set or structure that it is about."""
    owner: Subject
    """The queue manager that wrote it, such as ``PLEX1/CSQ1``; the sysplex for one of z/OS."""
    object_name: str = ""
    """What the text names, such as a channel; empty where it names nothing."""
    amount: float | None = None
    """The number in its text, such as a percentage; ``None`` without one."""
    text: str
    file_name: str
    line_number: int


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
    last_date: date
    """Last day on which it counts."""
    first_utc: AwareDatetime
    last_utc: AwareDatetime
    message_count: int
    ended_utc: AwareDatetime | None = None
    """``None`` while no message has ended it."""
    ended_by: str = ""
    object_name: str = ""
    amount: float | None = None
    """The number in the last message, such as a percentage; ``None`` without one."""
    text: str
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

    On a later day a message begins the state anew. It is ended by a message of the same owner, and
    of the same object where both name one. ``messages`` are in any order, ``entries`` the catalogue
    by id; ``date_of`` returns the site date of an instant for a subject.
    """
    open_states: list[_Open] = []
    done: list[ConsoleState] = []
    for message in sorted(messages, key=lambda m: (m.at_utc, m.file_name, m.line_number)):
        for begun in [one for one in open_states if one.owner == message.owner]:
            day = date_of(message.at_utc, begun.state.subject)
            if day <= begun.state.last_date:
                if not begun.is_ended_by(message):
                    continue
                begun.learn(last_date=day, ended_utc=message.at_utc, ended_by=message.message_id)
            open_states.remove(begun)
            done.append(begun.state)
        entry = entries[message.message_id]
        if entry.begins_state:
            done += _begin(open_states, entry, message, date_of(message.at_utc, message.subject))
    done += [begun.state for begun in open_states]
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


@dataclass(eq=False)
class _Open:
    """A state that no message has ended yet; its last day is that if nothing else comes."""

    state: ConsoleState
    owner: Subject
    ended_by: tuple[str, ...]

    def learn(self, **values: Any) -> None:
        self.state = self.state.model_copy(update=values)

    def is_ended_by(self, message: ConsoleMessage) -> bool:
        names = {message.object_name, self.state.object_name} - {""}
        return message.message_id in self.ended_by and len(names) <= 1

    def is_repeated_by(self, message: ConsoleMessage) -> bool:
        names = ("message_id", "subject", "object_name")
        return all(getattr(message, name) == getattr(self.state, name) for name in names)


def _begin(
    open_states: list[_Open], entry: CatalogueEntry, message: ConsoleMessage, day: date
) -> list[ConsoleState]:
    """Add a message to the open state of its day, or open one; return the one that it replaces."""
    begun = next((one for one in open_states if one.is_repeated_by(message)), None)
    if begun is not None and begun.state.site_date == day:
        count = begun.state.message_count + 1
        begun.learn(last_utc=message.at_utc, message_count=count, amount=message.amount)
        return []
    if begun is not None:
        open_states.remove(begun)
        begun.learn(last_date=day - timedelta(days=1))
    is_lasting = entry.ended_by and entry.kind is not MessageKind.exhausted
    state = ConsoleState(
        **dict(message),
        kind=entry.kind,
        severity=entry.severity or Severity.watch,
        state=entry.state,
        site_date=day,
        last_date=day + timedelta(days=OPEN_DAYS_MAX - 1 if is_lasting else 0),
        first_utc=message.at_utc,
        last_utc=message.at_utc,
        message_count=1,
    )
    open_states.append(_Open(state, message.owner, entry.ended_by))
    return [begun.state] if begun is not None else []


ARCHIVING_STOPPED: Final = MappingProxyType(
    {
        "CSQJ115E": "archiving failed",
        "CSQJ124E": "archiving was suspended",
        "CSQJ128E": "the offload task failed",
        "CSQJ164I": "archiving was delayed",
    }
)
"""Messages after which full active logs stay full, in words."""
ALL_FULL: Final = "CSQJ111A"
LOG_IS_FULL: Final = frozenset({"CSQJ110E", ALL_FULL})
"""Messages of active logs that are full, or all but one."""


class LogOutage(NamedTuple):
    """Logs that were full since archiving had stopped: cause and effect."""

    cause: ConsoleState
    effect: ConsoleState

    @property
    def lasted_s(self) -> float:
        """Seconds for which the logs lasted without archiving."""
        return (self.effect.first_utc - self.cause.first_utc).total_seconds()


def log_outage(subject: str, every: Sequence[ConsoleState], day: date) -> LogOutage | None:
    """Return how logs of a queue manager became full on a day; ``None`` without a stop before."""
    pairs = stops_and_full_logs(subject, every, day)
    if not pairs:
        return None
    causes, effects = zip(*pairs, strict=True)
    return LogOutage(
        min(causes, key=lambda state: state.first_utc),
        max(effects, key=lambda state: (state.message_id == ALL_FULL, state.first_utc)),
    )


def is_full_without_stop(subject: str, every: Sequence[ConsoleState], day: date) -> bool:
    """Return whether logs were full on a day without one of ``ARCHIVING_STOPPED`` before them."""
    own = [state for state in open_on(every, day) if state.subject == subject]
    is_full = any(state.message_id in LOG_IS_FULL for state in own)
    return is_full and not stops_and_full_logs(subject, every, day)


def stops_and_full_logs(
    subject: str, every: Sequence[ConsoleState], day: date
) -> list[tuple[ConsoleState, ConsoleState]]:
    """Return the states of a day after which full logs stay full, each with one that followed."""
    own = [state for state in open_on(every, day) if state.subject == subject]
    return [
        (cause, effect)
        for cause in states_on(own, ResourceKind.archive, subject)
        for effect in own
        if cause.message_id in ARCHIVING_STOPPED
        and effect.message_id in LOG_IS_FULL
        and cause.first_utc <= effect.first_utc <= (cause.ended_utc or effect.first_utc)
    ]
