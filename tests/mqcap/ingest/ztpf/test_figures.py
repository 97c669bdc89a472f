"""Figures of z/TPF systems of one file."""

from __future__ import annotations

import pytest

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S
from mqcap.ingest.text_reading import Omissions
from mqcap.ingest.ztpf.figures import ZtpfFigures

TOTAL, IN_USE = ZtpfFigure.mqm_total_blocks, ZtpfFigure.mqm_in_use_blocks
FIRST_US = 1_783_500_000 * US_PER_S


@pytest.mark.parametrize(("in_use", "count"), [(99, 2), (100, 2), (101, 1)])
def test_more_than_the_total_is_left_out(in_use: float, count: int) -> None:
    figures = ZtpfFigures("f" * 64, Omissions())
    figures.take("TPF1", "", FIRST_US, {TOTAL: 100.0, IN_USE: in_use})
    assert sum(made.num_rows for _, made in figures.tables()) == count
    assert bool(figures.left_out) is (count < 2)


def test_a_repeated_figure_of_one_time_counts_once_and_displays_have_their_step() -> None:
    figures = ZtpfFigures("f" * 64, Omissions())
    for minutes in (0, 15, 15, 30):
        figures.take_display("TPF1", "", FIRST_US + minutes * 60 * US_PER_S, {IN_USE: 5.0})
    [(_, table)] = figures.tables()
    assert table.column("step_seconds").to_pylist() == [900.0, 900.0, 900.0]
