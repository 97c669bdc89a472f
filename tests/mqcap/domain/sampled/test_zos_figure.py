"""Every sampled figure of a queue manager on z/OS becomes a metric of its unit."""

from __future__ import annotations

import pytest

from mqcap.domain.sampled.zos_figure import ZosFigure
from spark_apps.metrics.odp_samples import METRICS


@pytest.mark.parametrize("figure", ZosFigure)
def test_each_figure_has_its_metric(figure: ZosFigure) -> None:
    [metric] = [each for each in METRICS if each.name == f"odp_{figure}"]
    assert metric.unit == {"pct": "%", "count": "count"}[figure.rpartition("_")[2]]
    assert (metric.ceiling == 100.0) is figure.endswith("_pct")
