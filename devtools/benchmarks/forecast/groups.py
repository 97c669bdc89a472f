"""Daily series that add up to a whole: members of a group, parts of a metric.

``estate`` are the daily means that the simulator gives the sample estate: log written and channels
of the queue managers of each queue sharing group, connections and puts of those of a site; those of
``estate, peaks`` are daily peaks, whose sum is no peak of anything.
Other simulated members are made of ``simulated`` metrics: ``one workload`` is divided among them by
shares that wander, and a member that stops for days leaves its work to the others; with ``own
workloads`` each has a metric of its own; ``both`` is half and half. ``crossing_dev`` and
``m4_daily`` are series of one length that have nothing in common but that they are added up, each
divided by its median.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.simulated import Simulated, simulated
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import clock_of, grid_of
from devtools.simulator.workload import Load, values
from forecasting.arrays import FloatArray
from forecasting.history import history_of
from forecasting.prepare import clean

SIZE: Final = 4
"""Members of a simulated or public group."""
SIMULATED_DAYS: Final = 540
SHARE_DRIFT: Final = 0.01
"""Daily change of the logarithm of a member's share (ours)."""
STOPS_PER_DAY: Final = 0.004
"""How often a member stops, for one to four days (ours)."""
M4_DAYS: Final = 800
M4_WINDOWS: Final = 3
ESTATE_LAST: Final = date(2026, 11, 23)


@dataclass(frozen=True)
class MemberGroup:
    """Members and, last, their sum: one column each, one row a day; NaN is a day without a value.

    ``measured`` is what a forecast may know; ``cleaned`` has neither outages nor spikes, and what
    forecasts are compared with.
    """

    kind: str
    name: str
    first: np.datetime64
    measured: FloatArray
    cleaned: FloatArray


def group_of(kind: str, name: str, first: np.datetime64, members: FloatArray) -> MemberGroup:
    """Return the group of these members, one column each, with their sum."""
    measured = with_sum(members)
    cleaned = np.column_stack([_cleaned(first, column) for column in members.T])
    return MemberGroup(kind, name, first, measured, with_sum(cleaned))


def with_sum(members: FloatArray) -> FloatArray:
    """Return the columns and their sum; a day on which one has no value has no sum."""
    return np.column_stack([members, members.sum(axis=1)])


def simulated_groups(count: int, seed: int) -> Iterator[MemberGroup]:
    """Yield ``count`` groups of each simulated kind."""
    items = simulated(count * (SIZE + 1), seed)
    for number in range(count):
        common, *own = items[number * (SIZE + 1) : (number + 1) * (SIZE + 1)]
        rng = np.random.default_rng([seed, number, SIZE])
        one = _divided(_values(common), rng)
        many = np.column_stack([_values(item) for item in own])
        many *= rng.uniform(0.5, 2.0, SIZE)
        half = one * np.nansum(many) / np.nansum(one) + many
        for kind, members in (("one workload", one), ("own workloads", many), ("both", half)):
            yield group_of(kind, f"{kind} {number}", common.first, members)


def crossing_groups(data: Path) -> Iterator[MemberGroup]:
    """Yield groups of ``crossing_dev``: series of one metric, aligned at their last day."""
    history = pd.read_csv(data / "crossing_dev" / "history.csv.gz", parse_dates=["ds"])
    truth = pd.read_csv(data / "crossing_dev" / "truth.csv").set_index("unique_id")
    series = {
        str(name): rows.set_index("ds")["y"].resample("D").asfreq().to_numpy(np.float64)
        for name, rows in history.groupby("unique_id")
    }
    for metric, names in truth.groupby("metric").groups.items():
        long = [series[str(name)][-SIMULATED_DAYS:] for name in names]
        long = [values for values in long if len(values) == SIMULATED_DAYS]
        yield from _fours("crossing_dev", str(metric), long)


