"""Figures of distributed queue managers."""

from __future__ import annotations

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading

UNITS = ("_pct", "_count", "_bytes", "_us", "_mib", "_status")


def test_every_figure_has_its_unit_in_its_name() -> None:
    assert [figure for figure in QmgrFigure if not figure.endswith(UNITS)] == []


def test_a_scrape_is_no_counter_and_no_delta() -> None:
    assert list(SampleReading) == ["gauge", "delta", "scrape", "counter"]
