"""Names of dynamic queues, folded so that no temporary queue is a part of its own."""

from __future__ import annotations

from typing import Any, Final

import pyarrow.compute as pc

UNIQUE_SUFFIX: Final = r"[0-9A-F]{12,}$"
"""What MQ puts in place of the asterisk of DynamicQName: sixteen hexadecimal digits; fewer remain
where a long prefix leaves no room."""


def folded(queues: Any) -> Any:
    """Return the names of queues, those of dynamic ones with ``*`` for the unique part.

    ``CSQ.DA12F0C4B3E5D7A1`` and all its like become ``CSQ.*``.
    """
    return pc.replace_substring_regex(queues, pattern=UNIQUE_SUFFIX, replacement="*")
