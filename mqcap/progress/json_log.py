"""Standard error of a process as JSON lines, where the environment asks for them.

Each line is an object with ``time`` (ISO, UTC), ``level`` (``info``, ``warning`` or ``error``),
``message`` (the line that is printed otherwise) and, where there are any, facts: ``step`` and
``counts`` of a step that has ended, ``error`` as the name of its class, ``logger`` of a record.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import Any, Final, Literal

Level = Literal["info", "warning", "error"]
VARIABLE: Final = "MQCAP_LOG_FORMAT"
"""``json`` asks for JSON lines; any other value, or none, for text."""


def json_wanted() -> bool:
    """Return whether the environment asks for JSON lines."""
    return os.environ.get(VARIABLE) == "json"


def json_line(level: Level, message: str, **facts: Any) -> str:
    """Return one line: an object without line breaks; values that JSON lacks become text."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    document = {"time": time, "level": level, "message": message, **facts}
    return json.dumps(document, ensure_ascii=False, default=str)
