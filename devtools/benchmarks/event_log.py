"""Stages, driver-only time and work of a Spark application, from its event log.

``python -m devtools.benchmarks.event_log LOG``, where LOG is the file or folder that Spark has
written with ``spark.eventLog.enabled`` and ``spark.eventLog.dir``: in ``spark-defaults.conf`` of
the folder ``SPARK_CONF_DIR``, or ``JAVA_TOOL_OPTIONS="-Dspark.eventLog.enabled=true ..."``. Work is
the time of tasks, waiting for Python workers included; driver-only time is that without any task.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

COMPRESSIONS: Final = {".zstd": "zstd", ".lz4": "lz4", ".gz": "gzip"}
MS_PER_S: Final = 1_000


class SparkTask(NamedTuple):
    """A task of a stage: when it ran, in milliseconds since 1970."""

    stage: int
    began_ms: int
    ended_ms: int


class SparkStage(NamedTuple):
    """A stage that ran, with its tasks."""

    number: int
    name: str
    tasks: tuple[SparkTask, ...]

    @property
    def seconds(self) -> float:
        """Time from its first task to its last."""
        ended = max(task.ended_ms for task in self.tasks)
        return (ended - min(task.began_ms for task in self.tasks)) / MS_PER_S

    @property
    def work_seconds(self) -> float:
        """Time of its tasks, added."""
        return sum(task.ended_ms - task.began_ms for task in self.tasks) / MS_PER_S


class SparkRun(NamedTuple):
    """An application: its begin and end in milliseconds since 1970, and its stages in order."""

    name: str
    began_ms: int
    ended_ms: int
    stages: tuple[SparkStage, ...]

    @property
    def tasks(self) -> list[SparkTask]:
        """All tasks by their begin."""
        return sorted(
            (task for stage in self.stages for task in stage.tasks), key=lambda task: task.began_ms
        )

    @property
    def driver_seconds(self) -> tuple[float, float, float]:
        """Time without any task: before the first one, between tasks, after the last one."""
        first, until, between = self.ended_ms, self.began_ms, 0
        for task in self.tasks:
            if first == self.ended_ms:
                first = until = task.began_ms
            between += max(0, task.began_ms - until)
            until = max(until, task.ended_ms)
        return (
            (first - self.began_ms) / MS_PER_S,
            between / MS_PER_S,
            (self.ended_ms - max(until, first)) / MS_PER_S,
        )


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table of one log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    for line in lines(application(events(parser.parse_args(argv).log))):
        print(line)


def events(log: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log: a file, or a folder with its parts; compressed or not."""
    files = sorted(log.glob("events_*"), key=_part) if log.is_dir() else [log]
    for file in files:
        with pa.input_stream(str(file), compression=COMPRESSIONS.get(file.suffix)) as stream:
            for text in stream.read().splitlines():
                yield json.loads(text)


def application(read: Iterable[dict[str, Any]]) -> SparkRun:
    """Return what happened in an application; one without an end ends with its last task."""
    name, began, ended = "", 0, 0
    names: dict[int, str] = {}
    tasks: dict[int, list[SparkTask]] = {}
    for event in read:
        kind = event["Event"]
        if kind == "SparkListenerApplicationStart":
            name, began = str(event["App Name"]), int(event["Timestamp"])
        elif kind == "SparkListenerApplicationEnd":
            ended = int(event["Timestamp"])
        elif kind == "SparkListenerStageCompleted":
            info = event["Stage Info"]
            names[int(info["Stage ID"])] = str(info["Stage Name"])
        elif kind == "SparkListenerTaskEnd":
            info, stage = event["Task Info"], int(event["Stage ID"])
            task = SparkTask(stage, int(info["Launch Time"]), int(info["Finish Time"]))
            tasks.setdefault(stage, []).append(task)
    last = max((task.ended_ms for of_stage in tasks.values() for task in of_stage), default=began)
    stages = [
        SparkStage(number, names.get(number, ""), tuple(of_stage))
        for number, of_stage in sorted(tasks.items())
    ]
    return SparkRun(name, began, max(ended, last), tuple(stages))


def lines(app: SparkRun) -> Iterator[str]:
    """Yield the table: a line per stage, then the sums."""
    yield f"{'stage':>5} {'tasks':>6} {'s':>8} {'work s':>8}  what"
    for stage in app.stages:
        yield (
            f"{stage.number:5} {len(stage.tasks):6} {stage.seconds:8.1f}"
            f" {stage.work_seconds:8.1f}  {stage.name}"
        )
    before, between, after = app.driver_seconds
    work = sum(stage.work_seconds for stage in app.stages)
    yield (
        f"{app.name}: {(app.ended_ms - app.began_ms) / MS_PER_S:.1f} s, {len(app.stages)} stages,"
        f" {len(app.tasks)} tasks, {work:.1f} s of work"
    )
    yield (
        f"driver only: {before + between + after:.1f} s ({before:.1f} s before the first task,"
        f" {between:.1f} s between tasks, {after:.1f} s after the last)"
    )


def _part(file: Path) -> int:
    """Return the number of a part: ``events_<number>_<application>``."""
    return int(file.name.split("_")[1])


if __name__ == "__main__":
    main()
