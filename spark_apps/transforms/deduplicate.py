"""Deduplicate sections, and add the sysplex that each belongs to.

Dumps overlap, so the same section may have been decoded from several files. Rows with the
same key and record hash are the same section. Rows with the same key and another hash contradict
each other: one is kept, always the same one, and the key is reported as a conflict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.transforms.keys import INTERVAL


def with_sysplex(
    frame: DataFrame, sysplex_by_smfid: Mapping[str, str], sysplex_by_qmgr: Mapping[str, str]
) -> DataFrame:
    """Return ``frame`` with column ``sysplex``: of the record, else by SMF id or queue manager.

    ``sysplex_by_qmgr`` serves job logs, which do not contain the system that wrote them.
    """
    own = [sf.nullif(sf.col("sysplex"), sf.lit(""))] if "sysplex" in frame.columns else []
    by_smfid = [_looked_up("smfid", sysplex_by_smfid)]
    by_qmgr = [_looked_up("qmgr", sysplex_by_qmgr)] if "qmgr" in frame.columns else []
    name = sf.coalesce(*own, *by_smfid, *by_qmgr, sf.lit(UNKNOWN_SYSPLEX))
    return frame.withColumn("sysplex", name)


def deduplicated(frame: DataFrame, key: Sequence[str]) -> DataFrame:
    """Return one row per key: the one with the lowest record hash."""
    order = Window.partitionBy(*key).orderBy(_fingerprint(frame), "file_sha256")
    ranked = frame.withColumn("rank", sf.row_number().over(order))
    return ranked.where(sf.col("rank") == 1).drop("rank")


def conflicts(frame: DataFrame, dataset: str, key: Sequence[str]) -> DataFrame:
    """Return a row per key of ``dataset`` under which records contradict each other.

    Columns: dataset, subject (the key, readable), interval_start_utc, kept_hash, other_hash.
    Printed rows (output of the formatter) do not contradict records: print loses digits.
    """
    names = [sf.col(column).cast("string") for column in key if column not in INTERVAL]
    return (
        frame.where(sf.col("record_hash") < LOWEST_PRINTED_HASH)
        .groupBy(*key)
        .agg(sf.min("record_hash").alias("kept_hash"), sf.max("record_hash").alias("other_hash"))
        .where(sf.col("kept_hash") != sf.col("other_hash"))
        .select(
            sf.lit(dataset).alias("dataset"),
            sf.concat_ws("/", *names).alias("subject"),
            INTERVAL[0],
            "kept_hash",
            "other_hash",
        )
    )


def _fingerprint(frame: DataFrame) -> Column:
    """Return the record hash; console messages are their own key and have none."""
    return sf.col("record_hash") if "record_hash" in frame.columns else sf.lit(0)


def _looked_up(column: str, names: Mapping[str, str]) -> Column:
    if not names:
        return sf.lit(None).cast("string")
    pairs = [sf.lit(text) for item in sorted(names.items()) for text in item]
    return sf.create_map(*pairs)[sf.col(column)]
