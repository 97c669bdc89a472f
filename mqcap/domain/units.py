"""Units that every package counts in, with the mainframe's own sizes."""

from __future__ import annotations

from typing import Final

KIB_BYTES: Final = 1_024
MIB_BYTES: Final = 1_048_576
GIB_BYTES: Final = 1_073_741_824

PAGE_BYTES: Final = 4_096
"""A page of a page set or buffer pool, and a log control interval (rules.md section 2)."""

CYLINDER_3390_BYTES: Final = 737_280
"""3390 cylinder of 4 KiB control intervals: 15 tracks x 12 intervals (LOG-SIZE-CYL)."""

SECONDS_PER_MINUTE: Final = 60
SECONDS_PER_HOUR: Final = 3_600
SECONDS_PER_DAY: Final = 86_400
