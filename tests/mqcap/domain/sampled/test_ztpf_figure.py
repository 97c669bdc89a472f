"""Figures of z/TPF systems."""

from __future__ import annotations

from mqcap.domain.sampled.figures import ZtpfFigure


def test_every_figure_has_its_unit_in_its_name() -> None:
    units = ("_blocks", "_pct", "_count", "_bytes_per_s")
    assert [figure for figure in ZtpfFigure if not figure.endswith(units)] == []
