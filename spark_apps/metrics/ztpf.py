"""Metrics of z/TPF systems: memory of 64-bit queues (MQM), queues, sweeps (MQSC0801I)."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.keys import INTERVAL
from spark_apps.transforms.samples import counted_once, part, value_of, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"


def mqm(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, system and time at which one was reported."""
    reported = with_interval(
        sections[ZTPF_SAMPLE]
        .filter(pl.col("queue") == "")
        .group_by("site", "system", "reported_utc", "file_sha256")
        .agg(pl.col("step_seconds").max(), *map(value_of, ZtpfFigure))
    )
    in_use, high_water, blocks = (
        pl.col(str(figure))
        for figure in (
            ZtpfFigure.mqm_in_use_blocks,
            ZtpfFigure.mqm_high_water_blocks,
            ZtpfFigure.mqm_total_blocks,
        )
    )
    figures = [
        Gauge("tpf_mqm_used_pct", pl.when(blocks > 0).then(100 * in_use / blocks)),
        Gauge("tpf_mqm_high_water_pct", pl.when(blocks > 0).then(100 * high_water / blocks)),
        Gauge("tpf_mqm_in_use_blocks", in_use),
        Gauge("tpf_mqm_high_water_blocks", high_water),
        Gauge("tpf_mqm_blocks", blocks),
        Gauge("tpf_mqm_sweep_level_pct", pl.col(str(ZtpfFigure.sweep_level_pct))),
    ]
    return counted_once(interval_rows(reported, path("site", part("system")), figures))


_FIGURES: Final = {
    ZtpfFigure.queue_depth_count: "tpf_queue_depth_count",
    ZtpfFigure.queue_mqm_blocks: "tpf_queue_mqm_blocks",
    ZtpfFigure.queue_swb_count: "tpf_queue_swb_count",
}


def queues(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue or system, and time at which one was reported."""
    key = ["site", "system", "reported_utc", "file_sha256"]
    step = pl.col("step_seconds").max()
    of_queue = (
        sections[ZTPF_SAMPLE]
        .filter(pl.col("queue") != "")
        .group_by(*key, "queue")
        .agg(step, *map(value_of, (*_FIGURES, ZtpfFigure.queue_put_bytes_per_s)))
    )
    put = pl.col(str(ZtpfFigure.queue_put_bytes_per_s))
    of_system = (
        of_queue.group_by(*key)
        .agg(step, put.sum().alias("put"), put.is_null().any().alias("is_partly_known"))
        .filter(~pl.col("is_partly_known"))
    )
    system = part("system")
    gauges = [Gauge(metric, pl.col(str(figure))) for figure, metric in _FIGURES.items()]
    rate = Gauge("tpf_put_mib_per_s", pl.col("put") / float(MIB_BYTES))
    return counted_once(
        union(
            [
                interval_rows(with_interval(of_queue), path("site", system, part("queue")), gauges),
                interval_rows(with_interval(of_system), path("site", system), [rate]),
            ]
        )
    )


ZTPF_SWEEP: Final = "ztpf_sweep"
_DATE: Final = ("site", "system", *INTERVAL)


def sweeps(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue, per system and local date with a sweep: the date is the interval.

    Equal lines of a second count as often as one file has them, in however many files they are.
    """
    once = sections[ZTPF_SWEEP].select(*_DATE, "queue", "local_time", "sequence").unique()
    sweeps = pl.len().alias("sweeps")
    of_queue, of_system = (
        once.group_by(*_DATE, "queue").agg(sweeps),
        once.group_by(*_DATE).agg(sweeps),
    )
    count = pl.col("sweeps")
    system = part("system")
    return union(
        [
            interval_rows(
                of_queue, path("site", system, part("queue")), [Gauge("tpf_sweep_count", count)]
            ),
            interval_rows(
                of_system, path("site", system), [Gauge("tpf_system_sweep_count", count)]
            ),
        ]
    )
