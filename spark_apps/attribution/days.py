"""Days of the rows of attribution: site date and UTC date on which an interval begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from spark_apps.attribution.arrays import numbers
from spark_apps.transforms.keys import INTERVAL

DAYS: Final = ("hour_date", "site_date")


@dataclass(frozen=True)
class SiteDays:
    """Time zones that decide on which site date an interval begins."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Zone by sysplex."""
    default_zone: str = "UTC"

    def dated(self, table: pa.Table, start: str = INTERVAL[0]) -> pa.Table:
        """Return rows with column ``site_date``, the local date of an instant."""
        plexes = _encoded(table["sysplex"])
        instants = _encoded(table[start])
        days = [
            moment.astimezone(ZoneInfo(self.zones.get(plex, self.default_zone))).date()
            for plex in plexes.dictionary.to_pylist()
            for moment in instants.dictionary.to_pylist()
        ]
        width = len(instants.dictionary)
        place = numbers(plexes.indices).astype(np.int64) * width + numbers(instants.indices)
        return table.append_column(DAYS[1], pa.array(days, pa.date32()).take(pa.array(place)))


def _encoded(column: Any) -> Any:
    return column.combine_chunks().dictionary_encode()
