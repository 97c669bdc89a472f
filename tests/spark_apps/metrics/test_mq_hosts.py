"""Hosts of distributed queue managers."""

from __future__ import annotations

from spark_apps.metrics import hosts
from tests.spark_apps.rows import levels, samples, sections

USER = {"figure": "host_cpu_user_pct", "host": "mq-1", "value": 20.0}
SYSTEM = {"figure": "host_cpu_system_pct", "host": "mq-1", "value": 5.0}


def test_a_host_counts_once_however_many_queue_managers_publish_it() -> None:
    rows = [{**row, "qmgr": qmgr} for row in (USER, SYSTEM) for qmgr in ("QM1", "QM2")]
    found = levels(hosts.hosts(samples(*rows)))
    assert found == {("host_cpu_busy_pct", "EAST/mq-1"): [25.0]}


def test_half_of_the_figure_is_none() -> None:
    other = {**SYSTEM, "qmgr": "QM2"}
    assert levels(hosts.hosts(samples(USER, other))) == {}


def test_free_ram_of_a_host_without_a_name_is_left_out() -> None:
    rows = (
        {"figure": "host_ram_free_pct", "host": host, "value": 58.0}
        for host in ("mq-1", "", "x" * 65)
    )
    found = levels(hosts.hosts(samples(*rows)))
    assert found == {("host_ram_free_pct", "EAST/mq-1"): [58.0]}


def test_a_time_that_the_site_sends_too_counts_once() -> None:
    sent = {"metric": "host_cpu_busy_pct", "subject": "EAST/mq-1", "value": 30.0}
    other = {**sent, "subject": "EAST/mq-2"}
    published = [{**row, "qmgr": "QM1"} for row in (USER, SYSTEM)]
    made = sections(qmgr_sample=published, site_sample=[sent, other])
    found = levels(hosts.hosts(made))
    assert found == {
        ("host_cpu_busy_pct", "EAST/mq-1"): [30.0],
        ("host_cpu_busy_pct", "EAST/mq-2"): [30.0],
    }
