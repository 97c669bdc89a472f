"""Deduplicate sections, and add the sysplex that each belongs to.

Dumps overlap, so the same section may have been decoded from several files. Rows with the
same key and record hash are the same section. Rows with the same key and another hash contradict
each other: one is kept, always the same one, and the key is reported as a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.transforms.keys import INTERVAL


def with_sysplex(
    frame: pl.LazyFrame,
    columns: Sequence[str],
    sysplex_by_smfid: Mapping[str, str],
    sysplex_by_qmgr: Mapping[str, str],
    shared_smfids: Collection[str] = (),
) -> pl.LazyFrame:
    """Return ``frame`` with column ``sysplex``: of the record, else by SMF id or queue manager.

    ``columns`` are those of the frame. ``sysplex_by_qmgr`` serves job logs, which do not contain
    the system that wrote them. Rows of an SMF id of several sysplexes are left out where nothing
    else tells theirs, since they would be taken for rows of one system.
    """
    own = [_not_empty("sysplex")] if "sysplex" in columns else []
    by_qmgr = [looked_up("qmgr", sysplex_by_qmgr)] if "qmgr" in columns else []
    names = [*own, looked_up("smfid", sysplex_by_smfid), *by_qmgr, pl.lit(UNKNOWN_SYSPLEX)]
    placed = frame.with_columns(sysplex=pl.coalesce(names))
    if not shared_smfids:
        return placed
    is_shared = pl.col("smfid").is_in(sorted(shared_smfids)).fill_null(value=False)
    return placed.filter(~is_shared | (pl.col("sysplex") != UNKNOWN_SYSPLEX))


def deduplicated(frame: pl.LazyFrame, columns: Sequence[str], key: Sequence[str]) -> pl.LazyFrame:
    """Return one row per key: the one with the lowest record hash; ``columns`` are the frame's.

    Console messages are their own key and have no hash.
    """
    order = [name for name in ("record_hash", "file_sha256") if name in columns]
    return frame.sort(order).unique(key, keep="first", maintain_order=False)


def conflicts(frame: pl.LazyFrame, dataset: str, key: Sequence[str]) -> pl.LazyFrame:
    """Return a row per key of ``dataset`` under which records contradict each other.

    Columns: dataset, subject (the key, readable), interval_start_utc, kept_hash, other_hash.
    Printed rows (output of the formatter) do not contradict records: print loses digits.
    """
    schema = frame.collect_schema()
    names = [_readable(column, schema[column]) for column in key if column not in INTERVAL]
    return (
        frame.filter(pl.col("record_hash") < LOWEST_PRINTED_HASH)
        .group_by(*key)
        .agg(
            pl.col("record_hash").min().alias("kept_hash"),
            pl.col("record_hash").max().alias("other_hash"),
        )
        .filter(pl.col("kept_hash") != pl.col("other_hash"))
        .select(
            pl.lit(dataset).alias("dataset"),
            pl.concat_str(*names, separator="/", ignore_nulls=True).alias("subject"),
            INTERVAL[0],
            "kept_hash",
            "other_hash",
        )
    )


def _readable(column: str, kind: pl.DataType) -> pl.Expr:
    """Return a value as text; of an instant without the part of a second that is zero."""
    if not isinstance(kind, pl.Datetime):
        return pl.col(column).cast(pl.String)
    text = pl.col(column).dt.strftime("%Y-%m-%d %H:%M:%S%.6f")
    return text.str.strip_chars_end("0").str.strip_chars_end(".")


def looked_up(column: str, names: Mapping[str, str]) -> pl.Expr:
    """Return the text that each value of a column has in ``names``; null where it has none."""
    if not names:
        return pl.lit(None, pl.String)
    return pl.col(column).replace_strict(dict(names), default=None, return_dtype=pl.String)


def _not_empty(column: str) -> pl.Expr:
    return pl.when(pl.col(column) != "").then(pl.col(column))
