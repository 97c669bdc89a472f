"""Something that takes time, and what shows it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol


@dataclass
class Work:
    """Something that takes time."""

    what: str
    display: WorkDisplay
    total: float | None = None
    """Number of ``unit`` to do; ``None``: not known."""
    unit: str = ""
    done: float = 0.0
    began_seconds: float = field(default_factory=time.monotonic)
    """By the monotonic clock."""

    def advance(self, count: float = 1.0) -> None:
        """Add what is done."""
        self.reached(self.done + count, self.total)

    def reached(self, done: float, total: float | None) -> None:
        """Replace what is done and what there is to do."""
        self.done, self.total = done, total
        self.display.changed(self)

    def remaining_seconds(self, now_seconds: float) -> float | None:
        """Return how long the rest takes at the mean speed so far; ``None`` while nothing is done.

        ``now_seconds`` is by the monotonic clock.
        """
        if not self.done or self.total is None:
            return None
        elapsed = now_seconds - self.began_seconds
        return max(0.0, elapsed * (self.total - self.done) / self.done)

    def state(self, now_seconds: float) -> str:
        """Return ``3 of 12 files, 0:01:00, about 0:03:00 more``."""
        from mqcap.domain.numbers import figure  # noqa: PLC0415 - slow; short work is not shown

        parts = [clock(now_seconds - self.began_seconds)]
        if self.total:
            parts.insert(0, f"{figure(self.done)} of {figure(self.total)} {self.unit}")
        remaining = self.remaining_seconds(now_seconds)
        if remaining is not None:
            parts.append(f"about {clock(remaining)} more")
        return ", ".join(parts)

    def line(self, now_seconds: float) -> str:
        """Return ``decode: 25 %, 3 of 12 files, 0:01:00, about 0:03:00 more``."""
        from mqcap.domain.numbers import percent  # noqa: PLC0415 - as above

        share = f"{percent(self.done / self.total)}, " if self.total else ""
        return f"{self.what}: {share}{self.state(now_seconds)}"


class WorkDisplay(Protocol):
    """Shows the work of a process; called by several threads."""

    def begun(self, shown: Work) -> None:
        """Begin to show some work."""

    def changed(self, shown: Work) -> None:
        """Show how far it is now."""

    def ended(self, shown: Work) -> None:
        """End showing it."""

    def close(self) -> None:
        """End showing any; what ended with an error may still be open."""


def clock(seconds: float) -> str:
    """Return a length of time as ``0:01:30``."""
    return str(timedelta(seconds=round(seconds)))
