"""Decode one landed file: what a Spark worker does.

Rows go straight into one Parquet file per dataset, beside their names until all are complete.
They never pass the JVM. A file that cannot be read leaves a manifest that says why. Memory is
bounded whatever the size of the file: what ``mqcap.ingest.export`` states, and 8 bytes for every
row of a dataset with a key.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.datasets import CONSOLE_EVENT, QUARANTINE
from mqcap.domain.errors import CapacityError, InputError
from mqcap.domain.source import Reading, Source, SourceSummary
from mqcap.ingest.parallel import (
    SHARED_BYTES_MIN,
    ParallelReading,
    Shares,
    in_processes,
    write_share,
)
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.registry import source_for
from mqcap.lake.layout import LandedFile, Manifest, dataset_file, manifest_path, write_text
from spark_apps.transforms.carry import CARRY_HOURS
from spark_apps.transforms.repeats import Repeats

DECODER_VERSION: Final = "7"
"""Raise it when rows of files already decoded would come out differently; they are redone."""


@dataclass(frozen=True)
class DecodeOptions:
    """What the worker has to know; travels with the task."""

    lake: Path
    rejected_bytes_max_ratio: float
    zone_by_smfid: Mapping[str, str] = field(default_factory=dict)
    processes: int = 1
    """How many decode one large dump; the rows are the same."""


@dataclass
class _Facts:
    """What the manifest needs and only the rows tell."""

    rows: Counter[str] = field(default_factory=Counter)
    smfids: set[str] = field(default_factory=set)
    sysplex_by_smfid: dict[str, str] = field(default_factory=dict)
    hour_dates: set[date] = field(default_factory=set)
    repeated: tuple[str, ...] = ()
    """Datasets in which a key stands more than once."""

    def add(self, other: _Facts) -> None:
        """What another process has learned of other datasets of the file."""
        self.rows += other.rows
        self.smfids |= other.smfids
        self.sysplex_by_smfid |= other.sysplex_by_smfid
        self.hour_dates |= other.hour_dates
        self.repeated = tuple(sorted({*self.repeated, *other.repeated}))


def decode_file(landed: LandedFile, options: DecodeOptions) -> Manifest:
    """Write the rows of one file and then its manifest; safe to repeat.

    A damaged file, or one of which more than the tolerated share could not be read, gets a
    manifest with the problem, and of its rows only those of ``quarantine`` stay.
    Raises OSError when the lake cannot be written.
    """
    earlier = _earlier_datasets(options.lake, landed)
    source_name = landed.path.parent.parent.name.partition("=")[2]
    try:
        source = source_for(landed.path, options.zone_by_smfid)
        source_name = source.name
        manifest = _decode(source, landed, options)
    except CapacityError as error:
        manifest = _failed(landed, source_name, str(error))
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - recorded: one file never stops the others
        sentence = InputError(
            "cannot be decoded",
            file=landed.path.name,
            found=f"{type(error).__name__}: {error}",
            remedy="Keep the file and report it: the decoder did not expect this content.",
        )
        manifest = _failed(landed, source_name, str(sentence))
    for dataset in earlier - set(manifest.rows):
        _row_file(options.lake, dataset, landed).unlink(missing_ok=True)
    text = manifest.model_dump_json(indent=1)
    write_text(manifest_path(options.lake, landed.sha256), text)
    return manifest


def _decode(source: Source, landed: LandedFile, options: DecodeOptions) -> Manifest:
    reading = source.read(landed.path, landed.sha256)
    files = _RowFiles(options.lake, landed)
    is_shared = isinstance(reading, ParallelReading) and landed.bytes_count >= SHARED_BYTES_MIN
    count = options.processes if is_shared else 1
    facts = _Facts()
    try:
        for share in in_processes(
            lambda number: _decode_share(reading, files, Shares(count, number)), count
        ):
            facts.add(share)
        summary = reading.summary()
        problem = _too_damaged(landed, summary, options.rejected_bytes_max_ratio)
        kept = {name for name in facts.rows if problem is None or name == QUARANTINE.name}
        files.publish(kept)
    finally:
        files.drop()
    return Manifest(
        sha256=landed.sha256,
        source=source.name,
        name=landed.path.name,
        received_date=landed.received_date,
        decoder_version=DECODER_VERSION,
        framing=summary.framing,
        bytes={
            "content": summary.content_bytes,
            "decoded": summary.decoded_bytes,
            "skipped": summary.skipped_bytes,
            "quarantined": summary.quarantined_bytes,
        },
        records=summary.record_count,
        rows={name: count for name, count in sorted(facts.rows.items()) if name in kept},
        first_interval_utc=summary.first_interval_utc,
        last_interval_utc=summary.last_interval_utc,
        hour_dates=tuple(sorted({*summary.hour_dates, *facts.hour_dates})) if not problem else (),
        smfids=tuple(sorted(facts.smfids)),
        sysplex_by_smfid=dict(sorted(facts.sysplex_by_smfid.items())),
        repeated=facts.repeated,
        problems=summary.problems,
        problem=problem,
    )


def _failed(landed: LandedFile, source_name: str, sentence: str) -> Manifest:
    return Manifest(
        sha256=landed.sha256,
        source=source_name,
        name=landed.path.name,
        received_date=landed.received_date,
        decoder_version=DECODER_VERSION,
        problem=sentence,
    )


def _too_damaged(landed: LandedFile, summary: SourceSummary, max_ratio: float) -> str | None:
    if summary.quarantined_bytes <= max_ratio * summary.content_bytes:
        return None
    reasons = " ".join(summary.problems[:1])
    sizes = f"{summary.quarantined_bytes} of {summary.content_bytes} bytes"
    error = InputError(
        f"{sizes} could not be read. {reasons}",
        file=landed.path.name,
        expected=f"at most {max_ratio:.4%} (ingest.rejected_bytes_max_ratio)",
        remedy="Transfer the dump again in binary; dataset quarantine lists the places.",
    )
    return str(error)


def _decode_share(reading: Reading, files: _RowFiles, shares: Shares) -> _Facts:
    """What one process does: write the rows of its datasets, and learn from them."""
    facts, repeats = _Facts(), Repeats()

    def take(dataset: str, table: pa.Table) -> None:
        files.write(dataset, table)
        facts.rows[dataset] += table.num_rows
        repeats.note(dataset, table)
        _note(facts, dataset, table)

    with files:
        write_share(reading, take, shares)
    facts.repeated = repeats.datasets()
    return facts


class _RowFiles:
    """The Parquet files of one landed file, beside their names until they are published.

    They are complete when the block is left; copies in other processes write other datasets.
    """

    def __init__(self, lake: Path, landed: LandedFile) -> None:
        self._lake = lake
        self._landed = landed
        self._mark = f"{os.getpid()}"
        self._writers: dict[str, ParquetFile] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for writer in self._writers.values():
            writer.close()

    def write(self, dataset: str, table: pa.Table) -> None:
        """Append a table to the dataset's file."""
        if dataset not in self._writers:
            temporary = self._temporary(dataset)
            temporary.parent.mkdir(parents=True, exist_ok=True)
            self._writers[dataset] = ParquetFile(temporary)
        self._writers[dataset].write_table(table)

    def publish(self, datasets: set[str]) -> None:
        """Give the files of the datasets their names."""
        for dataset in sorted(datasets):
            self._temporary(dataset).replace(_row_file(self._lake, dataset, self._landed))

    def drop(self) -> None:
        """Remove what was not published."""
        pattern = self._temporary("*").relative_to(self._lake)
        for left in self._lake.glob(str(pattern)):
            left.unlink()

    def _temporary(self, dataset: str) -> Path:
        target = _row_file(self._lake, dataset, self._landed)
        return target.with_name(f".{target.name}.{self._mark}")


