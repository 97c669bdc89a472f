"""The amount that a recommended change ends in, in parts; only here they become text."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel

from mqcap.operands.declared import SETTINGS


class TypedKind(StrEnum):
    """What an amount is of that no single setting has, with its text; ``s`` is of the plural."""

    form: str

    def __new__(cls, value: str, form: str) -> Self:
        """Return the member of a value with its form."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.form = form
        return kind

    cylinders = "cylinders", "CYL({value})"
    """Space of one data set: an active log or a page set."""
    more_data_sets = "more_data_sets", "{data_sets} x CYL({value})"
    """So many further data sets of that size in each copy."""
    channels = "channels", "{value:,} channel{s}"
    queue_managers = "queue_managers", "{value:,} queue manager{s}"
    backup_hours = "backup_hours", "every {value} h"
    backup_minutes = "backup_minutes", "every {value} min"
    queues = "queues", "{value:,} queue{s}"
    ims_buffers = "ims_buffers", "QBUF={value}"
    ims_regions = "ims_regions", "{value:,} region{s}"
    network_gigabits = "network_gigabits", "{value} Gb/s"
    memory_mib = "memory_mib", "{value} MiB"
    other = "other", ""
    """Text of an older release that is of no known kind; no rule emits it."""


_FORMS: Final = {kind.value: kind.form for kind in TypedKind} | {
    setting.typed.kind: setting.typed.form
    for setting in SETTINGS.values()
    if setting.typed is not None
}
"""By name of the amount; settings declare theirs."""


def _known(kind: str) -> str:
    if kind not in _FORMS:
        raise ValueError(f"no amount is called {kind!r}")
    return str(kind)


class TypedAmount(BaseModel, frozen=True):
    """Amount of a change, in parts."""

    kind: Annotated[str, AfterValidator(_known)]
    value: int = 0
    """In the unit of the kind; 0 where the kind is a keyword without a figure."""
    data_sets: int = 1
    """Number of data sets that are defined in each copy, for ``more_data_sets``."""
    words: str = ""

    @classmethod
    def of(cls, kind: str, value: int = 0, data_sets: int = 1) -> TypedAmount:
        """Return the amount of a kind."""
        return cls(kind=kind, value=value, data_sets=data_sets)

    @property
    def text(self) -> str:
        """Text that a person types or orders, such as ``CYL(4883)``."""
        if self.kind == TypedKind.other:
            return self.words
        plural = "" if self.value == 1 else "s"
        return _FORMS[self.kind].format(value=self.value, data_sets=self.data_sets, s=plural)
