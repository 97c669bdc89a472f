"""What collectors publish about queue managers: answers of Prometheus, and records of mq_json.

Names and labels are those of mq_prometheus and of the container image (exporter.go of
mq-metric-samples, mapping.go of mq-container); values are text, as the API has them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from devtools.simulator.site.site_figures import SiteFigures
from devtools.simulator.site.site_spec import Producer
from devtools.simulator.timeline import Float64s, Int64s, instant_utc
from devtools.simulator.workload import rounded
from mqcap.domain.units import MIB_BYTES, US_PER_S

_PORT: Final = 9157
_DECIMALS: Final = {"percentage": 2, "seconds": 6}
"""By the last word of the name of a metric; others are whole."""
_ORDER: Final = (
    "log_current",
    "log_physical",
    "log_write",
    "log_file_system_in",
    "log_file_system_max",
    "queue_manager",
    "connection",
    "interval_mqput_mqput1_total_count",
    "interval",
    "user",
    "system",
    "ram",
)
"""Begin of the names of metrics of a queue manager in a record."""
Sampled = tuple[dict[str, str], list[tuple[int, str]]]
"""Labels of a series of Prometheus, and its samples: seconds since 1970, and the value."""
Metrics = Mapping[str, Float64s | Int64s]
"""A value for each scrape by the name of the metric, without the kind of its object."""


def prometheus_answer(series: Iterable[Sampled]) -> bytes:
    """Return the answer with these series, as compact JSON."""
    result = [{"metric": labels, "values": samples} for labels, samples in series if samples]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(answer, separators=(",", ":")).encode()


def published(figures: SiteFigures) -> Iterator[Sampled]:
    """Yield all series of a queue manager, of the scrapes at which it ran.

    Of hyphens in names of hosts full stops are left.
    """
    spec = figures.spec
    own = {"qmgr": spec.name}
    if spec.seen_by is Producer.container:
        pod = f"{spec.name.lower().replace('_', '-')}-ibm-mq-0"
        own |= {"job": spec.seen_by.value, "instance": f"{pod}:{_PORT}", "namespace": "mq"}
        own |= {"pod": pod, "container": "qmgr"}
    else:
        own |= {"platform": "UNIX", "description": "-", "hostname": spec.host.replace("-", ".")}
        own |= {"job": spec.seen_by.value, "instance": f"{spec.host}:{_PORT}"}
    seconds = (figures.intervals.end_us[figures.is_up] // US_PER_S).tolist()
    for kind, labels, metrics in _objects(figures):
        for name, values in metrics.items():
            decimals = _decimals(name)
            texts = (f"{value:.{decimals}f}" for value in values[figures.is_up].round(decimals))
            samples = list(zip(seconds, texts, strict=True))
            yield {"__name__": f"ibmmq_{kind}_{name}"} | labels | own, samples


def _objects(figures: SiteFigures) -> Iterator[tuple[str, dict[str, str], Metrics]]:
    spec = figures.spec
    if spec.seen_by is Producer.container:
        yield "qmgr", {}, _of_container(figures)
        return
    yield "qmgr", {}, _of_collector(figures)
    for queue in spec.queues:
        depth, puts = figures.depths[queue.name], figures.queue_puts[queue.name]
        metrics = {
            "depth": depth,
            "attribute_max_depth": np.full_like(depth, queue.max_depth),
            "mqput_mqput1_count": puts,
            "mqput_bytes": puts * spec.message_bytes,
        }
        yield "queue", {"queue": queue.name, "usage": "NORMAL", "cluster": "-"}, metrics


def _of_collector(figures: SiteFigures) -> Metrics:
    """Return what mq_prometheus publishes: amounts are those since the last scrape."""
    size = figures.spec.log_fs_mib * MIB_BYTES
    used = rounded(figures.log_fs_pct / 100 * size)
    return {
        "log_current_primary_space_in_use_percentage": figures.log_primary_pct,
        "log_file_system_in_use_bytes": used,
        "log_file_system_max_bytes": np.full_like(used, round(size)),
        "connection_count": figures.connections,
        "log_physical_written_bytes": figures.log_bytes,
        "interval_mqput_mqput1_total_count": figures.puts,
        "interval_mqput_mqput1_total_bytes": figures.puts * figures.spec.message_bytes,
        **_of_both(figures),
        "user_cpu_time_percentage": figures.host_cpu_pct - figures.host_system_pct,
        "system_cpu_time_percentage": figures.host_system_pct,
        "ram_free_percentage": figures.host_ram_free_pct,
    }


def _of_container(figures: SiteFigures) -> Metrics:
    """Return what the container publishes: true counters, from zero at each start."""
    puts = figures.puts_since_start
    return {
        "log_primary_space_in_use_percentage": figures.log_primary_pct,
        "log_file_system_free_space_percentage": 100 - figures.log_fs_pct,
        "log_physical_written_bytes_total": figures.log_bytes_since_start,
        "mqput_mqput1_total": puts,
        "mqput_mqput1_bytes_total": puts * figures.spec.message_bytes,
        **_of_both(figures),
    }


def _of_both(figures: SiteFigures) -> Metrics:
    return {
        "queue_manager_file_system_free_space_percentage": 100 - figures.data_fs_pct,
        "log_write_latency_seconds": figures.log_write_latency_us / US_PER_S,
    }


def mq_json_lines(figures: SiteFigures) -> str:
    """Return a record for each scrape; an amount is of the time since the record before."""
    objects = list(_objects(figures))
    records = (_record(figures, objects, place) for place in figures.places)
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


def _record(
    figures: SiteFigures, objects: list[tuple[str, dict[str, str], Metrics]], place: int
) -> dict[str, Any]:
    collected = instant_utc(figures.scraped_us(place))
    own = {"qmgr": figures.spec.name, "platform": "UNIX"}
    host = {"hostname": figures.spec.host.replace("-", ".")}
    points = [
        {
            "objectType": kind,
            "tags": own | (labels or host),
            "metrics": {
                _in_camels(name): round(metrics[name][place].item(), _decimals(name) or None)
                for name in sorted(metrics, key=_place)
            },
        }
        for kind, labels, metrics in objects
    ]
    time = {"timeStamp": collected.isoformat(), "epoch": round(collected.timestamp())}
    return {"collectionTime": time, "points": points}


def _decimals(name: str) -> int:
    return _DECIMALS.get(name.rpartition("_")[2], 0)


def _place(name: str) -> int:
    """Return the place of a metric in a record; those of a queue stay in their order."""
    return next((place for place, begin in enumerate(_ORDER) if name.startswith(begin)), -1)


def _in_camels(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
