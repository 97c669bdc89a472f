"""Units that every package counts in, with the mainframe's own sizes, and ranges of numbers."""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

KIB_BYTES: Final = 1_024
MIB_BYTES: Final = 1_048_576
GIB_BYTES: Final = 1_073_741_824

PAGE_BYTES: Final = 4_096
"""A page of a page set or buffer pool, and a log control interval (RBA table of MP16)."""

CYLINDER_3390_BYTES: Final = 737_280
"""3390 cylinder of 4 KiB control intervals: 15 tracks x 12 intervals (LOG-SIZE-CYL)."""

US_PER_S: Final = 1_000_000
SECONDS_PER_MINUTE: Final = 60
SECONDS_PER_HOUR: Final = 3_600
SECONDS_PER_DAY: Final = 86_400
MINUTES_PER_HOUR: Final = 60
HOURS_PER_DAY: Final = 24


@dataclass(frozen=True)
class Unit:
    """Unit of a figure that a person typed, beside the annotation of its field."""

    text: str


Amount = Annotated[float, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(gt=0)]
Percent = Annotated[float, Field(ge=0, le=100)]
UsedPercent = Annotated[float, Field(ge=0)]
"""Use of a capacity: above 100 where a forecast or a scenario needs more than there is."""
MQ_VERSION: Final = r"^\d{1,2}\.\d{1,2}(\.\d{1,2})?$"
MqVersion = Annotated[str, Field(pattern=MQ_VERSION)]
"""Version and release of MQ, with or without modification: ``9.4`` or ``9.3.5``."""
Share = Annotated[float, Field(ge=0, le=1)]
Rba = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{1,16}$")]
"""A log RBA as messages print it: hexadecimal, no prefix."""
