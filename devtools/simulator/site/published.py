"""What collectors publish about queue managers: answers of Prometheus, and records of mq_json.

Names and labels are those of mq_prometheus and of the container image (exporter.go of
mq-metric-samples, mapping.go of mq-container); values are text, as the API has them.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from devtools.simulator.site.site_figures import SiteFigures
from devtools.simulator.site.site_spec import Producer
from devtools.simulator.timeline import Float64s, Int64s, instant_utc
from mqcap.domain.units import MIB_BYTES, US_PER_S

_PREFIX: Final = "ibmmq_"
_PORT: Final = 9157
_UNIX: Final = "UNIX"


class _Series(NamedTuple):
    """One series: its name without the prefix, further labels, a value for each scrape."""

    name: str
    values: Float64s | Int64s
    decimals: int = 0
    labels: tuple[tuple[str, str], ...] = ()

    def at(self, place: int) -> float:
        """Return the value at a scrape."""
        value: float = self.values[place].item()
        return round(value, self.decimals) if self.decimals else value


Sampled = tuple[dict[str, str], list[tuple[int, str]]]
"""Labels of a series of Prometheus, and its samples: seconds since 1970, and the value."""


def prometheus_answer(series: Iterable[Sampled]) -> bytes:
    """Return the answer with these series, as compact JSON."""
    result = [{"metric": labels, "values": samples} for labels, samples in series if samples]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(answer, separators=(",", ":")).encode()


def published(figures: SiteFigures) -> Iterator[Sampled]:
    """Yield all series of a queue manager, of the scrapes at which it ran."""
    seconds = (figures.intervals.end_us[figures.is_up] // US_PER_S).tolist()
    is_container = figures.spec.seen_by is Producer.container
    for series in _of_container(figures) if is_container else _of_collector(figures):
        values = np.round(series.values[figures.is_up], series.decimals).tolist()
        text = "{}" if not series.decimals else f"{{:.{series.decimals}f}}"
        labels = {"__name__": _PREFIX + series.name} | dict(series.labels) | _labels(figures)
        yield labels, list(zip(seconds, map(text.format, values), strict=True))


def _labels(figures: SiteFigures) -> dict[str, str]:
    """Return the labels of the queue manager; of hyphens in names of hosts full stops are left."""
    spec = figures.spec
    job = {"job": spec.seen_by.value}
    if spec.seen_by is Producer.container:
        pod = f"{spec.name.lower().replace('_', '-')}-ibm-mq-0"
        instance = {"instance": f"{pod}:{_PORT}", "namespace": "mq", "pod": pod}
        return {"qmgr": spec.name, **job, **instance, "container": "qmgr"}
    host = {"hostname": spec.host.replace("-", ".")}
    common = {"qmgr": spec.name, "platform": _UNIX, "description": "-", **host}
    return {**common, **job, "instance": f"{spec.host}:{_PORT}"}


def _of_collector(figures: SiteFigures) -> Iterator[_Series]:
    """Yield what mq_prometheus publishes: amounts are those since the last scrape."""
    spec = figures.spec
    size = spec.log_fs_mib * MIB_BYTES
    used = np.rint(figures.log_fs_pct / 100 * size).astype(np.int64)
    yield _Series(
        "qmgr_log_current_primary_space_in_use_percentage", figures.log_primary_pct, decimals=2
    )
    yield _Series("qmgr_log_file_system_in_use_bytes", used)
    yield _Series("qmgr_log_file_system_max_bytes", np.full_like(used, round(size)))
    yield _Series("qmgr_connection_count", figures.connections)
    yield _Series("qmgr_log_physical_written_bytes", figures.log_bytes)
    yield _Series("qmgr_interval_mqput_mqput1_total_count", figures.puts)
    yield _Series("qmgr_interval_mqput_mqput1_total_bytes", figures.puts * spec.message_bytes)
    yield from _of_both(figures)
    user = figures.host_cpu_pct - figures.host_system_pct
    yield _Series("qmgr_user_cpu_time_percentage", user, decimals=2)
    yield _Series("qmgr_system_cpu_time_percentage", figures.host_system_pct, decimals=2)
    yield _Series("qmgr_ram_free_percentage", figures.host_ram_free_pct, decimals=2)
    for queue in spec.queues:
        labels = (("queue", queue.name), ("usage", "NORMAL"), ("cluster", "-"))
        depth = figures.depths[queue.name]
        yield _Series("queue_depth", depth, labels=labels)
        limit = np.full_like(depth, queue.max_depth)
        yield _Series("queue_attribute_max_depth", limit, labels=labels)
        puts = figures.queue_puts[queue.name]
        yield _Series("queue_mqput_mqput1_count", puts, labels=labels)
        yield _Series("queue_mqput_bytes", puts * spec.message_bytes, labels=labels)


def _of_container(figures: SiteFigures) -> Iterator[_Series]:
    """Yield what the container publishes: true counters, from zero at each start."""
    puts = figures.puts_since_start
    yield _Series("qmgr_log_primary_space_in_use_percentage", figures.log_primary_pct, decimals=2)
    free = 100 - figures.log_fs_pct
    yield _Series("qmgr_log_file_system_free_space_percentage", free, decimals=2)
    yield _Series("qmgr_log_physical_written_bytes_total", figures.log_bytes_since_start)
    yield _Series("qmgr_mqput_mqput1_total", puts)
    yield _Series("qmgr_mqput_mqput1_bytes_total", puts * figures.spec.message_bytes)
    yield from _of_both(figures)


def _of_both(figures: SiteFigures) -> Iterator[_Series]:
    free = 100 - figures.data_fs_pct
    yield _Series("qmgr_queue_manager_file_system_free_space_percentage", free, decimals=2)
    latency_s = figures.log_write_latency_us / US_PER_S
    yield _Series("qmgr_log_write_latency_seconds", latency_s, decimals=6)


_ORDER: Final = (
    "log_current", "log_physical", "log_write", "log_file_system_in", "log_file_system_max",
    "queue_manager", "connection", "interval_mqput_mqput1_total_count", "interval", "user",
    "system", "ram",
)  # fmt: skip
"""Begin of the names of metrics of a queue manager in a record."""


def mq_json_lines(figures: SiteFigures) -> str:
    """Return a record for each scrape; an amount is of the time since the record before."""
    objects = [
        (dict(labels), list(series))
        for labels, series in groupby(_of_collector(figures), lambda series: series.labels)
    ]
    records = (_record(figures, objects, place) for place in figures.places)
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


def _record(
    figures: SiteFigures, objects: list[tuple[dict[str, str], list[_Series]]], place: int
) -> dict[str, Any]:
    collected = instant_utc(figures.scraped_us(place))
    points = []
    for labels, several in objects:
        kind = "queue" if labels else "qmgr"
        named = {figure.name.removeprefix(f"{kind}_"): figure for figure in several}
        host = {"hostname": figures.spec.host.replace("-", ".")}
        names = list(named) if labels else sorted(named, key=_place)
        points.append(
            {
                "objectType": kind,
                "tags": {"qmgr": figures.spec.name, "platform": _UNIX, **(labels or host)},
                "metrics": {_in_camels(name): named[name].at(place) for name in names},
            }
        )
    time = {"timeStamp": collected.isoformat(), "epoch": round(collected.timestamp())}
    return {"collectionTime": time, "points": points}


def _place(name: str) -> int:
    return next(place for place, begin in enumerate(_ORDER) if name.startswith(begin))


def _in_camels(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
