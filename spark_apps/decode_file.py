"""Decode landed files: what `mapInArrow` runs in the Python workers of Spark.

Rows go straight into one Parquet file per dataset, under temporary names until all are complete;
only a row per file goes back. Memory is bounded whatever the size of the file: that of
``mqcap.ingest.export``, and 8 bytes for every row of a dataset with a key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    QMGR_ACCOUNTING,
    QMGR_EVENT,
    QMGR_SAMPLE,
    QMGR_SETTING,
    QUARANTINE,
    SITE_SAMPLE,
    ZTPF_SAMPLE,
    ZTPF_SWEEP,
)
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.errors import CapacityError, InputError
from mqcap.domain.source import Reading, Source, SourceSummary
from mqcap.domain.subject import Subject
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.dump_file import unpacked
from mqcap.lake.files import StagedFiles, local_copy
from mqcap.lake.landed_places import LandedFile
from mqcap.lake.layout import landed_source, rows_path
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest, SettingFact, SiteFigureFact, read_manifest, write_manifest
from mqcap.lake.objects import LakeUnavailable
from spark_apps.qmgr_settings import setting_facts
from spark_apps.transforms.duplicates import RepeatedKeys
from spark_apps.transforms.keys import CARRY_FORWARD_HOURS

_SECTION: Final = "section_"
POSSIBLE_BELOW: Final = 2.0**53
"""No figure of a system reaches it, and below it every whole number is exact (ours)."""
DECODER_VERSION: Final = "27"
"""Raise it when rows of files already decoded would come out differently; they are redone."""


@dataclass(frozen=True)
class DecodeOptions:
    """The settings that a worker needs; they are sent with the task."""

    lake: Location
    rejected_bytes_max_ratio: float
    zone_by_smfid: Mapping[str, str] = field(default_factory=dict)
    zone_by_root: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The same for files of inputs that have a sysplex or site, by its name."""


_PLACE: Final = attrgetter("figure", "root", "unit", "has_step")
DECODED: Final = pa.schema(
    [("sha256", pa.string()), ("records", pa.int64()), ("problem", pa.string())]
)


