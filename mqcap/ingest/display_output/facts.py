"""Facts from command output."""

from typing import NamedTuple

Value = int | float | bool | str


class Fact(NamedTuple):
    """A value with the place it was read from."""

    queue_manager: str | None
    """As the response names it; ``None`` when it does not."""
    thing: str
    """The object: empty for the queue manager itself, else ``page set 3``, ``structure APPL1``."""
    key: str
    """Named as in the estate file where that has it; the unit is part of the name."""
    value: Value
    command: str
    """The command or message, such as ``DISPLAY LOG (CSQJ322I)``."""
    file: str
    line: int

    @property
    def source(self) -> str:
        """The command with file and line, for messages."""
        return f"{self.command}, {self.file} line {self.line}"
