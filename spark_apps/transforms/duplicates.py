"""Deduplicate sections, and add the sysplex that each belongs to.

Dumps overlap: rows with the same key and record hash are the same section. Rows with the same key
and other values contradict each other: that of the file received last is kept, and the key is
reported as a conflict.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final

import polars as pl
import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT, SECTION_COLUMNS
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from mqcap.lake.manifest import Manifest
from spark_apps.transforms.intervals import looked_up, path
from spark_apps.transforms.keys import INTERVAL, has_declared_key, key_of


def may_hold_duplicates(
    dataset: str, sources: Iterable[Manifest], sysplexes: Mapping[str, str] | None = None
) -> bool:
    """Return whether the files may hold a row of ``dataset`` more than once.

    A file may by itself where its manifest says so, or where the dataset declares no key; two files
    when they are about the same system and their times overlap, or are not known. ``sysplexes`` has
    that of files that are all of one, by content hash: systems of two may have the same name.
    """
    holders = [source for source in sources if source.rows.get(dataset)]
    if any(dataset in source.repeated for source in holders):
        return True
    if holders and not has_declared_key(dataset):
        return True
    if len(holders) < 2:
        return False
    if any(source.first_interval_utc is None for source in holders):
        return True
    spans: dict[tuple[str, str], list[tuple[datetime, datetime]]] = {}
    sysplexes = sysplexes or {}
    are_placed = all(sysplexes.get(source.sha256) for source in holders)
    for source in holders:
        first, last = source.first_interval_utc, source.last_interval_utc
        for smfid in source.smfids or ("",):
            if first is not None and last is not None:
                key = (sysplexes[source.sha256] if are_placed else "", smfid)
                spans.setdefault(key, []).append((first, last))
    touching = dataset == CONSOLE_EVENT.name
    return any(_overlap(sorted(of_system), touching) for of_system in spans.values())


def _overlap(spans: list[tuple[datetime, datetime]], touching: bool) -> bool:
    """Return whether a span starts before the end of an earlier one, or if ``touching`` at it."""
    end = spans[0][1]
    for first, last in spans[1:]:
        if first < end or (touching and first == end):
            return True
        end = max(end, last)
    return False


class RepeatedKeys:
    """Detector of keys that occur more than once in a dataset of one file, by their hashes.

    Another key has the same hash in one of 10^7 files of a million rows; rows are compared in vain.
    """

    def __init__(self) -> None:
        self._hashes: dict[str, list[pl.Series]] = defaultdict(list)

    def add(self, dataset: str, table: pa.Table) -> None:
        """Add the keys of a table, if one is declared for the dataset."""
        if has_declared_key(dataset):
            names = [name for name in key_of(dataset) if name in table.column_names]
            self._hashes[dataset].append(pl.DataFrame(table.select(names)).hash_rows())

    def datasets(self) -> tuple[str, ...]:
        """Return the datasets in which a key occurs more than once, in order of name."""
        found = sorted(self._hashes.items())
        return tuple(name for name, parts in found if not pl.concat(parts).is_unique().all())


def sysplex_of(
    columns: Sequence[str],
    sysplex_by_smfid: Mapping[str, str],
    sysplex_by_qmgr: Mapping[str, str],
    shared_smfids: Collection[str] = (),
) -> pl.Expr:
    """Return the sysplex of a row: of the record, else by SMF id or queue manager.

    ``sysplex_by_qmgr`` serves job logs, which do not contain the system that wrote them. Null for
    an SMF id of several sysplexes where nothing else tells which.
    """
    given = pl.col("sysplex")
    own = [pl.when(given != "").then(given)] if "sysplex" in columns else []
    by_qmgr = [looked_up("qmgr", sysplex_by_qmgr)] if "qmgr" in columns else []
    is_shared = pl.col("smfid").is_in(sorted(shared_smfids)).fill_null(value=False)
    unknown = pl.when(~is_shared).then(pl.lit(UNKNOWN_SYSPLEX))
    return pl.coalesce([*own, looked_up("smfid", sysplex_by_smfid), *by_qmgr, unknown])


def deduplicated(
    frame: pl.LazyFrame, columns: Sequence[str], key: Sequence[str], arrivals: Sequence[str] = ()
) -> pl.LazyFrame:
    """Return one row per key: a record before a printed row, then that of the file received last.

    Of several of one file the one with the lowest record hash. ``columns`` are the frame's,
    ``arrivals`` the hashes of files as they were received. Console messages have no record hash.
    """
    order = _order(arrivals) if "record_hash" in columns else ["file_sha256"]
    return frame.sort(order).unique(key, keep="first", maintain_order=False)


def of_one_file(frame: pl.LazyFrame, key: Sequence[str], arrivals: Sequence[str]) -> pl.LazyFrame:
    """Return the rows of records without a key of their own, of one file for each interval.

    ``key`` is system, subject and interval. The file with the most records counts, of equal ones
    that received last.
    """
    files = (
        frame.group_by(*key, "file_sha256")
        .agg(pl.col("record_hash").n_unique().alias("count"), pl.col("record_hash").min())
        .sort(_order(arrivals)[0], pl.col("count"), *_order(arrivals)[1:], descending=_MOST_FIRST)
        .unique(key, keep="first", maintain_order=True)
        .select(*key, "file_sha256")
    )
    return frame.join(files, on=[*key, "file_sha256"], how="semi", nulls_equal=True)


def replaced(frame: pl.LazyFrame, key: Sequence[str], arrivals: Sequence[str]) -> pl.LazyFrame:
    """Return the records of intervals of which another file has other ones, with those."""
    records = frame.filter(
        pl.col(INTERVAL[0]).is_not_null(), pl.col("record_hash") < LOWEST_PRINTED_HASH
    )
    kept = of_one_file(records, key, arrivals)
    others = records.join(kept, on=[*key, "record_hash"], how="anti", nulls_equal=True)
    return pl.concat([kept.join(others, on=key, how="semi", nulls_equal=True), others])


_MOST_FIRST: Final = (False, True, False, False, False)
OCCURRENCE: Final = "occurrence"


def with_occurrence(messages: pl.LazyFrame) -> pl.LazyFrame:
    """Return messages with how often their file has each before, anew where times go back."""
    goes_back = pl.col("event_utc") < pl.col("event_utc").shift(1).over("file_sha256")
    part = goes_back.fill_null(value=False).cum_sum().over("file_sha256").alias("part")
    number = pl.int_range(pl.len()).over("file_sha256", "part", *CONSOLE_EVENT.key)
    ordered = messages.sort("file_sha256", "line_number")
    return ordered.with_columns(part).with_columns(number.alias(OCCURRENCE)).drop("part")


def _order(arrivals: Sequence[str]) -> list[pl.Expr]:
    places = {sha256: -number for number, sha256 in enumerate(arrivals)}
    received = pl.col("file_sha256").replace_strict(places, default=0, return_dtype=pl.Int64)
    is_printed = pl.col("record_hash") >= LOWEST_PRINTED_HASH
    return [is_printed, received, pl.col("record_hash"), pl.col("file_sha256")]


def conflicts(
    frame: pl.LazyFrame, dataset: str, key: Sequence[str], arrivals: Sequence[str] = ()
) -> pl.LazyFrame:
    """Return a row per key of ``dataset`` under which records have other values.

    Columns: dataset, subject (the key, readable), interval_start_utc, place (sysplex, and queue
    manager or facility), hashes and files of the record that is kept and of the next one, and the
    first field that differs, with both values. Printed rows contradict none: print loses digits.
    """
    schema = frame.collect_schema()
    names = [_readable(column, schema[column]) for column in key if column not in INTERVAL]
    fields = [name for name in schema if name not in {*key, *SECTION_COLUMNS, "sysplex", "cf"}]
    owner = next((name for name in ("qmgr", "cf", "smfid") if name in schema), "smfid")
    is_other = pl.col("record_hash") != pl.col("record_hash").first()
    records = (
        frame.filter(pl.col("record_hash") < LOWEST_PRINTED_HASH)
        .filter(pl.col("record_hash").n_unique().over(key) > 1)
        .sort(_order(arrivals))
        .group_by(key, maintain_order=True)
        .agg(
            pl.col("sysplex").first().alias("plex"),
            pl.col(owner).first().alias("owner"),
            *(
                rows.first().alias(f"{prefix}_{name}")
                for name in ("record_hash", "file_sha256", *fields)
                for prefix, rows in (
                    ("kept", pl.col(name)),
                    ("other", pl.col(name).filter(is_other)),
                )
            ),
        )
    )
    return (
        records.with_columns(field=_first_differing(fields, pl.lit))
        .filter(pl.col("field").is_not_null())
        .select(
            pl.lit(dataset).alias("dataset"),
            pl.concat_str(*names, separator="/", ignore_nulls=True).alias("subject"),
            INTERVAL[0],
            path("plex", "owner").alias("place"),
            "field",
            *(
                column
                for prefix in ("kept", "other")
                for column in (
                    pl.col(f"{prefix}_record_hash").alias(f"{prefix}_hash"),
                    pl.col(f"{prefix}_file_sha256").alias(f"{prefix}_file"),
                    _first_differing(fields, partial(_text, prefix)).alias(f"{prefix}_value"),
                )
            ),
        )
    )


def _text(prefix: str, name: str) -> pl.Expr:
    return pl.col(f"{prefix}_{name}").cast(pl.String)


def _first_differing(fields: Sequence[str], value: Callable[[str], pl.Expr]) -> pl.Expr:
    """Return the value of the first field that is not the same in both records; null for none."""
    differing = (
        pl.when(pl.col(f"kept_{name}").ne_missing(pl.col(f"other_{name}"))).then(value(name))
        for name in fields
    )
    return pl.coalesce(*differing, pl.lit(None, pl.String))


def _readable(column: str, kind: pl.DataType) -> pl.Expr:
    """Return a value as text; of an instant without the part of a second that is zero."""
    if not isinstance(kind, pl.Datetime):
        return pl.col(column).cast(pl.String)
    text = pl.col(column).dt.strftime("%Y-%m-%d %H:%M:%S%.6f")
    return text.str.strip_chars_end("0").str.strip_chars_end(".")
