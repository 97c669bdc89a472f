"""Site figures: what a site measures itself and sends as subject, figure, time and value.

Those below are asked for by rules of the documents; the settings declare others.
"""

from typing import Annotated, Final

from pydantic import BaseModel, Field, StringConstraints

from mqcap.domain.metric import Direction

FigureName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
PREFIX: Final = "site_"
"""Begin of the metric of a declared figure, so that it never has the name of another metric."""
UNIT_SUFFIX: Final = ".unit"
"""End of the key under which the unit of a declared figure is found beside its limit."""
LOWEST_SUFFIX: Final = "_lowest"
"""End of the metric of the lowest hour of a day, of a figure of which low is bad."""


class DeclaredFigure(BaseModel, frozen=True, extra="forbid"):
    """A figure that the settings declare, with its unit and limit; ``None``: it has no limit."""

    figure: FigureName
    label: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    unit: Annotated[str, StringConstraints(min_length=1, max_length=20)]
    limit: float | None = None
    direction: Direction = Direction.upward
    """``upward``: a value above the limit is in breach; ``downward``: one below it."""
    step_seconds: Annotated[float | None, Field(gt=0, le=90_000)] = None
    """Time between two values, for files with one value of a subject; ``None``: not known."""

    @property
    def metric(self) -> str:
        """Name of its metric."""
        return f"{PREFIX}{self.figure}"


PUBLISHED: Final = ("host_cpu_busy_pct", "mq_lock_wait_pct")
"""Published by queue managers too: both are one series, a percentage."""
UNITS: Final = {
    "host_network_used_gigabits": "Gbit/s",
    "host_disk_busy_pct": "%",
    "host_working_set_mib": "MiB",
    "host_memory_mib": "MiB",
    "mq_client_count": "count",
    "ims_region_occupancy_pct": "%",
    "ims_checkpoint_minutes": "min",
    "ims_buffer_wait_count": "count",
    "zhyperlink_other_token_count": "count",
    **dict.fromkeys(PUBLISHED, "%"),
}
"""Unit of each figure that the rulebook knows; a file that states another is refused there."""
