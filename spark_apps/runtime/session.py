"""The Spark session and the arguments that all apps share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from mqcap.lake.aggregated import write_app_counts
from mqcap.lake.location import Location, open_lake
from mqcap.progress.log_records import records_on_stderr
from mqcap.progress.shown import show_on
from mqcap.settings import Settings, SparkSettings, load_settings
from spark_apps.runtime.daemon import IMPORTS_VARIABLE, no_operation
from spark_apps.runtime.java import ensure_java
from spark_apps.runtime.job_progress import stderr_lines
from spark_apps.runtime.kept import at_its_end
from spark_apps.runtime.task_errors import reported, starting
from spark_apps.runtime.worker_processes import WORKER_ENVIRONMENT

SUBMITTED_VARIABLE: Final = "PYSPARK_GATEWAY_PORT"
"""Set by ``spark-submit`` for the Python process that it starts."""

SESSION_OPTIONS: Final[dict[str, str]] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.adaptive.enabled": "false",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    **{f"spark.executorEnv.{name}": value for name, value in WORKER_ENVIRONMENT.items()},
    "spark.python.daemon.module": "spark_apps.runtime.daemon",
}
"""Options of every session of ours, whoever started it."""

_LOG_SETTINGS: Final = Path(__file__).with_name("log4j2.properties").as_uri()
"""Log4j prints its profile, and warnings about this machine, before a session can set a level."""


_stopped: Final[list[SparkSession]] = []
"""Sessions of this process that were stopped in their JVM alone."""


class Arguments(BaseModel):
    """Command line of one Spark app, with the merged settings."""

    model_config = ConfigDict(frozen=True)

    day: date | None
    settings: Settings

    @property
    def lake(self) -> Location:
        """Folder of the datasets."""
        return open_lake(self.settings.lake)


def arguments(description: str, argv: Sequence[str] | None = None) -> Arguments:
    """Parse ``--day`` and ``--lake``, and load the settings.

    Raises ConfigurationError when the settings do not fit.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--day", type=date.fromisoformat, help="the run's day, YYYY-MM-DD")
    parser.add_argument("--lake", help="folder of the datasets; default from the settings")
    args = parser.parse_args(argv)
    settings = load_settings(lake=args.lake) if args.lake else load_settings()
    return Arguments(day=args.day, settings=settings)


def leave_counts(app: str, counts: Mapping[str, int], argv: Sequence[str] | None = None) -> None:
    """Leave the counts of an app in the lake, for the process that submitted it."""
    args = arguments(app, argv)
    write_app_counts(args.lake, app, args.day, counts)


@contextmanager
def spark_session(
    name: str, options: SparkSettings, *workers_import: str
) -> Iterator[SparkSession]:
    """Yield a session in UTC: the active one, else a new one that is stopped at the end.

    The end is that of the block of ``kept_session``, where there is one around.

    Under ``spark-submit`` the master comes from its ``--master``; otherwise from the settings.
    ``workers_import`` names the modules that the app's Python workers need: they start in parallel
    to the rest of the session, and import them once. Without any, workers start when first used.

    Raises ServiceUnavailable when the master does not take the application, what ``reported``
    raises for workers that do not start, and ConfigurationError for any other reason.
    """
    while _stopped:
        _stopped.pop().stop()
    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    ensure_java()
    with starting():
        spark = _new_session(_options(name, options), workers_import)
    with at_its_end(partial(_stop, spark)), _log_of_its_own():
        yield spark


def _stop(spark: SparkSession) -> None:
    """Stop a session in its JVM; what PySpark keeps of it ends before another session begins.

    PySpark waits up to a second for the thread that receives the values of accumulators. Most
    processes need no other session, and end sooner.
    """
    spark._jsparkSession.stop()  # noqa: SLF001 - nothing public stops the JVM's part alone
    _stopped.append(spark)


@contextmanager
def _log_of_its_own() -> Iterator[None]:
    """Write progress and records of a submitted application to standard error meanwhile."""
    if SUBMITTED_VARIABLE not in os.environ:
        yield
        return
    with show_on(stderr_lines()), records_on_stderr():
        yield


def _new_session(options: Mapping[str, str], workers_import: Sequence[str]) -> SparkSession:
    conf = SparkConf().setAll(list(options.items()))
    if not workers_import:
        return SparkSession.Builder().config(conf=conf).getOrCreate()
    conf.set(f"spark.executorEnv.{IMPORTS_VARIABLE}", ",".join(workers_import))
    context = SparkContext.getOrCreate(conf)
    with ThreadPoolExecutor(1) as pool:
        started = pool.submit(_start_workers, context)
        spark = SparkSession.Builder().config(conf=conf).getOrCreate()
    try:
        started.result()
    except BaseException:
        spark.stop()
        raise
    return spark


def _start_workers(context: SparkContext) -> None:
    """Run a job that does nothing on as many Python workers as there are processors."""
    count = context.defaultParallelism
    with reported("start"):
        context.parallelize(range(count), count).foreachPartition(no_operation)


def _options(name: str, options: SparkSettings) -> dict[str, str]:
    """Return every option of a new session."""
    own = {
        **SESSION_OPTIONS,
        "spark.app.name": f"mqcap {name}",
        "spark.sql.shuffle.partitions": str(options.shuffle_partitions),
    }
    return own if SUBMITTED_VARIABLE in os.environ else {**own, **_in_process(options)}


def _in_process(options: SparkSettings) -> dict[str, str]:
    loopback = (
        {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        if options.master.startswith("local")
        else {}
    )
    return {
        "spark.master": options.master,
        "spark.driver.memory": options.driver_memory,
        "spark.driver.defaultJavaOptions": f"-Dlog4j2.configurationFile={_LOG_SETTINGS}",
        **loopback,
    }
