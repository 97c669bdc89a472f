"""Queues of z/TPF systems: depth, blocks of memory, and what is put to all of them."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import counted_once, part, value_of, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"


def _metric(
    name: str, label: str, unit: str, description: str, kind: SubjectKind = SubjectKind.ztpf_queue
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=kind,
        description=description,
        reads=(ZTPF_SAMPLE,),
        forecast=False,
    )


DEPTH: Final = _metric(
    "tpf_queue_depth_count", "Depth of the z/TPF queue", "count", "Messages on the queue."
)
BLOCKS: Final = _metric(
    "tpf_queue_mqm_blocks",
    "MQM blocks of the queue",
    "count",
    "Blocks of 4 KiB of MQM that the queue has in use (MQSC0285I).",
)
WORK_BLOCKS: Final = _metric(
    "tpf_queue_swb_count",
    "System work blocks of the queue",
    "count",
    "System work blocks that the queue has in use (MQSC0285I).",
)
PUT: Final = _metric(
    "tpf_put_mib_per_s",
    "Message data put, all queues",
    "MiB/s",
    "Rate x length of the messages of all queues of the table; ten seconds of it are the least MQM "
    "(TPF-MQM-RATE).",
    SubjectKind.ztpf_system,
)
METRICS: Final = (DEPTH, BLOCKS, WORK_BLOCKS, PUT)
_FIGURES: Final = {
    ZtpfFigure.queue_depth_count: DEPTH,
    ZtpfFigure.queue_mqm_blocks: BLOCKS,
    ZtpfFigure.queue_swb_count: WORK_BLOCKS,
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
    gauges = [Gauge(metric.name, pl.col(str(figure))) for figure, metric in _FIGURES.items()]
    rate = Gauge(PUT.name, pl.col("put") / float(MIB_BYTES))
    return counted_once(
        union(
            [
                interval_rows(with_interval(of_queue), path("site", system, part("queue")), gauges),
                interval_rows(with_interval(of_system), path("site", system), [rate]),
            ]
        )
    )
