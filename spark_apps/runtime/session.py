"""The Spark session and the arguments that all apps share."""

import argparse
import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from pyarrow import RecordBatch
from pyspark import SparkConf
from pyspark.sql import SparkSession

from mqcap.lake.location import Location, open_lake
from mqcap.settings import Settings, SparkSettings, load_settings
from spark_apps.runtime.java import ensure_java
from spark_apps.runtime.task_errors import starting

SUBMITTED_VARIABLE: Final = "PYSPARK_GATEWAY_PORT"
"""Set by ``spark-submit`` for the Python process that it starts."""

SESSION_OPTIONS: Final[dict[str, str]] = {
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.executorEnv.POLARS_MAX_THREADS": "1",
}
"""Options of every session of ours, whoever started it. Python workers share the processors, and
figures do not depend on threads."""

_LOG_SETTINGS: Final = Path(__file__).with_name("log4j2.properties").as_uri()
"""Log4j prints its profile, and warnings about this machine, before a session can set a level."""


class Arguments(NamedTuple):
    """Command line of one Spark app, with the merged settings and the folder of the datasets."""

    day: date | None
    settings: Settings
    lake: Location


def arguments(description: str, argv: Sequence[str] | None = None) -> Arguments:
    """Parse ``--day`` and ``--lake``, and load the settings; raises ConfigurationError."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--day", type=date.fromisoformat, help="the run's day, YYYY-MM-DD")
    parser.add_argument("--lake", help="folder of the datasets; default from the settings")
    args = parser.parse_args(argv)
    settings = load_settings(lake=args.lake) if args.lake else load_settings()
    return Arguments(args.day, settings, open_lake(settings.lake))


@contextmanager
def spark_session(name: str, options: SparkSettings) -> Iterator[SparkSession]:
    """Yield a session in UTC: the active one, else a new one that is stopped at the end.

    The end is that of the block of ``kept_session`` or ``early_session`` around it, if any. Master
    and name are those of ``spark-submit``, else of the settings. Raises ServiceUnavailable when the
    master does not take the application, ConfigurationError for any other reason.
    """
    active = _early[0].result() if _early else SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    spark = _started(name, options)
    with ExitStack() as own:
        (_blocks[0] if _blocks else own).callback(spark.stop)
        yield spark


def _started(name: str, options: SparkSettings) -> SparkSession:
    ensure_java()
    with starting():
        return SparkSession.Builder().config(conf=_conf(name, options)).getOrCreate()


_blocks: Final[list[ExitStack]] = []
_early: Final[list[Future[SparkSession]]] = []


@contextmanager
def kept_session() -> Iterator[None]:
    """Keep the session that is started in the block until its end; none is started here."""
    with ExitStack() as block:
        _blocks.append(block)
        try:
            yield
        finally:
            _blocks.pop()


@contextmanager
def early_session(options: SparkSettings, libraries: Sequence[str]) -> Iterator[None]:
    """Start the session of the block, and imports of its Python workers, beside the block."""
    with ThreadPoolExecutor(max_workers=1) as beside:
        _early.append(beside.submit(_started, "day", options))
        beside.submit(_import_in_workers, _early[0], libraries)
        try:
            yield
        finally:
            started = _early.pop()
            if SUBMITTED_VARIABLE not in os.environ and not started.exception():  # else Java does
                started.result().stop()


def _import_in_workers(started: Future[SparkSession], libraries: Sequence[str]) -> None:
    spark = started.result()
    workers = spark.sparkContext.defaultParallelism

    def imported(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        list(map(import_module, libraries))
        gc.freeze()  # a worker collects garbage after each task: 0.1 s, most of it for modules
        return batches

    spark.range(0, workers, 1, workers).mapInArrow(imported, "id bigint").collect()


def _conf(name: str, options: SparkSettings) -> SparkConf:
    own = {**SESSION_OPTIONS, "spark.sql.shuffle.partitions": str(options.shuffle_partitions)}
    if SUBMITTED_VARIABLE not in os.environ:
        own |= {
            "spark.app.name": f"mqcap {name}",
            "spark.ui.enabled": "false",
            "spark.master": options.master,
            "spark.driver.memory": options.driver_memory,
            "spark.driver.defaultJavaOptions": f"-Dlog4j2.configurationFile={_LOG_SETTINGS}",
        }
        if options.master.startswith("local"):
            own |= dict.fromkeys(("spark.driver.host", "spark.driver.bindAddress"), "127.0.0.1")
    return SparkConf().setAll(list(own.items()))
