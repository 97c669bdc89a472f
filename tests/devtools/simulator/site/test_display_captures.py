"""Captures of DISPLAY commands, stamped with the time of the site."""

from __future__ import annotations

from devtools.simulator.site.manager_inputs import display_captures
from devtools.simulator.site.site_figures import FigureSlice
from tests.devtools.simulator.site.builders import figures


def test_a_capture_is_stamped_with_local_time_and_its_offset() -> None:
    lines = display_captures(FigureSlice(figures(), 0, 1)).splitlines()
    assert lines[0].startswith("QMNAME(PAY.QM)  ")
    assert lines[0].endswith("STATUS(RUNNING) NOW(2026-10-17T00:30:00+0200)")


def test_attributes_are_in_two_columns() -> None:
    lines = display_captures(FigureSlice(figures(), 0, 1)).splitlines()
    [of_qmgr] = [line for line in lines if "TYPE(QMGR)" in line]
    assert of_qmgr == f"   {'QMNAME(PAY.QM)':<40}TYPE(QMGR)"
    [of_queue] = [line for line in lines if "MAXDEPTH" in line]
    assert of_queue == f"   {'DEFTYPE(PREDEFINED)':<40}MAXDEPTH(1000)"


def test_of_a_queue_manager_that_is_down_there_is_only_the_stamp() -> None:
    made = figures()
    down = int((~made.is_up).nonzero()[0][0])
    [line] = display_captures(FigureSlice(made, down, down + 1)).splitlines()
    assert "STATUS(ENDED NORMALLY) NOW(2026-10-25T" in line
