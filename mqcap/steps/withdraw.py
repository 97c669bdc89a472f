"""Withdraw a delivered file: its rows count no more, and the file stays in landing."""

from typing import Final

from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.shown_text import printable
from mqcap.lake.landed_places import Deliveries
from mqcap.lake.layout import landed_paths, manifest_path, rows_path
from mqcap.lake.location import Location, open_lake
from mqcap.lake.manifest import Manifest, manifests, read_manifest
from mqcap.lake.retention_state import frozen_dates
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files, upsert_source_files
from mqcap.store.models import SourceFileFacts

HASH_DIGITS_MIN: Final = 8
"""So many digits name a file (ours)."""


def withdraw(settings: Settings, engine: Store, wanted: str) -> dict[str, str | int]:
    """Mark a file as withdrawn and remove its rows. Return name, hash and the dates that stay.

    ``wanted`` is its name as delivered, or the first digits of its hash. Raises InputError where it
    means no file or several, or retention has removed its rows.
    """
    lake = open_lake(settings.lake)
    with exclusive(settings, LakePart.landing), exclusive(settings, LakePart.sections):
        file = _meant(read_source_files(engine), printable(wanted))
        manifest, dates_that_stay = read_manifest(lake, file.sha256), 0
        if manifest is not None:
            keep_days = settings.store.retention.interval_days
            dates_that_stay = _dates_that_stay(lake, manifest, file.name, keep_days)
        elif file.sha256 not in landed_paths(lake):
            raise InputError("this file was not taken in", file=file.name)
        deliveries = Deliveries.load(lake)
        deliveries.withdraw(file.sha256)
        deliveries.save()
        if manifest is not None:  # first the record that it was decoded
            manifest_path(lake, manifest.sha256).unlink(missing_ok=True)
            for dataset in manifest.rows:
                path = rows_path(lake, dataset, manifest.received_date, manifest.sha256)
                path.unlink(missing_ok=True)
        sentence = f"withdrawn; it counts no more. mqcap load {file.name} takes it back."
        upsert_source_files(engine, [file.model_copy(update={"problem": sentence})])
    return {"name": file.name, "sha256": file.sha256, "dates_that_stay": dates_that_stay}


def _meant(files: list[SourceFileFacts], wanted: str) -> SourceFileFacts:
    found = [file for file in files if file.name == wanted]
    if not found and len(wanted) >= HASH_DIGITS_MIN:
        found = [file for file in files if file.sha256.startswith(wanted.lower())]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(
            "no delivered file has this name or hash",
            file=wanted,
            expected="a name as it was sent, or the first 8 or more digits of the SHA-256 of its "
            "content, as the page Data has them",
        )
    received = "; ".join(
        f"{file.sha256[:12]} of {file.landed_at_utc:%Y-%m-%d %H:%M}" for file in found
    )
    raise InputError(
        f"{counted(len(found), 'delivered file')} have this name",
        file=wanted,
        found=f"{received} (UTC)",
        remedy="Name the one that is meant by these digits.",
    )


def _dates_that_stay(lake: Location, manifest: Manifest, name: str, keep_days: int) -> int:
    """Return how many UTC dates of a file are frozen. Raises InputError where all of them are."""
    frozen = frozen_dates(lake, manifests(lake)).intersection(manifest.hour_dates)
    if frozen and frozen.issuperset(manifest.hour_dates):
        raise InputError(
            "decoded records of its days were removed, so no hour of them can be made again",
            file=name,
            found=f"records of {min(frozen)} to {max(frozen)}",
            expected=f"a file of the last {keep_days} days (store.retention.interval_days)",
        )
    return len(frozen)
