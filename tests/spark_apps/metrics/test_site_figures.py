"""Series of site figures, beside those of queue managers."""

from __future__ import annotations

from mqcap.domain.distributed.site_figure import KNOWN
from spark_apps.metrics import site_figures
from spark_apps.site_figure_placement import known_metrics
from tests.spark_apps.rows import levels, sections


def test_every_known_figure_is_a_metric_of_its_name_and_unit() -> None:
    measured = [each for each in known_metrics() if not each.lowest_of]
    declared = [(each.name, each.unit) for each in measured]
    assert declared == [(each.name, each.unit) for each in KNOWN]


def test_what_queue_managers_publish_too_is_left_to_their_metrics() -> None:
    rows = [
        {"metric": name, "subject": "EAST/mq1", "value": 3.0}
        for name in ("host_cpu_busy_pct", "mq_lock_wait_pct", "site_pool")
    ]
    found = levels(site_figures.intervals(sections(site_sample=rows)))
    assert found == {("site_pool", "EAST/mq1"): [3.0]}
