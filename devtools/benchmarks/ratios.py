"""Cost of steps, and ratios of benchmarks beside those of the last release, in ``ratios.json``.

A ratio has the cost of something else on the same machine in the same run as its divisor, so that
it says the same on every machine; smaller is better. ``MQCAP_BENCH=write`` stores what was
measured, which is committed with a release.
"""

import json
import os
import threading
import time
import timeit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import psutil
from pydantic import BaseModel

from mqcap.domain.units import MIB_BYTES

RATIOS_FILE: Final = Path(__file__).with_name("ratios.json")
WORSE_MAX: Final = 1.2
"""A ratio may be so many times that of the release before it is reported."""
TABLE_VARIABLE: Final = "MQCAP_BENCH_TABLE"
"""Names a file that gets one line for each ratio, for the table of all benchmarks."""
LOOP_STEPS: Final = 2_000_000
SAMPLE_SECONDS: Final = 0.2
"""Time between two looks at the processes."""
COST_COLUMNS: Final = ("", "s", "s of CPU", "peak MiB")
"""Headings of a table of ``StepCost``."""


class Ratios(BaseModel, extra="forbid", frozen=True):
    """Ratios of a release by benchmark and name."""

    release: str
    ratios: dict[str, dict[str, float]]


class Ratio(NamedTuple):
    """A ratio, and what it was in the last release; ``None`` where it was not measured."""

    benchmark: str
    name: str
    now: float
    before: float | None

    @property
    def is_worse(self) -> bool:
        """Whether it is more than 20 % above the release."""
        return self.before is not None and self.now > WORSE_MAX * self.before


def ratio_lines(ratios: Iterable[Ratio]) -> list[str]:
    """Return a table of ratios beside those of the release."""
    rows = [
        (
            ratio.benchmark,
            ratio.name,
            f"{ratio.now:.3g}",
            "-" if ratio.before is None else f"{ratio.before:.3g}",
            "WORSE" if ratio.is_worse else "",
        )
        for ratio in ratios
    ]
    return table(("benchmark", "ratio", "now", "release", ""), rows)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return aligned lines: text to the left, whole numbers and figures with two decimals right."""
    cells = [
        [f"{value:,.2f}" if isinstance(value, float) else f"{value}" for value in row]
        for row in (columns, *rows)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            f"{cell:{'<' if place == 0 else '>'}{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def tell(benchmark: str, measured: Mapping[str, float], file: Path = RATIOS_FILE) -> int:
    """Print the ratios of a benchmark beside those of the release; return 1 if any is worse."""
    released = Ratios.model_validate_json(file.read_text(encoding="utf-8"))
    before = released.ratios.get(benchmark, {})
    ratios = [Ratio(benchmark, name, now, before.get(name)) for name, now in measured.items()]
    print("\n".join(ratio_lines(ratios)))
    if table := os.environ.get(TABLE_VARIABLE):
        with Path(table).open("a", encoding="utf-8") as rows:
            rows.writelines(json.dumps(ratio) + "\n" for ratio in ratios)
    if os.environ.get("MQCAP_BENCH") == "write":
        release = version("mqcap")
        kept = released.ratios if released.release == release else {}
        digits = {name: float(f"{value:.3g}") for name, value in measured.items()}
        stored = {"release": release, "ratios": {**kept, benchmark: digits}}
        file.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return int(any(ratio.is_worse for ratio in ratios))


def loop_seconds() -> float:
    """Return the processor time of a plain loop of additions: a divisor where there is no other.

    The least of some: other work on the machine only adds to it.
    """
    loop = f"for number in range({LOOP_STEPS}): total += number"
    return min(timeit.repeat(loop, "total = 0", time.process_time, repeat=7, number=1))


class StepCost(NamedTuple):
    """Cost of a step in all its processes; the memory is the highest sum of theirs."""

    name: str
    seconds: float
    cpu_seconds: float
    peak_mib: float


@contextmanager
def measured(costs: list[StepCost], name: str) -> Iterator[None]:
    """Add the cost of the block; pages that processes share count in each."""
    ended, peaks_mib = threading.Event(), [_of_processes(_memory_mib)]

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            peaks_mib.append(_of_processes(_memory_mib))

    watcher = threading.Thread(target=watch, daemon=True)
    started, before = time.perf_counter(), _of_processes(_cpu_seconds)
    watcher.start()
    try:
        yield
    finally:
        seconds = time.perf_counter() - started
        ended.set()
        watcher.join()
    cpu_seconds = _of_processes(_cpu_seconds) - before
    costs.append(StepCost(name, seconds, cpu_seconds, max(peaks_mib)))


def _memory_mib(process: psutil.Process) -> float:
    return float(process.memory_info().rss / MIB_BYTES)


def _cpu_seconds(process: psutil.Process) -> float:
    """Return its seconds, with those of the children whose end it has seen."""
    return float(sum(process.cpu_times()[:4]))


def _of_processes(figure: Callable[[psutil.Process], float]) -> float:
    own, total = psutil.Process(), 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            total += figure(process)
    return total
