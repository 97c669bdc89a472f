"""Figures of z/TPF systems."""

from __future__ import annotations

from mqcap.domain.sampled.ztpf_figure import ZtpfFigure


def test_every_figure_has_its_unit_in_its_name() -> None:
    assert [figure for figure in ZtpfFigure if not figure.endswith(("_blocks", "_pct"))] == []
    assert len(ZtpfFigure) == 4
