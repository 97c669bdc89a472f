"""Partitions of a dataset: the folders ``hour_date=D`` or ``cutoff_date=D``."""

from datetime import date

from mqcap.lake.files import remove
from mqcap.lake.layout import dated_paths
from mqcap.lake.location import Location, Place


def partitions(lake: Place, dataset: str) -> dict[date, Place]:
    """Return the partitions of a dataset by date, in order; none when there is no dataset."""
    return {day: path for day, path in dated_paths(lake, dataset) if not path.name.startswith(".")}


def remove_before(lake: Location, dataset: str, first: date) -> int:
    """Remove the partitions of dates before ``first``; returns how many."""
    old = [folder for day, folder in partitions(lake, dataset).items() if day < first]
    for folder in old:
        remove(folder)
    return len(old)
