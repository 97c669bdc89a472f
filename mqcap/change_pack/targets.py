"""The things that a change pack changes, and the values that they get."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from string import ascii_uppercase
from typing import Final, NamedTuple

from mqcap.domain.finding import Finding
from mqcap.domain.plan import PlanChange
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, PAGE_BYTES
from mqcap.operands.declared import TOPICS
from sizing.mqm import megabytes_of

LOGS: Final = "logs"
PAGE_SET: Final = "page_set"
STRUCTURE: Final = "structure_kib"
MQM: Final = "mqm_mb"
LOG_KEYS: Final = frozenset({"active_log_size_mib", "active_logs"})
_TOPICS: Final = {key: topic for topic, about in TOPICS.items() for key in about.keys}
"""By key of a plan's settings, where a statement has the value."""
_KIB_PER_MIB: Final = 1_024
_PAGES_PER_CYLINDER: Final = CYLINDER_3390_BYTES // PAGE_BYTES
_VALUES: Final[dict[str, Callable[[float], int]]] = {
    PAGE_SET: lambda pages: math.ceil(pages / _PAGES_PER_CYLINDER),
    STRUCTURE: lambda mib: math.ceil(mib) * _KIB_PER_MIB,
    MQM: megabytes_of,
}


class Target(NamedTuple):
    """Object that is changed."""

    sysplex: str
    names: tuple[str, ...]
    """Its path below the sysplex, such as ``("CSQ1", "BP01")``."""
    topic: str

    @property
    def owner(self) -> str:
        """The queue manager, or the structure itself."""
        return self.names[0]

    @property
    def number(self) -> int | None:
        """Number of the buffer pool or page set: 1 of ``BP01``; ``None`` for other names."""
        digits = self.names[-1].lstrip(ascii_uppercase)
        return int(digits) if len(self.names) > 1 and digits.isdecimal() else None

    @classmethod
    def of(cls, subject: str, topic: str) -> Target:
        """Return the target of a subject.

        A structure belongs to the policy of its sysplex, whichever CF it is allocated in.
        """
        sysplex, *rest = Subject(subject).names
        return cls(sysplex, tuple(rest[-1:] if topic == STRUCTURE else rest), topic)


class NewValue(NamedTuple):
    """A target with the figure that is typed for it."""

    target: Target
    value: int


def values_of_plan(changes: Iterable[PlanChange]) -> list[NewValue]:
    """Return what is typed for the changes of a plan, each target once; active logs are left out.

    Schedules of backups, engines and moved channels have no statement.
    """
    return list(dict.fromkeys(value for change in changes for value in _of_change(change)))


def values_of_findings(findings: Iterable[Finding]) -> list[NewValue]:
    """Return what is typed for the changes of single findings; active logs are left out."""
    return list(dict.fromkeys(value for finding in findings for value in _of_finding(finding)))


def _of_change(change: PlanChange) -> Iterator[NewValue]:
    for key, value in change.settings.items():
        topic = _TOPICS.get(key)
        is_as_today = change.settings.get(f"{key}_from") == value
        if topic is not None and not is_as_today and not isinstance(value, str):
            yield NewValue(
                Target.of(change.subject, topic), _VALUES.get(topic, math.ceil)(float(value))
            )


def _of_finding(finding: Finding) -> Iterator[NewValue]:
    for change in finding.changes:
        if change.amount is None:
            continue
        is_space = change.amount.kind == TypedKind.cylinders
        is_page_set = is_space and len(finding.subject.names) > 2
        topic = PAGE_SET if is_page_set else str(change.amount.kind)
        if topic in TOPICS:
            yield NewValue(Target.of(finding.subject, topic), change.amount.value)
