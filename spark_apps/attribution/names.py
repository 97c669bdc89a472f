"""Names of dynamic queues, folded so that no temporary queue is a part of its own."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column
from pyspark.sql import functions as sf

UNIQUE_SUFFIX: Final = r"[0-9A-F]{12,}$"
"""What MQ puts in place of the asterisk of DynamicQName: sixteen hexadecimal digits; fewer remain
where a long prefix leaves no room."""


def folded(queue: Column) -> Column:
    """Return the name of a queue, that of a dynamic one with ``*`` for its unique part.

    ``CSQ.DA12F0C4B3E5D7A1`` and all its like become ``CSQ.*``.
    """
    return sf.when(
        queue.rlike(UNIQUE_SUFFIX), sf.regexp_replace(queue, UNIQUE_SUFFIX, "*")
    ).otherwise(queue)
