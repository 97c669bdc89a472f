"""Memory of 64-bit queues (MQM) of z/TPF systems, and the level at which it is swept."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.samples import counted_once, part, value_of, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"


def _metric(
    name: str, label: str, unit: str, description: str, *, forecast: bool = False
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.ztpf_system,
        description=description,
        reads=(ZTPF_SAMPLE,),
        forecast=forecast,
        ceiling=100.0 if unit == "%" else None,
    )


USED_PCT: Final = _metric(
    "tpf_mqm_used_pct", "MQM in use", "%", "Blocks of MQM in use, of those allocated."
)
HIGH_WATER_PCT: Final = _metric(
    "tpf_mqm_high_water_pct",
    "High water of MQM",
    "%",
    "Most blocks of MQM in use since the last IPL, of those allocated; it never falls.",
)
IN_USE: Final = _metric(
    "tpf_mqm_in_use_blocks",
    "MQM blocks in use",
    "count",
    "Blocks of 4 KiB in use; more MQM does not make it fall.",
    forecast=True,
)
HIGH_WATER: Final = _metric(
    "tpf_mqm_high_water_blocks",
    "High water of MQM blocks",
    "count",
    "Most blocks of 4 KiB in use since the last IPL; it never falls.",
)
TOTAL: Final = _metric(
    "tpf_mqm_blocks",
    "MQM blocks",
    "count",
    "Blocks of 4 KiB allocated, at the times of the figures.",
)
SWEEP_LEVEL: Final = _metric(
    "tpf_mqm_sweep_level_pct", "Sweep level of MQM", "%", "MQMSWPL, at which sweeping starts."
)
METRICS: Final = (USED_PCT, HIGH_WATER_PCT, IN_USE, HIGH_WATER, TOTAL, SWEEP_LEVEL)


def intervals(sections: Sections) -> pl.LazyFrame:
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
        Gauge(USED_PCT.name, pl.when(blocks > 0).then(100 * in_use / blocks)),
        Gauge(HIGH_WATER_PCT.name, pl.when(blocks > 0).then(100 * high_water / blocks)),
        Gauge(IN_USE.name, in_use),
        Gauge(HIGH_WATER.name, high_water),
        Gauge(TOTAL.name, blocks),
        Gauge(SWEEP_LEVEL.name, pl.col(str(ZtpfFigure.sweep_level_pct))),
    ]
    return counted_once(interval_rows(reported, path("site", part("system")), figures))
