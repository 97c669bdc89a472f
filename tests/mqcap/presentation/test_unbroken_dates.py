"""Text in which no line breaks inside a date."""

from __future__ import annotations

from mqcap.presentation.unbroken_dates import unbroken_dates


def test_each_date_is_kept_on_one_line_and_the_rest_is_escaped() -> None:
    assert unbroken_dates("<b> from 2026-01-05 to 2027-11-30") == (
        '&lt;b&gt; from <span class="nowrap">2026-01-05</span> to '
        '<span class="nowrap">2027-11-30</span>'
    )


def test_text_without_a_date_is_as_it_was() -> None:
    assert unbroken_dates("by 5 Dec, 2026-1-05") == "by 5 Dec, 2026-1-05"
