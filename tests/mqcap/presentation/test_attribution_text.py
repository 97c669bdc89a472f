"""Why a figure grew, as a table of 80 columns and as one line."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.attribution import Attribution, GrowthPart, PartKind, Window
from mqcap.presentation.attribution_text import attribution_lines, growth_line, listed
from mqcap.presentation.why import growth_of_series
from tests.mqcap.lake.parts import CSQ1, FIRST, LAST, METRIC, growing_log


def answer(*parts: GrowthPart, then: float = 1.0, now: float = 1.21) -> Attribution:
    return Attribution(
        PartKind.queue,
        Window(FIRST, FIRST),
        Window(LAST, LAST),
        then,
        now,
        parts,
        (PartKind.queue,),
    )


def part(name: str, share: float | None, kind: PartKind = PartKind.queue) -> GrowthPart:
    growth = (share or 0) / 100
    return GrowthPart(name, kind, 1 + growth, 1.0, share)


def test_the_table_names_parts_values_and_shares(tmp_path: Path) -> None:
    growing_log(tmp_path)
    found = growth_of_series(tmp_path, METRIC, CSQ1, since=FIRST).attribution
    assert attribution_lines(found, METRIC, CSQ1, "MiB/s") == [
        "Log growth of PLEX1/CSQ1: 1.2 MiB/s, +0.2 since 1 Oct 2026.",
        "Means of 1 Oct to 7 Oct 2026 and of 24 Oct to 30 Oct 2026, by queue.",
        "Parts: persistent messages put (115.216) and the log bytes of MP16 for them.",
        "",
        "part                                kind               then        now     share",
        "PAY.IN                              queue               0.2        0.4     100 %",
        "ORDER.IN                            queue               0.5        0.5       0 %",
        "all others                          other               0.3        0.3       0 %",
        "",
        "Also by application: --by application.",
    ]


@pytest.mark.parametrize(("days_before", "is_stated"), [(-1, False), (0, False), (1, True)])
def test_parts_that_begin_after_the_day_asked_for_say_so(days_before: int, is_stated: bool) -> None:
    asked = FIRST - timedelta(days=days_before)
    lines = attribution_lines(answer(part("PAY.IN", 100.0)), METRIC, CSQ1, "MiB/s", asked)
    sentence = "Parts are known from 1 Oct 2026 on, not from 30 Sep 2026."
    assert (sentence in lines) is is_stated


def test_lines_have_at_most_80_columns_whatever_the_names() -> None:
    names = [letter * 48 for letter in "ABCDEFGHIJKLMN"]
    parts = [part(name, 100 / len(names)) for name in names]
    lines = attribution_lines(answer(*parts), METRIC, "PLEX1/CSQ1", "MiB/s")
    assert max(map(len, lines)) <= 80
    assert "A" * 16 + "..." + "A" * 16 in lines[5]
    assert "4 smaller parts" in lines[-1]


@pytest.mark.parametrize(("count", "rows"), [(9, 9), (10, 10), (11, 11), (12, 11)])
def test_ten_parts_are_listed_and_the_others_added_up(count: int, rows: int) -> None:
    found = listed(answer(*(part(f"Q{number}", float(number)) for number in range(count))))
    assert len(found) == rows


def test_the_line_of_a_mail_names_growth_day_and_largest_part() -> None:
    line = growth_line(answer(part("PAY.IN", 89.7), part("ORDER", 3.0)), "MiB/s")
    assert line == "of +0.21 MiB/s since 1 Oct, PAY.IN 90 %"


@pytest.mark.parametrize(
    ("share", "has_line"), [(None, False), (-5.0, False), (9.9, False), (10.0, True), (10.1, True)]
)
def test_a_part_below_a_tenth_of_the_growth_is_no_explanation(
    share: float | None, has_line: bool
) -> None:
    assert bool(growth_line(answer(part("PAY.IN", share)), "MiB/s")) is has_line


@pytest.mark.parametrize(
    ("now", "has_line"), [(90, False), (100.9, False), (101, False), (101.1, True)]
)
def test_a_figure_that_hardly_grew_is_not_explained(now: float, has_line: bool) -> None:
    assert bool(growth_line(answer(part("PAY.IN", 90), then=100, now=now), "MiB/s")) is has_line


def test_percentages_grow_by_points() -> None:
    assert growth_line(answer(part("A", 90), now=3), "%").startswith("of +2 points since 1 Oct")


def test_no_line_where_only_unnamed_parts_grew() -> None:
    assert growth_line(answer(part("others", 100, PartKind.other)), "MiB/s") == ""
