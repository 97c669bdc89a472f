"""Messages of the console that say what happened to a resource, and the catalogue of them."""

from enum import StrEnum
from typing import Final

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
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
