"""Decode every landed file that has no manifest yet: rows and manifest per file.

The driver hands out paths and gets manifests back; the bytes are read, decoded and written by
the workers. Run by ``spark-submit``, or in process through ``main``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from mqcap.lake.layout import MANIFEST, LandedFile, landed_files, manifests
from mqcap.lake.locks import Part, alone, remove_left
from mqcap.settings import Settings
from spark_apps.decode_file import DECODER_VERSION, DecodeOptions, decode_file
from spark_apps.runtime.session import arguments, leave_counts, spark_session

APP: Final = "decode"
WORKERS_IMPORT: Final = "spark_apps.decode_file"
_log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Decode what is pending in the lake; returns the counts of ``decode``."""
    given = arguments("Decode landed files that have no manifest yet.", argv)
    with alone(given.lake, Part.sections):
        waiting = pending(given.lake)
        if not waiting:
            return {"files": 0, "problems": 0, "records": 0}
        remove_left(half_written(given.lake, waiting))
        with spark_session("decode", given.settings.spark, WORKERS_IMPORT) as spark:
            return decode(spark, waiting, decode_options(given.settings))


def decode_options(settings: Settings) -> DecodeOptions:
    """What the workers have to know of the settings."""
    return DecodeOptions(
        lake=Path(settings.lake).absolute(),
        rejected_bytes_max_ratio=settings.ingest.rejected_bytes_max_ratio,
        zone_by_smfid=settings.whole_estate().zone_by_system(),
    )


def pending(lake: Path) -> list[LandedFile]:
    """Landed files without a manifest of this decoder's version, largest first."""
    done = {m.sha256 for m in manifests(lake) if m.decoder_version == DECODER_VERSION}
    files: Mapping[str, LandedFile] = {
        file.sha256: file for file in landed_files(lake.absolute()) if file.sha256 not in done
    }
    return sorted(files.values(), key=lambda file: (-file.bytes_count, file.sha256))


def half_written(lake: Path, waiting: Iterable[LandedFile]) -> Iterator[Path]:
    """What a decoder that was killed has left of these files."""
    yield from (lake / MANIFEST).glob(".*")
    for day in sorted({file.received_date for file in waiting}):
        yield from lake.glob(f"*/received_date={day.isoformat()}/.*")


def decode(
    spark: SparkSession, files: Sequence[LandedFile], options: DecodeOptions
) -> dict[str, int]:
    """Decode the given files on the workers; counts of files, problems and records.

    A file that cannot be read is logged and counted under ``problems``; the others go on.
    When there are fewer files than processors, each is decoded by several processes.
    """
    cores = spark.sparkContext.defaultParallelism
    slices = min(len(files), 4 * cores)
    shared = replace(options, processes=max(1, cores // max(1, len(files))))
    dealt = [file for first in range(slices) for file in files[first::slices]]
    found = (
        spark.sparkContext.parallelize(dealt, slices)
        .map(partial(decode_file, options=shared))
        .collect()
    )
    for manifest in found:
        if manifest.problem:
            _log.error("%s", manifest.problem)
    return {
        "files": len(found),
        "problems": sum(1 for manifest in found if manifest.problem),
        "records": sum(manifest.records for manifest in found),
    }


if __name__ == "__main__":
    leave_counts(APP, main())
