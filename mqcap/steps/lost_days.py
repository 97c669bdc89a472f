"""Days that the store knows and the lake does not have: a lake not mounted, or not complete.

Nothing is judged or sent from what is left: the figures would change as though history had.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, timedelta

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import counted
from mqcap.lake.aggregated import source_digests
from mqcap.lake.location import Location
from mqcap.lake.manifest import manifests
from mqcap.store.database import Store
from mqcap.store.files import read_source_files
from mqcap.store.models import SourceFileFacts
from mqcap.store.observations import observed_digests


def days_lost_by(lake: Location, engine: Store) -> list[date]:
    """Return the observed UTC dates whose files and hours the lake no longer knows, in order."""
    gone = observed_digests(engine).keys() - source_digests(lake).keys()
    if not gone:
        return []
    decoded = {manifest.sha256 for manifest in manifests(lake)}
    lost = (
        file
        for file in read_source_files(engine)
        if file.record_count is not None and not file.problem and file.sha256 not in decoded
    )
    return sorted({day for file in lost for day in _dates(file)} & gone)


def refuse_lost_days(lake: str, days: list[date]) -> None:
    """Raise ConfigurationError when there are any."""
    if days:
        raise ConfigurationError(
            "the store knows days that the lake does not have",
            found=f"{counted(len(days), 'UTC date')} missing in {lake} ({days[0]} to {days[-1]})",
            expected="the lake that these days were loaded into",
            remedy="Mount it, correct the key lake, or put it back from a backup; or put the files "
            "of these days into the inbox again. To begin anew, name a new store too (store.url). "
            "Nothing was judged or sent.",
        )


def _dates(file: SourceFileFacts) -> Iterable[date]:
    if file.first_interval_utc is None or file.last_interval_utc is None:
        return
    first, last = (
        each.astimezone(UTC).date() for each in (file.first_interval_utc, file.last_interval_utc)
    )
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
