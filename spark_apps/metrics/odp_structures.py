"""Structures of coupling facilities in near real time, as a monitor of queue managers samples them.

A queue sharing group names its structures and not the coupling facility that holds them. Hours in
which SMF 74.4 has the structure, in whichever facility, are left out.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.sampled.zos_figure import ZosFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import counted_once, value_of, with_interval
from spark_apps.transforms.source_precedence import where_lacking

ZOS_SAMPLE: Final = "zos_sample"
R744S: Final = "section_r744s"
_FIGURES: Final = {
    ZosFigure.structure_entries_used_pct: "odp_structure_entries_used_pct",
    ZosFigure.structure_storage_used_pct: "odp_structure_storage_used_pct",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, structure and sample; members that sampled at one time count once.

    Of members that report different shares at one time the highest counts.
    """
    at_one_time = with_interval(
        sections[ZOS_SAMPLE]
        .filter(pl.col("figure").is_in([str(figure) for figure in _FIGURES]))
        .group_by("sysplex", "object", "reported_utc", "file_sha256")
        .agg(pl.col("step_seconds").max(), *map(value_of, _FIGURES))
    )
    figures = [Gauge(metric, pl.col(str(figure))) for figure, metric in _FIGURES.items()]
    rows = interval_rows(at_one_time, _subject("object"), figures)
    return where_lacking(_measured(sections), counted_once(rows))


def _subject(structure: str) -> pl.Expr:
    """Return sysplex, group and structure; the name of a short group is padded in the name."""
    group = pl.col(structure).str.slice(0, GROUP_NAME_LENGTH).str.strip_chars_end("@")
    return path("sysplex", group, structure)


def _measured(sections: Sections) -> pl.LazyFrame:
    """Return the intervals in which SMF has what is sampled; their level is 0."""
    level = [Gauge(metric, pl.lit(0.0)) for metric in _FIGURES.values()]
    return union([interval_rows(sections[R744S], _subject("r744snam"), level)])
