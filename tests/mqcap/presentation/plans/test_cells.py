"""A plan in a cell of a table or an entry of a list."""

from __future__ import annotations

from mqcap.domain.plan import NotKept
from tests.factories import DAY

NOT_KEPT = NotKept(
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", fails_from=DAY, why="compress the log"
)
