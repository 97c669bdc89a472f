"""Memory of 64-bit queues (MQM) of z/TPF systems, and the level at which it is swept."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.samples import counted_once, part, value_of, with_interval

ZTPF_SAMPLE: Final = "ztpf_sample"


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
        Gauge("tpf_mqm_used_pct", pl.when(blocks > 0).then(100 * in_use / blocks)),
        Gauge("tpf_mqm_high_water_pct", pl.when(blocks > 0).then(100 * high_water / blocks)),
        Gauge("tpf_mqm_in_use_blocks", in_use),
        Gauge("tpf_mqm_high_water_blocks", high_water),
        Gauge("tpf_mqm_blocks", blocks),
        Gauge("tpf_mqm_sweep_level_pct", pl.col(str(ZtpfFigure.sweep_level_pct))),
    ]
    return counted_once(interval_rows(reported, path("site", part("system")), figures))
