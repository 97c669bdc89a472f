"""Every sampled figure of z/OS and z/TPF becomes a metric, or a share of two does."""

from __future__ import annotations

import pytest

from mqcap.domain.sampled.figures import ZosFigure, ZtpfFigure
from spark_apps.catalogue import catalogue

METRICS = (*catalogue()["sampled.queue_managers"], *catalogue()["sampled.structures"])

COUNTS = {
    ZosFigure.buffers_total_count,
    ZosFigure.buffers_free_count,
    ZosFigure.pages_total_count,
    ZosFigure.pages_unused_count,
}


@pytest.mark.parametrize("figure", sorted(set(ZosFigure) - COUNTS))
def test_each_figure_has_its_metric(figure: ZosFigure) -> None:
    [metric] = [each for each in METRICS if each.name == f"odp_{figure}"]
    units = {"pct": "%", "count": "count", "s": "count/s"}
    assert metric.unit == units[figure.rpartition("_")[2]]
    assert (metric.ceiling == 100.0) is figure.endswith("_pct")


def test_counts_have_none_of_their_own() -> None:
    assert len(METRICS) == len(ZosFigure) - len(COUNTS)
    assert all(figure.endswith("_count") for figure in COUNTS)


def test_every_figure_has_its_unit_in_its_name() -> None:
    units = ("_blocks", "_pct", "_count", "_bytes_per_s")
    assert [figure for figure in ZtpfFigure if not figure.endswith(units)] == []
