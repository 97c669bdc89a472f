"""How far work is and how long it will take."""

from __future__ import annotations

import pytest

from mqcap.progress.log_lines import LogLines
from mqcap.progress.work import Work, clock

LINES = LogLines(pytest.fail)


@pytest.mark.parametrize(
    ("done", "total", "remaining"),
    [(0, 12, None), (3, None, None), (3, 12, 180.0), (12, 12, 0.0), (13, 12, 0.0)],
)
def test_the_rest_takes_as_long_as_the_mean_so_far(
    done: float, total: float | None, remaining: float | None
) -> None:
    shown = Work("decode", LINES, total, "files", done, began_seconds=100.0)
    assert shown.remaining_seconds(160.0) == remaining


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (Work("size", LINES, None, "", 0, 100.0), "size: 0:01:00"),
        (Work("decode", LINES, 12, "files", 0, 100.0), "decode: 0 %, 0 of 12 files, 0:01:00"),
        (
            Work("decode", LINES, 12, "files", 3, 100.0),
            "decode: 25 %, 3 of 12 files, 0:01:00, about 0:03:00 more",
        ),
        (Work("decode", LINES, 0, "files", 0, 100.0), "decode: 0:01:00"),
    ],
)
def test_a_line_says_what_how_far_and_how_long(shown: Work, line: str) -> None:
    assert shown.line(160.0) == line


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00:00"), (59.6, "0:01:00"), (3_723, "1:02:03")]
)
def test_a_length_of_time_is_told_as_a_clock_does(seconds: float, text: str) -> None:
    assert clock(seconds) == text
