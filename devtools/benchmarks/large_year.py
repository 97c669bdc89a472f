"""History of a large site, a day at a time: ``python -m devtools.benchmarks.large_year FOLDER``.

The days of the site of ``devtools.benchmarks.large_site`` are simulated, loaded and removed one
after the other, so that the disk never has the dumps of more than one day. Decoded records and
hours are kept as long as the settings keep them: ``prune`` runs with each seventh day. Stopped, by
hand, by a kill, or because less than ``--free-gib`` are free, it goes on with the next day when it
is started again with the same options; ``--days`` is how many of the year's days are loaded then.
Printed are the cost of each step, and how lake and store have grown. At the end, ``--night`` also
forecasts, judges and notifies, without sending, the last of these days.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from rich.console import Console

from devtools.benchmarks.large_estate import LAST, Size, large_estate
from devtools.benchmarks.large_site import SiteSize, night_of, site_size
from devtools.benchmarks.step_costs import StepCost, measured
from devtools.simulator import generate
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.lake.layout import LANDING
from mqcap.progress.bars import shown_on
from mqcap.progress.shown import tracked
from mqcap.settings import load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps import runner
from spark_apps.runtime.kept import kept_session

YEAR_DAYS: Final = 365
PRUNED_EVERY_DAYS: Final = 7
DAYS_FILE: Final = "days.jsonl"


class LoadedDay(BaseModel):
    """A day that is loaded: the cost of its steps, and the site as it was then."""

    model_config = ConfigDict(frozen=True)

    day: date
    size: Size
    costs: tuple[StepCost, ...]
    site: SiteSize
    """``landed_bytes`` are those of this day alone."""


def main() -> None:
    """Load what is missing of the year, and print what it took."""
    parser = argparse.ArgumentParser(description="History of a large site, a day at a time.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--free-gib", type=float, default=10, help="leave so much of the disk")
    parser.add_argument("--night", action="store_true", help="forecast and judge the last day")
    for name, count in Size(days=YEAR_DAYS)._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=count)
    asked = vars(parser.parse_args())
    folder, free_gib, wants_night = (asked.pop(name) for name in ("folder", "free_gib", "night"))
    size = Size(**asked)
    costs: list[StepCost] = []
    with shown_on(Console(stderr=True)):
        try:
            load_days(folder, size, lambda: shutil.disk_usage(folder).free > free_gib * GIB_BYTES)
        except KeyboardInterrupt:
            print("Stopped: start it again to go on.")
        loaded = loaded_days(folder, size)
        if wants_night and loaded:
            with _addressed(folder), kept_session():
                night_of(costs, load_settings(), loaded[-1].day)
    print("\n".join(lines(size, loaded, costs)))


def load_days(folder: Path, size: Size, is_room: Callable[[], bool] = lambda: True) -> None:
    """Load the first ``size.days`` days of the year into lake and store of the folder.

    Days that are loaded already are left; it ends before a day for which there is no room. Raises
    ConfigurationError when the folder has days of another size.
    """
    known = {each.day for each in loaded_days(folder, size)}
    missing = [day for day in days_of(size) if day not in known]
    folder.mkdir(parents=True, exist_ok=True)
    with _addressed(folder), kept_session():
        for day in tracked(missing, f"load {len(missing)} of {size.days} days", "days"):
            if not is_room():
                print(f"Stopped before {day}: the disk is full but for what has to stay free.")
                return
            _load(folder, size, day)


def loaded_days(folder: Path, size: Size) -> list[LoadedDay]:
    """Return the days that are loaded, in order; raises as ``load_days``."""
    file = folder / DAYS_FILE
    texts = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found = [LoadedDay.model_validate_json(text) for text in texts if text.endswith("}")]
    others = {each.size._replace(days=size.days) for each in found} - {size}
    if others:
        raise ConfigurationError(
            f"{file} has days of another site",
            found=str(others.pop()),
            expected=str(size),
            remedy="Use the options with which it was begun, or another folder.",
        )
    return [each for each in found if each.day in set(days_of(size))]


def days_of(size: Size) -> list[date]:
    """Return the first days of the year that ends with ``LAST``."""
    first = LAST - timedelta(days=YEAR_DAYS - 1)
    return [first + timedelta(days=number) for number in range(size.days)]


def _load(folder: Path, size: Size, day: date) -> None:
    """Simulate a day, load it, remove what was delivered, and note that the day is loaded.

    The counters of queue managers begin anew each day: simulating all days before would take far
    longer than the load.
    """
    made, lake = folder / "made", folder / "lake"
    costs: list[StepCost] = []
    shutil.rmtree(made, ignore_errors=True)
    spec = large_estate(size._replace(days=YEAR_DAYS)).model_copy(update={"history_days": 1})
    with measured(costs, "simulate"):
        inputs = generate(spec, made, first_date=day, last_date=day)
    shutil.copyfile(inputs.settings_file, _settings_file(folder))
    settings = load_settings()
    with measured(costs, "land"):
        runner.land(
            settings, day, inputs=[str(file) for file in (*inputs.dumps, *inputs.console_logs)]
        )
    for step in runner.LOAD[1:]:
        with measured(costs, step.__name__):
            step(settings, day)
    if day.toordinal() % PRUNED_EVERY_DAYS == 0:
        with measured(costs, "prune"):
            runner.prune(settings, day)
    site = site_size(folder)
    shutil.rmtree(made)
    shutil.rmtree(lake / LANDING)
    noted = LoadedDay(day=day, size=size, costs=tuple(costs), site=site)
    with (folder / DAYS_FILE).open("a", encoding="utf-8") as file:
        file.write(f"\n{noted.model_dump_json()}\n")  # a line that was cut off stays by itself


def lines(size: Size, loaded: Sequence[LoadedDay], night: Sequence[StepCost]) -> Iterator[str]:
    """Yield the tables: steps per queue manager and day, sizes by day, and steps of the night."""
    managers = size.sysplexes * size.managers
    yield f"{managers} queue managers, {len(loaded)} of {YEAR_DAYS} days are loaded"
    if not loaded:
        return
    for name in dict.fromkeys(cost.name for each in loaded for cost in each.costs):
        of_step = [cost for each in loaded for cost in each.costs if cost.name == name]
        cpu = [cost.cpu_seconds for cost in of_step]
        yield (
            f"{name:22}{len(cpu):4} days{sum(cpu) / len(cpu):9.1f} s of CPU a day, first"
            f" {cpu[0]:.1f}, last {cpu[-1]:.1f}{max(each.peak_mib for each in of_step):8.0f} MiB"
            f"{1_000 * sum(cpu) / len(cpu) / managers:8.1f} ms each"
        )
    for each in _some(loaded):
        site = each.site
        yield (
            f"{each.day}: delivered {site.landed_bytes / MIB_BYTES:,.1f} MiB, lake"
            f" {site.lake_bytes / MIB_BYTES:,.1f} MiB, store {site.store_bytes / MIB_BYTES:,.1f}"
            f" MiB, {site.section_rows:,} section rows, {site.hourly_rows:,} hourly rows"
        )
    for cost in night:
        yield (
            f"{cost.name:22}{cost.seconds:9.1f} s{cost.cpu_seconds:9.1f} s of CPU"
            f"{cost.peak_mib:8.0f} MiB"
        )


def _some(loaded: Sequence[LoadedDay]) -> list[LoadedDay]:
    """Return the first day, about ten between, and the last one."""
    step = max(1, len(loaded) // 10)
    return [*loaded[:-1:step], loaded[-1]]


@contextmanager
def _addressed(folder: Path) -> Iterator[None]:
    """Let settings, lake and store be those of the folder meanwhile."""
    addresses = {
        FILE_VARIABLE: str(_settings_file(folder)),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder / 'store.db'}",
    }
    os.environ.update(addresses)
    try:
        yield
    finally:
        for name in addresses:
            del os.environ[name]


def _settings_file(folder: Path) -> Path:
    return folder / "platform.yaml"


if __name__ == "__main__":
    main()