def _row_file(lake: Path, dataset: str, landed: LandedFile) -> Path:
    return dataset_file(lake, dataset, landed.received_date, landed.sha256)


def _earlier_datasets(lake: Path, landed: LandedFile) -> set[str]:
    path = manifest_path(lake, landed.sha256)
    if not path.is_file():
        return set()
    return set(Manifest.model_validate_json(path.read_bytes()).rows)


def _note(facts: _Facts, dataset: str, table: pa.Table) -> None:
    names = set(table.column_names)
    if "smfid" in names:
        facts.smfids.update(filter(None, pc.unique(table["smfid"]).to_pylist()))
    if {"smfid", "sysplex"} <= names:
        pairs = plain(table.select(["smfid", "sysplex"]))
        for row in pairs.group_by(["smfid", "sysplex"]).aggregate([]).to_pylist():
            if row["smfid"] and row["sysplex"]:
                facts.sysplex_by_smfid[row["smfid"]] = row["sysplex"]
    if dataset == CONSOLE_EVENT.name:
        facts.hour_dates.update(_dates_around(table["event_utc"]))


def _dates_around(instants: Any) -> set[date]:
    """Dates that a storage message can bear on: it is believed for hours, and ends another."""
    hours = {moment.replace(minute=0, second=0, microsecond=0) for moment in
             pc.unique(pc.floor_temporal(instants, unit="hour")).to_pylist() if moment}  # fmt: skip
    reach = timedelta(hours=CARRY_HOURS)
    return {(hour + shift).date() for hour in hours for shift in (-reach, timedelta(0), reach)}
