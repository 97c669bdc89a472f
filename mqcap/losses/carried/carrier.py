"""The survivor that carries a loss best under a scenario, where any one of several is enough.

``mqcap.losses.cells`` finds it, by the same figures as the losses of a day.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from mqcap.domain.subject import Subject

MARK: Final = "*"
"""Beside results of a survivor that need not carry the loss."""


class Carrying(NamedTuple):
    """A loss whose load any one of several survivors may take."""

    lost: str
    states: Mapping[str, str]
    """What each survivor carries in words, by survivor, the best survivor first."""

    @property
    def survivor(self) -> str:
        """The survivor that carries it best."""
        return next(iter(self.states))

    @property
    def others(self) -> tuple[str, ...]:
        """The other survivors."""
        return tuple(self.states)[1:]


def carried_text(carrying: Carrying) -> str:
    """Return who carries a loss best, and how the other survivors would be."""
    states = (f"{survivor}: {state}" for survivor, state in carrying.states.items())
    return (
        f"{carrying.survivor} carries the loss of {carrying.lost} best (any one survivor is "
        f"enough). {'. '.join(states)}. Results of the others are marked {MARK}."
    )


def marked(subject: str, every: Iterable[Carrying]) -> str:
    """Return a subject with ``MARK`` where it is of a survivor that need not carry a loss."""
    others = (each for carrying in every for each in carrying.others)
    is_other = any(map(Subject(subject).is_within, others))
    return f"{subject} {MARK}" if is_other else subject
