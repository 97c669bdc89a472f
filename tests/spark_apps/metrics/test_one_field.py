"""Metrics that are one field of a section, and series of site figures."""

from mqcap.domain.distributed.site_figure import KNOWN
from spark_apps.metrics import one_field, site_figures
from spark_apps.site_figure_placement import known_metrics
from tests.spark_apps.rows import levels, records, sections


def test_an_amount_per_hour_is_counted_in_the_interval() -> None:
    rows = one_field.intervals(sections(section_qjst=[{"qjstwtb": 90, "qjstllcp": 3}]))
    assert {row.metric: (row.subject, row.level, row.amount) for row in records(rows)} == {
        "log_buffer_wait_count": ("PLEX1/CSQ1", 180.0, 90),
        "log_checkpoints_per_h": ("PLEX1/CSQ1", 6.0, 3),
    }


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
