"""What one pasted answer says of one thing."""

from __future__ import annotations

from typing import NamedTuple

Value = int | float | bool | str


class Fact(NamedTuple):
    """One value with the place it was read from."""

    queue_manager: str | None
    """As the answer names it; ``None`` when it does not."""
    thing: str
    """What of the queue manager: empty for itself, else ``page set 3``, ``structure APPL1``."""
    key: str
    """Named as in the estate file where that has it; the unit is part of the name."""
    value: Value
    said_by: str
    """The command or message, such as ``DISPLAY LOG (CSQJ322I)``."""
    file: str
    line: int

    @property
    def source(self) -> str:
        """For the reader."""
        return f"{self.said_by}, {self.file} line {self.line}"
