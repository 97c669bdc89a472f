"""Displays and console of a z/TPF system: stamps, blocks, one line per sweep."""

from __future__ import annotations

import itertools
import re

import pytest

from devtools.simulator.site.site_figures import SiteZtpfFigures, ztpf_figures
from devtools.simulator.site.site_files import console, displays
from mqcap.ingest.capture_stamp import keyword, stamp_utc
from tests.devtools.simulator.site.builders import site_spec, span


@pytest.fixture(scope="module")
def made() -> SiteZtpfFigures:
    [system] = ztpf_figures(site_spec(), span())
    return system


def test_a_display_has_the_blocks_of_its_time(made: SiteZtpfFigures) -> None:
    text = displays(made, 20, 22)
    first, second = text.split("NOW(")[1:]
    assert first.startswith("2026-10-17T10:30:00+0200) SYSTEM(TPF1)\nMQSC0283I 10.30.00 ")
    assert second.startswith("2026-10-17T11:00:00+0200)")
    figures = dict(re.findall(r"^ +(.+?) - (.+)$", first, re.MULTILINE))
    assert figures["Total MQM"] == "100000"
    assert figures["In Use MQM"] == str(made.in_use_blocks[20])
    assert figures["HW In Use Count MQM"] == str(made.high_water_blocks[20])
    assert figures["MQMSWPL (%)"] == "80"
    assert first.rstrip().endswith("END OF DISPLAY+")


def test_the_time_of_the_high_water_mark_is_when_it_was_first_that_high(
    made: SiteZtpfFigures,
) -> None:
    low = int(made.in_use_blocks.argmax())
    text = displays(made, low + 3, low + 4)
    figures = dict(re.findall(r"^ +(.+?) - (.+)$", text, re.MULTILINE))
    [peak] = displays(made, low, low + 1).splitlines()[:1]
    stamp = keyword("NOW", peak)
    assert stamp is not None
    assert figures["HW In Use Time MQM"] == stamp[:19].replace("T", " ")


def test_a_day_of_the_console_has_its_date_once_and_a_line_per_sweep(made: SiteZtpfFigures) -> None:
    head, *lines = console(made, 0, 48).splitlines()
    assert head == "NOW(2026-10-17T00:00:00+0200) SYSTEM(TPF1)"
    assert len(lines) == made.sweeps[:48].sum() > 10
    found = [re.fullmatch(r"MQSC0801I (\S+) SWEEP FOR (\S+) COMPLETED\+", line) for line in lines]
    times = [line[1] for line in found if line]
    assert times == sorted(times)
    assert len(times) == len(lines)
    assert {line[2] for line in found if line} == {"RES.IN", "TKT.OUT"}


def test_stamps_across_the_change_of_clocks_tell_every_half_hour(made: SiteZtpfFigures) -> None:
    stamps = [
        stamp_utc(keyword("NOW", line) or "")
        for line in displays(made, len(made.grid) - 50, len(made.grid)).splitlines()
        if line.startswith("NOW(")
    ]
    steps = {after - before for before, after in itertools.pairwise(stamps)}
    assert [step.total_seconds() for step in steps] == [1_800]