def m4_groups(data: Path) -> Iterator[MemberGroup]:
    """Yield groups of the long series of M4 daily, in windows that do not overlap."""
    history = pd.read_csv(data / "m4_daily_train.csv.gz")
    every = [rows["y"].to_numpy(np.float64) for _, rows in history.groupby("unique_id")]
    for window in range(M4_WINDOWS):
        ends = [values[: len(values) - window * M4_DAYS][-M4_DAYS:] for values in every]
        yield from _fours(
            "m4_daily", f"window {window}", [values for values in ends if len(values) == M4_DAYS]
        )


def estate_groups(seeds: int) -> Iterator[MemberGroup]:
    """Yield the groups of the sample estate, each with the noise of other seeds."""
    spec = sample_spec()
    for seed in range(1, seeds + 1):
        for plex in spec.sysplexes:
            for group in sorted({each.qsg for each in plex.qmgrs if each.qsg}):
                members = [each for each in plex.qmgrs if each.qsg == group]
                for quantity in ("log_mib_per_s", "channels"):
                    loads = {each.name: getattr(each, quantity) for each in members}
                    name = f"{group} {quantity} {seed}"
                    yield from _of_loads(name, loads, plex.timezone, plex.holidays)
        for site in spec.sites:
            for quantity in ("connections", "puts_per_s"):
                loads = {each.name: getattr(each, quantity) for each in site.qmgrs}
                name = f"{site.name} {quantity} {seed}"
                yield from _of_loads(name, loads, site.timezone, site.holidays)


def _of_loads(
    name: str, loads: Mapping[str, Load], timezone: str, country: str | None
) -> Iterator[MemberGroup]:
    """Yield daily means and peaks of loads, one member each; the name is the key of their noise."""
    first = ESTATE_LAST - timedelta(days=SIMULATED_DAYS - 1)
    grid = grid_of(clock_of(timezone, first, ESTATE_LAST), first, ESTATE_LAST, 60, ())
    hours = pd.DataFrame(
        {
            member: values(load, grid, ESTATE_LAST, country, (0, f"{name} {member}"))
            for member, load in loads.items()
        }
    ).groupby(grid.local_day)
    for kind, days in (("estate", hours.mean()), ("estate, peaks", hours.max())):
        yield group_of(kind, name, np.datetime64(first), days.to_numpy(np.float64))


def _fours(kind: str, name: str, series: Sequence[FloatArray]) -> Iterator[MemberGroup]:
    first = np.datetime64("2024-01-01")
    for start in range(0, len(series) - SIZE + 1, SIZE):
        members = np.column_stack(
            [values / np.nanmedian(values) for values in series[start : start + SIZE]]
        )
        yield group_of(kind, f"{name} {start // SIZE}", first, members)


def _values(item: Simulated) -> FloatArray:
    """Return the last days of a metric, divided by their median."""
    values = np.concatenate([item.observed, item.coming_days])[-SIMULATED_DAYS:]
    return np.asarray(values / np.nanmedian(values))


def _divided(whole: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Divide a workload among members; those that run take the work of those that stop."""
    shape = (len(whole), SIZE)
    weights = np.exp(
        np.cumsum(rng.normal(0, SHARE_DRIFT, shape), axis=0)
        + rng.normal(0, 0.5, SIZE)
        + rng.normal(0, rng.uniform(0.02, 0.1), shape)
    )
    for member in range(SIZE):
        for day in np.flatnonzero(rng.random(len(whole)) < STOPS_PER_DAY):
            weights[day : day + int(rng.integers(1, 5)), member] = 0.0
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(whole[:, None] * weights / np.where(total > 0, total, np.nan))


def _cleaned(first: np.datetime64, values: FloatArray) -> FloatArray:
    days = (first + np.arange(len(values))).astype(object)
    facts = {"site_date": days, "value": values, "ceiling": np.nan, "country": None}
    rows = pd.DataFrame(facts).dropna(subset="value")
    made = clean(history_of(rows, "metric/X", "mean", days[-1], len(values)))
    cleaned = np.full(len(values), np.nan)
    cleaned[(made.days - first).astype(np.int64)] = made.values
    return cleaned
