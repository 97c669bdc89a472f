"""Why a figure grew, as a table of 80 columns and as one line."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.attribution import Attribution, GrowthPart, PartKind, Window
from mqcap.presentation.attribution_text import (
    Asked,
    attribution_lines,
    listed,
    weekdays_text,
)
from mqcap.queries.why import growth_of_series
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


def test_the_table_names_parts_values_changes_and_shares(tmp_path: Path) -> None:
    growing_log(tmp_path)
    found = growth_of_series(tmp_path, METRIC, CSQ1, since=FIRST).attribution
    assert attribution_lines(found, METRIC, CSQ1, "MiB/s") == [
        "Log growth of PLEX1/CSQ1: 4,320 MB/hour, +720 (+20 %) since 1 Oct 2026.",
        "Means of 1 Oct to 7 Oct 2026 and of 24 Oct to 30 Oct 2026, by queue.",
        "Parts: persistent messages put (115.216) and the log bytes of MP16 for them.",
        "",
        "part        kind   then   now    change  share",
        "PAY.IN      queue  720    1,440  +720    100 %",
        "ORDER.IN    queue  1,800  1,800  +0      0 %",
        "all others  other  1,080  1,080  +0      0 %",
        "",
        "Also by application: --by application.",
    ]


def test_where_a_figure_hardly_changed_the_table_has_changes_and_no_shares() -> None:
    small = GrowthPart("PAY.IN", PartKind.queue, 1.01, 1.0, None)
    lines = attribution_lines(answer(small, now=1.01), METRIC, CSQ1, "MiB/s")
    assert "It hardly changed, so parts have a change and no share in it." in lines
    assert lines[-2].endswith("  change")
    assert lines[-1].endswith("  +36")


@pytest.mark.parametrize(("rest", "has_table"), [(0.49, True), (0.5, True), (0.51, False)])
def test_where_more_than_half_is_unexplained_a_sentence_is_in_place_of_the_table(
    rest: float, has_table: bool
) -> None:
    unexplained = GrowthPart("unexplained", PartKind.unexplained, 100 * rest, 30.0, 50.0)
    made = answer(part("CHANNEL", 50), unexplained, then=60, now=100)
    lines = attribution_lines(made, "chinit_31bit_used_mib", CSQ1, "MiB")
    assert any(line.startswith("part ") for line in lines) is has_table
    sentence = "No parts are listed: they add up to 49 MiB of 100 MiB, and the records do not show"
    assert any(line.startswith(sentence) for line in lines) is not has_table


def test_days_of_the_week_are_named_where_not_all_are_compared() -> None:
    made = answer(part("PAY.IN", 100))
    assert weekdays_text(made) == ""
    fridays = made._replace(weekdays=(3, 4))
    assert weekdays_text(fridays) == "Compared are the days that both have: Thu, Fri."
    assert weekdays_text(fridays) in attribution_lines(fridays, METRIC, CSQ1, "MiB/s")


def test_a_percentage_that_was_asked_for_is_named_beside_what_is_measured() -> None:
    asked = Asked("chinit_31bit_used_pct")
    lines = attribution_lines(answer(part("A", 1)), "chinit_31bit_used_mib", CSQ1, "MiB", asked)
    assert lines[1].endswith(", which was asked for, is a percentage of it.")
    same = Asked("chinit_31bit_used_mib")
    made = answer(part("A", 1))
    assert lines[1] not in attribution_lines(made, "chinit_31bit_used_mib", CSQ1, "MiB", same)


@pytest.mark.parametrize(("days_before", "is_stated"), [(-1, False), (0, False), (1, True)])
def test_parts_that_begin_after_the_day_asked_for_say_so(days_before: int, is_stated: bool) -> None:
    asked = FIRST - timedelta(days=days_before)
    made = answer(part("PAY.IN", 100.0))
    lines = attribution_lines(made, METRIC, CSQ1, "MiB/s", Asked(METRIC, asked))
    sentence = "Parts are known from 1 Oct 2026 on, not from 30 Sep 2026."
    assert (sentence in lines) is is_stated


def test_lines_have_at_most_80_columns_whatever_the_names() -> None:
    names = [letter * 48 for letter in "ABCDEFGHIJKLMN"]
    parts = [part(name, 100 / len(names)) for name in names]
    lines = attribution_lines(answer(*parts), METRIC, "PLEX1/CSQ1", "MiB/s")
    assert max(map(len, lines)) <= 80
    assert "A" * 13 + "..." + "A" * 12 in lines[5]
    assert "4 smaller parts" in lines[-1]


@pytest.mark.parametrize(("count", "rows"), [(9, 9), (10, 10), (11, 11), (12, 11)])
def test_ten_parts_are_listed_and_the_others_added_up(count: int, rows: int) -> None:
    found = listed(answer(*(part(f"Q{number}", float(number)) for number in range(count))))
    assert len(found) == rows
