"""Spark app: decode every landed file without a manifest to rows and a manifest, on the workers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from mqcap.domain.numbers import counted
from mqcap.lake.files import FileSizes, remove_unfinished
from mqcap.lake.landed_places import LandedFile, landed_files
from mqcap.lake.layout import MANIFEST, unfinished_rows
from mqcap.lake.location import Location, open_lake
from mqcap.lake.manifest import has_its_rows, manifests
from mqcap.lake.retention_state import RetentionState, newest_date
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from spark_apps.decode_file import DECODED, DECODER_VERSION, DecodeFiles, DecodeOptions
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, spark_session
from spark_apps.runtime.task_errors import reporting

APP: Final = "decode"
PARTITIONS_PER_CORE: Final = 4
"""So that no core waits long for the last partition (ours)."""


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Decode what is pending in the lake; returns the counts of ``decode``."""
    args = arguments("Decode landed files that have no manifest yet.", argv)
    with exclusive(args.settings, LakePart.sections):
        files = pending(args.lake)
        if not files:
            return {"files": 0, "problems": 0, "records": 0}
        remove_unfinished(unfinished(args.lake, files))
        with spark_session(APP, args.settings.spark) as spark:
            return decode(spark, files, decode_options(args.settings, files))


def decode_options(settings: Settings, files: Iterable[LandedFile] = ()) -> DecodeOptions:
    """Return the part of the settings that the workers need for these files."""
    estate = settings.complete_estate()
    return DecodeOptions(
        lake=open_lake(settings.lake).absolute(),
        rejected_bytes_max_ratio=settings.ingest.rejected_bytes_max_ratio,
        zone_by_smfid=estate.zone_by_system(),
        zone_by_root={
            root: estate.zone_by_system(root) for root in sorted({file.root for file in files})
        },
    )


def pending(lake: Location) -> list[LandedFile]:
    """Return the landed files without a manifest of this decoder's version, largest first.

    So are those whose input has got another sysplex or site since, and those of which a file of
    rows is gone or damaged, unless retention has removed it.
    """
    sizes, interval_from = FileSizes(lake), RetentionState.load(lake).interval_from
    done = {
        (manifest.sha256, manifest.root)
        for manifest in manifests(lake)
        if manifest.decoder_version == DECODER_VERSION
        and (newest_date(manifest) < interval_from or has_its_rows(lake, manifest, sizes))
    }
    files: Mapping[str, LandedFile] = {
        file.sha256: file
        for file in landed_files(lake.absolute())
        if (file.sha256, file.root) not in done
    }
    return sorted(files.values(), key=lambda file: (-file.bytes_count, file.sha256))


def unfinished(lake: Location, files: Iterable[LandedFile]) -> Iterator[Location]:
    """Yield the temporary files that a killed decoder has left of these files."""
    yield from (lake / MANIFEST).glob(".*")
    for day in sorted({file.received_date for file in files}):
        yield from unfinished_rows(lake, day)


def decode(
    spark: SparkSession, files: Sequence[LandedFile], options: DecodeOptions
) -> dict[str, int]:
    """Decode files on the workers; returns the counts of files, problems and records.

    A file that cannot be read is counted under ``problems``, with the reason in its manifest; the
    others go on.
    """
    with job_progress(spark, f"decode {counted(len(files), 'file')}"):
        decoded = decoded_files(spark, files, options).collect()
    return {
        "files": len(decoded),
        "problems": sum(1 for file in decoded if file.problem),
        "records": sum(file.records for file in decoded),
    }


def decoded_files(
    spark: SparkSession, files: Sequence[LandedFile], options: DecodeOptions
) -> DataFrame:
    """Return the program that decodes files, a row for each: ``DECODED``; largest ones first."""
    count = min(len(files), PARTITIONS_PER_CORE * spark.sparkContext.defaultParallelism)
    decode_these = DecodeFiles(interleaved(files, count), options)
    numbers = spark.range(0, len(files), 1, count)
    return numbers.mapInArrow(reporting(decode_these), from_arrow_schema(DECODED))


def interleaved(files: Sequence[LandedFile], count: int) -> tuple[LandedFile, ...]:
    """Return the files so that each of ``count`` successive parts has every ``count``-th one."""
    return tuple(file for first in range(count) for file in files[first::count])
