"""Logs that fill since archiving fails, and those that do not."""

from __future__ import annotations

import re
from typing import Final

import pytest

from devtools.simulator.events import ArchivingFailure
from tests.devtools.simulator.builders import steady
from tests.devtools.simulator.test_console import lines, texts

OF_LOGS: Final = re.compile(r"CSQJ(002I|11\d[AE]|139I)")


def test_a_failure_of_archiving_fills_all_logs_and_ends_with_the_next_offload() -> None:
    """6 logs of 1 GiB at 1 MiB/s at most: five switches without archiving, then none is free."""
    failure = ArchivingFailure(day_offset=0, start_local="04:00", minutes=10)
    made = lines(0, log_mib_per_s=steady(1.0), archiving_failures=(failure,))
    written = sorted(made, key=lambda line: (line.at_us, line.order))
    stated = [(line.at_us, match[0]) for line in written if (match := OF_LOGS.search(line.text))]
    names = [name for _, name in stated]
    full, failed = names.index("CSQJ111A"), names.index("CSQJ115E")
    assert names[failed - 1 : full + 1] == [
        *(["CSQJ002I", "CSQJ115E"] * 5),
        *(["CSQJ110E"] * 19),
        "CSQJ111A",
    ]
    assert names[full + 1 : full + 4] == ["CSQJ139I", "CSQJ002I", "CSQJ139I"]
    assert stated[full + 1][0] - stated[full][0] == 600_000_000
    assert stated[full + 2][0] - stated[full][0] == 601_000_000


@pytest.mark.parametrize(("active_logs", "count"), [(30, 1), (90, 0)])
def test_without_time_to_fill_all_logs_there_is_no_shortage(active_logs: int, count: int) -> None:
    failure = ArchivingFailure(day_offset=0, start_local="00:10")
    written = lines(
        log_mib_per_s=steady(1.0), active_logs=active_logs, archiving_failures=(failure,)
    )
    assert len(texts(written, "CSQJ111A")) == count
