"""Progress of the Spark jobs that a block starts: tasks that have ended, of all."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from mqcap.progress.json_log import Level, json_line, json_wanted
from mqcap.progress.shown import Work, work
from spark_apps.runtime.task_errors import reported

ASK_SECONDS: Final = 1.0
"""How often Spark is asked how far it is."""
_GROUP: Final = "spark.jobGroup.id"
_numbers = count()


def write_line(text: str, level: Level = "info", **facts: Any) -> None:
    """Print a line of a submitted application; ``facts`` are printed in JSON lines only."""
    sys.stderr.write(f"{json_line(level, text, **facts) if json_wanted() else text}\n")
    sys.stderr.flush()


@contextmanager
def job_progress(spark: SparkSession, what: str) -> Iterator[None]:
    """Show the jobs that this thread starts in the block; raises what ``reported`` does."""
    context = spark.sparkContext
    group = f"mqcap {what} {next(_numbers)}"
    context.setJobGroup(group, what)
    ended = threading.Event()
    with work(what, None, "tasks") as shown:
        arguments = (context, group, shown, ended)
        follower = threading.Thread(target=_follow, args=arguments, daemon=True)
        follower.start()
        try:
            with reported(what):
                yield
        finally:
            ended.set()
            follower.join()
            context.setLocalProperty(_GROUP, None)  # type: ignore[arg-type]  # removes it


def _follow(context: SparkContext, group: str, shown: Work, ended: threading.Event) -> None:
    """Tell how many tasks of a group of jobs have ended, of those that there are as yet."""
    while not ended.wait(ASK_SECONDS):
        try:
            tracker = context.statusTracker()
            jobs = (tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup(group))
            stages = {number for job in jobs if job is not None for number in job.stageIds}
            known = [info for number in stages if (info := tracker.getStageInfo(number))]
        except Py4JError:
            return  # the session has ended, so its jobs end too
        if total := sum(info.numTasks for info in known):
            shown.reached(sum(info.numCompletedTasks for info in known), total)
