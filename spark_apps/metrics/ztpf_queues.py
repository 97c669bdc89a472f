"""Queues of z/TPF systems: depth, blocks of memory, and what is put to all of them."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import counted_once, part, value_of, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"
_FIGURES: Final = {
    ZtpfFigure.queue_depth_count: "tpf_queue_depth_count",
    ZtpfFigure.queue_mqm_blocks: "tpf_queue_mqm_blocks",
    ZtpfFigure.queue_swb_count: "tpf_queue_swb_count",
}


def intervals(sections: Sections) -> pl.LazyFrame:
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