@dataclass(frozen=True)
class DecodeFiles:
    """The function of `mapInArrow`: from numbers of files to rows of ``DECODED``."""

    files: Sequence[LandedFile]
    options: DecodeOptions

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Decode the files of these numbers; raises OSError or LakeUnavailable of the lake."""
        for batch in batches:
            for number in batch.column(0).to_pylist():
                made = decode_file(self.files[number], self.options)
                row = {"sha256": made.sha256, "records": made.records, "problem": made.problem}
                yield pa.RecordBatch.from_pylist([row], DECODED)


@dataclass
class _Facts:
    """Facts for the manifest that are known only from the rows."""

    rows: Counter[str] = field(default_factory=Counter)
    smfids: set[str] = field(default_factory=set)
    sysplex_by_smfid: dict[str, str] = field(default_factory=dict)
    hour_dates: set[date] = field(default_factory=set)
    qmgrs: set[str] = field(default_factory=set)
    ztpf_systems: set[str] = field(default_factory=set)
    settings: set[SettingFact] = field(default_factory=set)
    site_figures: set[SiteFigureFact] = field(default_factory=set)
    scrape_step_seconds: float = 0.0
    left_out: tuple[str, ...] = ()
    """Sentences about rows whose figures cannot be."""
    repeated: tuple[str, ...] = ()
    """Datasets in which a key occurs more than once."""


def decode_file(landed: LandedFile, options: DecodeOptions) -> Manifest:
    """Write the rows of one file and then its manifest; safe to repeat.

    A corrupt file, or one of which more than the tolerated share could not be read, gets a manifest
    with the problem, and of its rows only those of ``quarantine`` stay; of a log what can be read
    is kept whatever the rest is. Raises OSError or LakeUnavailable when the lake cannot be used.
    """
    before = read_manifest(options.lake, landed.sha256)
    earlier = set(before.rows) if before else set()
    source_name = landed_source(landed.path)
    try:
        with local_copy(landed.path) as packed, unpacked(packed) as path:
            source = source_for(path, options.zone_by_root.get(landed.root, options.zone_by_smfid))
            source_name = source.name
            manifest = _decode(source, path, landed, options)
    except (OSError, LakeUnavailable):
        raise
    except CapacityError as error:
        manifest = Manifest(**_origin(landed, source_name), problem=str(error))
    except Exception as error:  # noqa: BLE001 - recorded: one file never stops the others
        sentence = InputError(
            "cannot be decoded",
            file=landed.path.name,
            found=f"{type(error).__name__}: {error}",
            remedy="Keep the file and report it: the decoder did not expect this content.",
        )
        manifest = Manifest(**_origin(landed, source_name), problem=str(sentence))
    for dataset in earlier - set(manifest.rows):
        stale = rows_path(options.lake, dataset, landed.received_date, landed.sha256)
        stale.unlink(missing_ok=True)
    write_manifest(options.lake, manifest)
    return manifest


def _decode(source: Source, path: Path, landed: LandedFile, options: DecodeOptions) -> Manifest:
    reading = source.read(path, landed.sha256)
    staged = StagedFiles(options.lake)

    def place(dataset: str) -> Location:
        return rows_path(options.lake, dataset, landed.received_date, landed.sha256)

    try:
        facts = _written(reading, lambda dataset: staged.begun(place(dataset)))
        summary = reading.summary()
        problem = _quarantine_problem(landed, summary, options.rejected_bytes_max_ratio)
        published = {name for name in facts.rows if problem is None or name == QUARANTINE.name}
        rows_bytes = {name: staged.publish(place(name)) for name in sorted(published)}
        kept = facts if problem is None else _Facts()
    finally:
        staged.drop(place("*"))
    return Manifest(
        **_origin(landed, source.name),
        framing=summary.framing,
        bytes={
            "content": summary.content_bytes,
            "decoded": summary.decoded_bytes,
            "skipped": summary.skipped_bytes,
            "quarantined": summary.quarantined_bytes,
        },
        records=summary.record_count,
        rows={name: count for name, count in sorted(facts.rows.items()) if name in published},
        rows_bytes=rows_bytes,
        first_interval_utc=summary.first_interval_utc,
        last_interval_utc=summary.last_interval_utc,
        hour_dates=tuple(sorted({*summary.hour_dates, *facts.hour_dates})) if not problem else (),
        smfids=tuple(sorted(facts.smfids)),
        sysplex_by_smfid=dict(sorted(facts.sysplex_by_smfid.items())),
        qmgrs=tuple(sorted(kept.qmgrs)),
        ztpf_systems=tuple(sorted(kept.ztpf_systems)),
        scrape_step_seconds=facts.scrape_step_seconds,
        settings=tuple(sorted(facts.settings, key=lambda fact: (fact.qmgr, fact.key))),
        site_figures=tuple(sorted(kept.site_figures, key=_PLACE)),
        repeated=facts.repeated,
        problems=(
            *summary.problems,
            *(f"{landed.path.name}: {sentence}" for sentence in facts.left_out),
        ),
        problem=problem,
    )


def _origin(landed: LandedFile, source_name: str) -> dict[str, Any]:
    """Return what every manifest says of its file."""
    return {
        "sha256": landed.sha256,
        "source": source_name,
        "name": landed.path.name,
        "received_date": landed.received_date,
        "received_utc": landed.received_utc,
        "root": landed.root,
        "decoder_version": DECODER_VERSION,
    }


def _quarantine_problem(landed: LandedFile, summary: SourceSummary, max_ratio: float) -> str | None:
    damaged_bytes = summary.quarantined_bytes - summary.impossible_bytes
    is_damaged = damaged_bytes > 0
    tolerated = damaged_bytes <= max_ratio * summary.content_bytes
    is_anything_read = summary.decoded_bytes > 0 or not summary.quarantined_bytes
    if (tolerated and is_anything_read) or summary.parts_stand_alone:
        return None
    reasons = " ".join(summary.problems[:1]).removeprefix(f"{landed.path.name} ")
    sizes = f"{summary.quarantined_bytes} of {summary.content_bytes} bytes"
    error = InputError(
        f"{sizes} could not be read. {reasons}",
        file=landed.path.name,
        expected=f"at most {max_ratio:.4%} (ingest.rejected_bytes_max_ratio)" if is_damaged else "",
        remedy="Transfer the dump again in binary; dataset quarantine lists the places."
        if is_damaged
        else "The transfer is not to blame: correct the clock of the system or of this machine, or"
        " the program that wrote the records.",
    )
    return str(error)


def _written(reading: Reading, begun: Callable[[str], Path]) -> _Facts:
    """Write the rows, each dataset into a file of its own; returns the facts that they give."""
    facts, repeated_keys = _Facts(), RepeatedKeys()
    writers: dict[str, ParquetFile] = {}
    with ExitStack() as open_files:
        for dataset, read in reading.tables():
            table = read
            if not dataset.startswith(_SECTION):  # values of records have been judged
                table, left_out = possible_rows(read)
                facts.left_out = (*facts.left_out, *left_out)
            if read.num_rows:
                if dataset not in writers:
                    writers[dataset] = ParquetFile(begun(dataset))
                    open_files.callback(writers[dataset].close)
                writers[dataset].write_table(table)
                facts.rows[dataset] += table.num_rows
                repeated_keys.add(dataset, table)
                _add_facts(facts, dataset, table)
    facts.repeated = repeated_keys.datasets()
    return facts


def _add_facts(facts: _Facts, dataset: str, table: pa.Table) -> None:
    names = set(table.column_names)
    if "smfid" in names:
        facts.smfids.update(filter(None, pc.unique(table["smfid"]).to_pylist()))
    if {"smfid", "sysplex"} <= names:
        pairs = plain(table.select(["smfid", "sysplex"])).group_by(["smfid", "sysplex"])
        for row in pairs.aggregate([]).to_pylist():
            if row["smfid"] and row["sysplex"]:
                facts.sysplex_by_smfid[row["smfid"]] = row["sysplex"]
    if dataset == CONSOLE_EVENT.name:
        facts.hour_dates.update(_dates_around(table["event_utc"]))
    _add_distributed(facts, dataset, table)


def _add_distributed(facts: _Facts, dataset: str, table: pa.Table) -> None:
    if dataset in {QMGR_ACCOUNTING.name, QMGR_SAMPLE.name, QMGR_EVENT.name, QMGR_SETTING.name}:
        facts.qmgrs.update(pc.unique(table["qmgr"]).to_pylist())
    if dataset == QMGR_SAMPLE.name:
        scrapes = table.filter(pc.equal(table["reading"], str(SampleReading.scrape)))
        largest = pc.max(scrapes["step_seconds"]).as_py() or 0.0
        facts.scrape_step_seconds = max(facts.scrape_step_seconds, float(largest))
    if dataset == SITE_SAMPLE.name:
        facts.site_figures.update(_site_figures(table))
    if dataset in {ZTPF_SAMPLE.name, ZTPF_SWEEP.name}:
        facts.ztpf_systems.update(pc.unique(table["system"]).to_pylist())
    if dataset == QMGR_SETTING.name:
        facts.settings.update(setting_facts(table.to_pylist()))


def _site_figures(table: pa.Table) -> Iterator[SiteFigureFact]:
    names = ["subject", "figure", "unit"]
    counted = plain(table.select([*names, "step_seconds"])).group_by(names)
    for row in counted.aggregate([("step_seconds", "min")]).to_pylist():
        yield SiteFigureFact(
            root=Subject(row["subject"]).sysplex,
            figure=row["figure"],
            unit=row["unit"],
            has_step=row["step_seconds_min"] is not None,
        )


def _dates_around(instants: Any) -> set[date]:
    """Return the dates that a storage message can affect: it holds for hours, and ends another."""
    hours = {
        moment.replace(minute=0, second=0, microsecond=0)
        for moment in pc.unique(pc.floor_temporal(instants, unit="hour")).to_pylist()
        if moment
    }
    reach = timedelta(hours=CARRY_FORWARD_HOURS)
    return {(hour + shift).date() for hour in hours for shift in (-reach, timedelta(0), reach)}


def possible_rows(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the rows whose figures can be, and a sentence for each column with others."""
    sentences = []
    for column in table.schema:
        if not pa.types.is_floating(column.type):
            continue
        values = table[column.name]
        is_possible = pc.fill_null(pc.less(pc.abs(values), POSSIBLE_BELOW), True)
        if pc.all(is_possible).as_py() in {True, None}:
            continue
        others = values.filter(pc.invert(is_possible))
        sentences.append(
            f"{len(others)} rows left out: {column.name} is {others[0].as_py():g}, which no system"
            " has."
        )
        table = table.filter(is_possible)
    return table, sentences
