"""Metrics of z/TPF systems: memory of 64-bit queues (MQM), queues, sweeps (MQSC0801I)."""

from typing import Final

import polars as pl

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    interval_rows,
    path,
    ratio,
    total,
    union,
)
from spark_apps.transforms.keys import INTERVAL
from spark_apps.transforms.samples import counted_once, part, rows_once, side_by_side, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"


def mqm(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, system and time at which one was reported."""
    of_system = sections[ZTPF_SAMPLE].filter(pl.col("queue") == "")
    reported = side_by_side(of_system, ["site", "system", "file_sha256"], ZtpfFigure)
    in_use, high_water, blocks = (
        pl.col(str(figure))
        for figure in (
            ZtpfFigure.mqm_in_use_blocks,
            ZtpfFigure.mqm_high_water_blocks,
            ZtpfFigure.mqm_total_blocks,
        )
    )
    return rows_once(
        reported,
        path("site", part("system")),
        Gauge("tpf_mqm_used_pct", ratio(100 * in_use, blocks)),
        Gauge("tpf_mqm_high_water_pct", ratio(100 * high_water, blocks)),
        Gauge("tpf_mqm_in_use_blocks", in_use),
        Gauge("tpf_mqm_high_water_blocks", high_water),
        Gauge("tpf_mqm_blocks", blocks),
        Gauge("tpf_mqm_sweep_level_pct", pl.col(str(ZtpfFigure.sweep_level_pct))),
    )


_FIGURES: Final = {
    ZtpfFigure.queue_depth_count: "tpf_queue_depth_count",
    ZtpfFigure.queue_mqm_blocks: "tpf_queue_mqm_blocks",
    ZtpfFigure.queue_swb_count: "tpf_queue_swb_count",
}


def queues(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue or system, and time at which one was reported."""
    key = ["site", "system", "file_sha256"]
    queues = sections[ZTPF_SAMPLE].filter(pl.col("queue") != "")
    put = pl.col(str(ZtpfFigure.queue_put_bytes_per_s))
    of_queue = side_by_side(queues, [*key, "queue"], [*_FIGURES, ZtpfFigure.queue_put_bytes_per_s])
    of_system = of_queue.group_by(*key, "reported_utc").agg(
        pl.col("step_seconds").max(), total(put).alias("put")
    )
    system = part("system")
    gauges = [Gauge(metric, pl.col(str(figure))) for figure, metric in _FIGURES.items()]
    rate = Gauge("tpf_put_mib_per_s", pl.col("put") / float(MIB_BYTES))
    return counted_once(
        union(
            interval_rows(of_queue, path("site", system, part("queue")), *gauges),
            interval_rows(with_interval(of_system), path("site", system), rate),
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
        interval_rows(
            of_queue, path("site", system, part("queue")), Gauge("tpf_sweep_count", count)
        ),
        interval_rows(of_system, path("site", system), Gauge("tpf_system_sweep_count", count)),
    )
