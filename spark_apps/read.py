"""Read datasets of the lake for the metrics: with sysplex, deduplicated, empty without files."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Final

import polars as pl
import polars.selectors as cs
import pyarrow as pa

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    QMGR_ACCOUNTING,
    QMGR_SAMPLE,
    SITE_SAMPLE,
    ZOS_SAMPLE,
    ZTPF_SAMPLE,
    ZTPF_SWEEP,
)
from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.ingest.smf.layout import layouts, structure_name
from mqcap.ingest.smf.sections import dataset_schema as layout_schema
from spark_apps.digests import Placement
from spark_apps.transforms.duplicates import (
    OCCURRENCE,
    deduplicated,
    of_one_file,
    replaced,
    sysplex_of,
    with_occurrence,
)
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US, PLAIN, key_of, task_key_of
from spark_apps.transforms.samples import placed_rows, placed_samples, placed_site_samples
from spark_apps.transforms.site_midnights import with_local_date

_SECTION: Final = "section_"
_TYPES: Final[Mapping[str, pl.DataType]] = {
    "string": pl.String(),
    "int": pl.Int32(),
    "bigint": pl.Int64(),
    "double": pl.Float64(),
    "timestamp": pl.Datetime("us", "UTC"),
    "date": pl.Date(),
    "decimal(20,0)": pl.Decimal(20, 0),
}
_PLACED: Final[Mapping[str, Callable[[pl.LazyFrame, Placement], pl.LazyFrame]]] = {
    QMGR_ACCOUNTING.name: lambda rows, place: placed_rows(
        rows, "qmgr", place.distributed.site_by_qmgr
    ),
    QMGR_SAMPLE.name: lambda rows, place: placed_samples(rows, place.distributed),
    SITE_SAMPLE.name: lambda rows, place: placed_site_samples(rows, place.site_figures),
    ZTPF_SAMPLE.name: lambda rows, place: placed_rows(
        rows, "system", place.distributed.site_by_ztpf
    ),
    ZTPF_SWEEP.name: lambda rows, place: with_local_date(
        placed_rows(rows, "system", place.distributed.site_by_ztpf), place.site_days
    ),
}
"""How rows of other systems than those of z/OS find their site."""
_NEVER_COMPARED: Final = frozenset({*_PLACED, ZOS_SAMPLE.name})
"""Datasets whose rows may repeat: their metrics decide between them."""
_MARGIN: Final = timedelta(microseconds=INTERVAL_MAX_US)
"""Rows that are compared with one that reaches into a date, or decide on it, are no further away.
"""


@dataclass(frozen=True)
class Share:
    """Sysplexes and sites by the hash of their name: no figure depends on two of them."""

    numbers: frozenset[int]
    of: int
    """How many shares there are; ``numbers`` are some of them, from zero."""


@dataclass(frozen=True)
class DateFiles:
    """The files with all rows that matter to some successive dates, by dataset."""

    first: date
    last: date
    files: Mapping[str, Sequence[str]]
    repeated: frozenset[str]
    """Datasets of which the files may hold a row more than once."""
    share: Share | None = None
    """Whose rows are read; those of all systems by default."""
    arrivals: tuple[str, ...] = ()
    """Content hashes of the files in the order in which they were received."""


@cache
def file_schema(dataset: str) -> pl.Schema:
    """Return the columns of a dataset as they are in its files."""
    if dataset in PLAIN:
        columns = PLAIN[dataset].columns
        return pl.Schema({name: _TYPES[kind] for name, kind in columns.items()})
    layout = layouts()[structure_name(dataset)]
    return pl.DataFrame(pa.Table.from_batches([], layout_schema(layout))).schema


@cache
def row_schema(dataset: str) -> pl.Schema:
    """Return the columns of a dataset as metrics find them: integers have 64 bits."""
    columns = file_schema(dataset)
    if dataset in _PLACED:
        none = pl.LazyFrame(schema=columns)
        return _PLACED[dataset](none, Placement()).collect_schema()
    wide = {name: pl.Int64() if kind.is_integer() else kind for name, kind in columns.items()}
    return pl.Schema({**wide, "sysplex": pl.String()})


def read_sections(
    dates: DateFiles, place: Placement, columns: Mapping[str, Collection[str]]
) -> Sections:
    """Return the rows that matter to some dates, with the given columns of each dataset.

    Rows without an interval are left out. Raises OSError, or an error of polars.
    """
    placed = [_placed(name, dates, place, wanted) for name, wanted in columns.items()]
    frames = pl.collect_all(placed)
    return Sections(
        {name: frame.lazy() for name, frame in zip(columns, frames, strict=True)},
        place.chinit_31bit_limits_mib,
        place.bridge_queues,
        place.log_volumes,
        place.distributed.periods,
    )


def read_contradicting(dates: DateFiles, place: Placement, dataset: str) -> pl.LazyFrame:
    """Return the rows of a dataset that are not alone under their key; most often there is none."""
    key, columns = identity_of(dataset, place), row_schema(dataset).names()
    if of_task := task_key_of(dataset):
        return replaced(_near(dataset, dates, place, columns), of_task, dates.arrivals)
    records = _near(dataset, dates, place, {*key, "record_hash"})
    repeated = records.unique([*key, "record_hash"]).group_by(key).len().filter(pl.col("len") > 1)
    keys = repeated.select(key).collect()
    rows = _near(dataset, dates, place, columns)
    if keys.is_empty():
        return rows.clear()
    return rows.join(keys.lazy(), on=key, how="semi", nulls_equal=True)


def identity_of(dataset: str, place: Placement) -> tuple[str, ...]:
    """Return the columns by which equal rows are recognised, with the sysplex where files tell."""
    key = key_of(dataset)
    return (*key, "sysplex") if place.by_root and "sysplex" not in key else key


def _placed(
    dataset: str, dates: DateFiles, place: Placement, columns: Collection[str]
) -> pl.LazyFrame:
    """Return rows with their sysplex, each once, except those that their metrics decide between."""
    if not dates.files.get(dataset):
        schema = row_schema(dataset)
        return pl.LazyFrame(schema={name: schema[name] for name in columns})
    is_repeated = dataset in dates.repeated and dataset not in _NEVER_COMPARED
    key = identity_of(dataset, place) if is_repeated else ()
    if is_repeated and dataset == CONSOLE_EVENT.name:
        key = (*key, OCCURRENCE)
    of_task = task_key_of(dataset) if is_repeated else ()
    order = ("record_hash", "file_sha256") if is_repeated else ()
    frame = _near(dataset, dates, place, {*columns, *key, *of_task, "sysplex", *order})
    if of_task:
        frame = of_one_file(frame, ("sysplex", *of_task), dates.arrivals)
    if is_repeated:
        frame = deduplicated(frame, row_schema(dataset).names(), key, dates.arrivals)
    return frame.select(sorted(columns))


def _near(
    dataset: str, dates: DateFiles, place: Placement, columns: Collection[str]
) -> pl.LazyFrame:
    """Return rows of the dates and near them, with their sysplex and 64-bit integers."""
    by_root: dict[str, list[str]] = {}
    for file in dates.files[dataset]:
        by_root.setdefault(place.root_by_file.get(Path(file).stem, ""), []).append(file)
    return pl.concat(
        [
            _near_in(files, dataset, dates, place.by_root.get(root, place), columns)
            for root, files in by_root.items()
        ]
    )


def _near_in(
    files: list[str],
    dataset: str,
    dates: DateFiles,
    place: Placement,
    columns: Collection[str],
) -> pl.LazyFrame:
    schema = file_schema(dataset)
    rows = pl.scan_parquet(
        files,
        schema=schema,
        hive_partitioning=False,
        glob=False,
        missing_columns="insert",
        extra_columns="ignore",
    )
    if dataset in _PLACED:
        subject = pl.col("subject" if dataset == SITE_SAMPLE.name else "site")
        root = subject.str.split(SERIES_SEPARATOR).list.first()
        rows = _PLACED[dataset](rows, place)
        return rows.filter(_is_near(dataset, dates), _in_share(root, dates.share))
    if OCCURRENCE in columns:
        rows = with_occurrence(rows)
    if dataset.startswith(_SECTION):
        known = [name for name in (*INTERVAL, "cf") if name in schema]
        rows = rows.filter(pl.all_horizontal(pl.col(name).is_not_null() for name in known))
    sysplex = (
        pl.lit(place.sysplex)
        if place.sysplex
        else sysplex_of(
            schema.names(), place.sysplex_by_smfid, place.sysplex_by_qmgr, place.shared_smfids
        )
    )
    rows = rows.filter(
        _is_near(dataset, dates), sysplex.is_not_null(), _in_share(sysplex, dates.share)
    )
    rows = rows.with_columns(sysplex=sysplex)
    wanted = [name for name in (*schema.names(), "sysplex", OCCURRENCE) if name in columns]
    return rows.select(*dict.fromkeys(wanted)).with_columns(cs.integer().cast(pl.Int64))


def _in_share(root: pl.Expr, share: Share | None) -> pl.Expr:
    return pl.lit(True) if share is None else (root.hash() % share.of).is_in([*share.numbers])


def _is_near(dataset: str, dates: DateFiles) -> pl.Expr:
    """Return whether a row can matter to the dates, or be compared with one that does."""
    if dataset == CONSOLE_EVENT.name:
        return pl.lit(True)
    is_alone = dataset.startswith(_SECTION) and dataset not in dates.repeated
    margin = timedelta() if is_alone else _MARGIN
    begin = datetime.combine(dates.first, time(), UTC) - margin
    end = datetime.combine(dates.last, time(), UTC) + timedelta(days=1) + margin
    begin_utc, end_utc = (pl.lit(moment).cast(_TYPES["timestamp"]) for moment in (begin, end))
    if INTERVAL[0] not in row_schema(dataset):
        moment = pl.col("reported_utc")
        return moment.is_between(begin_utc, end_utc)
    return (pl.max_horizontal(*INTERVAL) >= begin_utc) & (pl.min_horizontal(*INTERVAL) <= end_utc)
