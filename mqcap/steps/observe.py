"""Step observe: the daily roll-up of hourly values, for every day whose hours have changed.

Its module is imported only where a day has: pandas is half of a short run. Where the lake lacks
days that the store knows, nothing is judged: figures would change as though history had.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import UTC, date, timedelta
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import counted
from mqcap.lake.aggregated import source_digests
from mqcap.lake.location import Location, open_lake
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.retention_state import frozen_dates
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from mqcap.steps.load_problems import place_problems
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files, upsert_source_files
from mqcap.store.models import SourceFileFacts
from mqcap.store.observations import observed_digests

_log = logging.getLogger(__name__)
_NOTHING: Final = dict.fromkeys(
    ("hour_dates", "site_dates", "observations", "feed_days", "console_states", "console_unplaced"),
    0,
)
_PARTS: Final = ("decoded", "skipped", "quarantined")
"""Of the bytes of a file."""


def observe(settings: Settings, engine: Store) -> dict[str, int]:
    """Rewrite observations of all site dates whose hourly partitions changed. Returns counts."""
    lake = open_lake(settings.lake)
    with exclusive(settings, LakePart.hourly):
        digests, observed = source_digests(lake), observed_digests(engine)
        refuse_lost_days(settings.lake, days_lost_by(lake, engine))
        files = _record_manifests(lake, engine, settings)
        stale = {day: digest for day, digest in digests.items() if observed.get(day) != digest}
        if not stale:
            return files | _NOTHING
        from mqcap.steps.daily_roll_up import roll_up  # noqa: PLC0415 - imports pandas

        return files | roll_up(settings, engine, lake, stale)


def _record_manifests(lake: Location, engine: Store, settings: Settings) -> dict[str, int]:
    estate, dates_left_out = settings.complete_estate(), 0
    files = {file.sha256: file for file in read_source_files(engine)}
    every = manifests(lake)
    printed: set[str] = set()
    frozen = frozen_dates(lake, every)
    for manifest in every:
        landed = files.get(manifest.sha256)
        if landed is not None and landed.record_count is None and manifest.problem:
            _log.error("%s", as_sent(manifest.problem, manifest.name, landed.name))
        elif landed is not None and landed.record_count is None:
            sentences = (
                *(as_sent(sentence, manifest.name, landed.name) for sentence in manifest.problems),
                *place_problems(manifest, landed.name, every, estate),
            )
            for sentence in sentences:
                if sentence not in printed:  # of a system, such as its zone, in each of its files
                    _log.warning("%s", sentence)
            printed.update(sentences)
            if left_out := sorted(frozen.intersection(manifest.hour_dates)):
                dates_left_out += len(left_out)
                keep_days = settings.store.retention.interval_days
                _log.error("%s", _left_out(landed.name, left_out, manifest, keep_days))
    rows = [_decoded(files[one.sha256], one) for one in every if one.sha256 in files]
    upsert_source_files(engine, rows)
    return {"files": len(rows), "dates_left_out": dates_left_out}


def as_sent(sentence: str, stored_name: str, name: str) -> str:
    """Return a sentence with the name of a file as it was sent, once."""
    head, found, rest = sentence.partition(stored_name)
    if not found:
        return sentence
    later = rest.replace(f". {stored_name} ", ". ").replace(stored_name, "the file")
    return f"{head}{name}{later}"


def _left_out(name: str, dates: Sequence[date], manifest: Manifest, keep_days: int) -> str:
    return (
        f"{name}: left out on {len(dates)} of its {counted(len(manifest.hour_dates), 'UTC date')} "
        f"({dates[0]} to {dates[-1]}). Decoded records of these dates were removed "
        f"(store.retention.interval_days: {keep_days}), so their hourly values stay as they are; "
        "raise the key to take in records that arrive later than that."
    )


def _decoded(landed: SourceFileFacts, manifest: Manifest) -> SourceFileFacts:
    return landed.model_copy(
        update={
            "framing": manifest.framing,
            "record_count": manifest.records,
            **{f"{part}_bytes": manifest.bytes.get(part) for part in _PARTS},
            "first_interval_utc": manifest.first_interval_utc,
            "last_interval_utc": manifest.last_interval_utc,
            "problem": manifest.problem and as_sent(manifest.problem, manifest.name, landed.name),
        }
    )


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
        moment.astimezone(UTC).date()
        for moment in (file.first_interval_utc, file.last_interval_utc)
    )
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
