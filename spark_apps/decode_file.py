"""Decode one landed file: what a Spark worker does.

Rows go straight into one Parquet file per dataset, beside their names until all are complete.
They never pass the JVM. A file that cannot be read leaves a manifest that says why. Memory is
bounded whatever the size of the file: what ``ingest.export`` states, and 8 bytes for every row of
a dataset with a key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from domain.datasets import CONSOLE_EVENT, QUARANTINE
from domain.errors import CapacityError, InputError
from domain.source import Source, SourceSummary
from ingest.parallel import write_all
from ingest.parquet import ParquetFile, plain
from ingest.sources.registry import source_for
from spark_apps.console_storage import CARRY_HOURS
from spark_apps.lake import (
    LandedFile,
    Manifest,
    dataset_file,
    manifest_path,
    write_text,
)
from spark_apps.repeats import Repeats

DECODER_VERSION: Final = "6"
"""Raise it when rows of files already decoded would come out differently; they are redone."""


@dataclass(frozen=True)
class DecodeOptions:
    """What the worker has to know; travels with the task."""

    lake: Path
    rejected_bytes_max_ratio: float
    zone_by_smfid: Mapping[str, str] = field(default_factory=dict)
    threads: int = 1
    """How many of them decode one file; the rows are the same."""


@dataclass
class _Facts:
    """What the manifest needs and only the rows tell."""

    smfids: set[str] = field(default_factory=set)
    sysplex_by_smfid: dict[str, str] = field(default_factory=dict)
    hour_dates: set[date] = field(default_factory=set)
    repeats: Repeats = field(default_factory=Repeats)
    lock: Lock = field(default_factory=Lock)


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
    facts = _Facts()
    with _row_files(options.lake, landed) as writers:

        def take(dataset: str, table: pa.Table) -> None:
            writers.write(dataset, table)
            with facts.lock:
                _note(facts, dataset, table)

        write_all(reading, take, options.threads)
        summary = reading.summary()
        problem = _too_damaged(landed, summary, options.rejected_bytes_max_ratio)
        rows = writers.publish(only=None if problem is None else {QUARANTINE.name})
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
        rows=rows,
        first_interval_utc=summary.first_interval_utc,
        last_interval_utc=summary.last_interval_utc,
        hour_dates=tuple(sorted({*summary.hour_dates, *facts.hour_dates})) if not problem else (),
        smfids=tuple(sorted(facts.smfids)),
        sysplex_by_smfid=dict(sorted(facts.sysplex_by_smfid.items())),
        repeated=facts.repeats.datasets(),
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


class _RowFiles:
    """Open Parquet files of one landed file, published together."""

    def __init__(self, lake: Path, landed: LandedFile, stack: ExitStack) -> None:
        self._lake = lake
        self._landed = landed
        self._stack = stack
        self._writers: dict[str, ParquetFile] = {}
        self._rows: dict[str, int] = {}
        self._lock = Lock()

    def write(self, dataset: str, table: pa.Table) -> None:
        """Append a table to the dataset's file; for different datasets on any thread."""
        with self._lock:
            if dataset not in self._writers:
                self._writers[dataset] = self._open(dataset)
            self._rows[dataset] = self._rows.get(dataset, 0) + table.num_rows
        self._writers[dataset].write_table(table)

    def publish(self, only: set[str] | None) -> dict[str, int]:
        """Give the files their names; ``only`` leaves the others out. Returns rows by dataset."""
        kept = {name: n for name, n in self._rows.items() if only is None or name in only}
        for dataset, writer in self._writers.items():
            writer.close()
            if dataset in kept:
                target = _row_file(self._lake, dataset, self._landed)
                _temporary(target).replace(target)
        return dict(sorted(kept.items()))

    def _open(self, dataset: str) -> ParquetFile:
        target = _row_file(self._lake, dataset, self._landed)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(target)
        self._stack.callback(temporary.unlink, missing_ok=True)
        writer = ParquetFile(temporary)
        self._stack.callback(writer.close)
        return writer


@contextmanager
def _row_files(lake: Path, landed: LandedFile) -> Iterator[_RowFiles]:
    with ExitStack() as stack:
        yield _RowFiles(lake, landed, stack)


def _row_file(lake: Path, dataset: str, landed: LandedFile) -> Path:
    return dataset_file(lake, dataset, landed.received_date, landed.sha256)


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}")


def _earlier_datasets(lake: Path, landed: LandedFile) -> set[str]:
    path = manifest_path(lake, landed.sha256)
    if not path.is_file():
        return set()
    return set(Manifest.model_validate_json(path.read_bytes()).rows)


def _note(facts: _Facts, dataset: str, table: pa.Table) -> None:
    names = set(table.column_names)
    facts.repeats.note(dataset, table)
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
