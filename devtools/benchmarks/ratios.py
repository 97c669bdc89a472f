"""Ratios of benchmarks compared with those of the last release, in ``ratios.json``.

A ratio has the cost of something else on the same machine in the same run as its divisor, so that
it says the same on every machine; smaller is better. ``MQCAP_BENCH=write`` stores what was
measured, which is committed with a release.
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
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


class Ratios(BaseModel, extra="forbid", frozen=True):
    """Ratios of a release by benchmark and name."""

    release: str
    ratios: dict[str, dict[str, float]]


class Compared(NamedTuple):
    """A ratio, and what it was in the last release; ``None`` where it was not measured."""

    name: str
    now: float
    before: float | None

    @property
    def is_worse(self) -> bool:
        """Whether it is more than 20 % above the release."""
        return self.before is not None and self.now > WORSE_MAX * self.before


def compared(benchmark: str, measured: Mapping[str, float], released: Ratios) -> list[Compared]:
    """Return each ratio of a benchmark beside that of the release."""
    before = released.ratios.get(benchmark, {})
    return [Compared(name, value, before.get(name)) for name, value in measured.items()]


def line(ratio: Compared, release: str) -> str:
    """Return what is printed of a ratio."""
    if ratio.before is None:
        return f"{ratio.name}: {ratio.now:.3g}, not measured at release {release}"
    change = f"{ratio.now / ratio.before - 1:+.0%} against {ratio.before:.3g} of release {release}"
    worse = "WORSE THAN THE RELEASE: " if ratio.is_worse else ""
    return f"{worse}{ratio.name}: {ratio.now:.3g}, {change}"


def tell(benchmark: str, measured: Mapping[str, float], file: Path = RATIOS_FILE) -> int:
    """Print the ratios of a benchmark beside those of the release; return how many are worse."""
    released = Ratios.model_validate_json(file.read_text(encoding="utf-8"))
    ratios = compared(benchmark, measured, released)
    for ratio in ratios:
        print(line(ratio, released.release))
    if table := os.environ.get(TABLE_VARIABLE):
        with Path(table).open("a", encoding="utf-8") as rows:
            rows.writelines(json.dumps([benchmark, *ratio]) + "\n" for ratio in ratios)
    if os.environ.get("MQCAP_BENCH") == "write":
        _write(benchmark, measured, released, file)
    return sum(ratio.is_worse for ratio in ratios)


def loop_seconds() -> float:
    """Return the processor time of a plain loop of additions: a divisor where there is no other."""
    started = time.process_time()
    total = 0
    for number in range(LOOP_STEPS):
        total += number
    return time.process_time() - started


def _write(benchmark: str, measured: Mapping[str, float], released: Ratios, file: Path) -> None:
    release = version("mqcap")
    kept = released.ratios if released.release == release else {}
    digits = {name: float(f"{value:.3g}") for name, value in measured.items()}
    stored = {"release": release, "ratios": {**kept, benchmark: digits}}
    file.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n", encoding="utf-8")


SAMPLE_SECONDS: Final = 0.2
"""Time between two looks at the processes."""


class StepCost(NamedTuple):
    """Cost of a step in all its processes; the memory is the highest sum of theirs."""

    name: str
    seconds: float
    cpu_seconds: float
    peak_mib: float


@contextmanager
def measured(costs: list[StepCost], name: str) -> Iterator[None]:
    """Add the cost of the block."""
    ended, peak = threading.Event(), [0.0]
    before = _cpu_seconds()

    def look() -> None:
        peak[0] = max(peak[0], _memory_mib())

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            look()

    watcher = threading.Thread(target=watch, daemon=True)
    started = time.perf_counter()
    watcher.start()
    try:
        yield
    finally:
        seconds = time.perf_counter() - started
        ended.set()
        watcher.join()
        look()
    costs.append(StepCost(name, seconds, _cpu_seconds() - before, peak[0]))


def _processes() -> list[psutil.Process]:
    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def _memory_mib() -> float:
    """Return the resident memory of all processes; shared pages count in each."""
    total = 0
    for process in _processes():
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total / MIB_BYTES


def _cpu_seconds() -> float:
    """Return the seconds of all processes, with those of the children whose end they have seen."""
    total = 0.0
    for process in _processes():
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total
