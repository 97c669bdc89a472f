"""Limit of distinct queues of one queue manager in one file.

Names that change all the time (queues that programs create, with a new name each) would otherwise
take memory, and space of the lake, for every name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from mqcap.domain.numbers import counted

QUEUES_MAX: Final = 50_000
"""Queues of one queue manager that are read from one file (ours): no document has a limit."""
_NAMED: Final = 5


@dataclass
class QueueLimit:
    """The first ``most`` queues of each queue manager of a file, and which were left out."""

    most: int = QUEUES_MAX
    _taken: dict[str, set[str]] = field(default_factory=dict)
    _left_out: dict[str, dict[str, None]] = field(default_factory=dict)

    def admits(self, qmgr: str, queue: str) -> bool:
        """Return whether a queue is among the first ones of its queue manager."""
        taken = self._taken.setdefault(qmgr, set())
        if queue in taken:
            return True
        if len(taken) < self.most:
            taken.add(queue)
            return True
        others = self._left_out.setdefault(qmgr, {})
        if len(others) < self.most:  # what is counted takes no more memory than what is read
            others[queue] = None
        return False

    def problems(self, file: str) -> Iterator[str]:
        """Yield a sentence for each queue manager with queues that were left out."""
        for qmgr, others in self._left_out.items():
            names = list(others)
            listed = ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")
            at_least = "at least " if len(names) >= self.most else ""
            yield (
                f"{file}: queue manager {qmgr} has more than {counted(self.most, 'queue')} here; "
                f"{at_least}{counted(len(names), 'queue')} beyond the first of them left out: "
                f"{listed}. Report only queues that are to be watched (docs/distributed.md)."
            )
