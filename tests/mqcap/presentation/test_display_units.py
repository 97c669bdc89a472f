"""Dates, units, counts and labels as they are shown; lists and tables of the terminal."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import ABSENT
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.layout import metric_catalogue_path
from mqcap.presentation import dates, display_units, labels
from mqcap.presentation.display_units import DisplayZones, Scale
from mqcap.presentation.feed_text import data_words
from mqcap.presentation.listing import Listing, terminal
from mqcap.settings import Settings
from tests.factories import differing_sources, feed_day

MOMENT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
DAY = date(2026, 1, 31)
EARLY = datetime(2026, 1, 5, 6, 14, tzinfo=UTC)


def test_log_growth_is_scaled_to_the_unit_of_planners_and_nothing_else_is() -> None:
    assert display_units.scale("MiB/s") == Scale(3_600, "MB/hour")
    assert display_units.scale("%") == Scale(1.0, "%")


def test_an_instant_keeps_its_value_in_a_local_zone() -> None:
    local = DisplayZones(zone="Europe/Berlin").at(MOMENT)
    assert local == MOMENT
    assert f"{local:%Y-%m-%d %H:%M}" == "2026-07-02 00:30"
    assert DisplayZones().at(MOMENT).tzinfo is UTC


def test_a_choice_ends_with_its_context_and_is_inherited_by_its_threads() -> None:
    def request() -> DisplayZones:
        display_units.use(display_units.DisplayZones(always_utc=True))
        with ThreadPoolExecutor() as pool:
            return pool.submit(copy_context().run, display_units.current).result()

    assert copy_context().run(request).always_utc
    assert display_units.current() == DisplayZones()


def test_an_instant_names_its_zone() -> None:
    assert dates.instant(EARLY) == "5 Jan 2026 06:14 UTC"
    assert dates.instant(None) == ABSENT
    assert dates.span(EARLY, EARLY.replace(hour=7, minute=2)) == "06:14 to 07:02 UTC"


def test_an_instant_is_in_the_zone_of_the_sysplex_that_it_is_about() -> None:
    settings = Settings.model_validate({
        "site": {"timezone": "Europe/Copenhagen"},
        "estate": [{"sysplex": "PLEX2", "timezone": "America/New_York"}],
    })  # fmt: skip
    display_units.use_zones_of(settings)
    assert dates.instant(EARLY) == "5 Jan 2026 07:14 CET"
    assert dates.instant(EARLY, "PLEX1/CSQ1") == "5 Jan 2026 07:14 CET"
    assert dates.instant(EARLY, "PLEX2/CSQ9") == "5 Jan 2026 01:14 EST"
    assert dates.span(EARLY, EARLY, "PLEX2/CSQ9") == "01:14 to 01:14 EST"
    display_units.use_zone_of_subject("PLEX2/CSQ9")
    assert dates.instant(EARLY) == "5 Jan 2026 01:14 EST"
    display_units.use(display_units.DisplayZones(always_utc=True))
    display_units.use_zones_of(settings)
    assert dates.instant(EARLY, "PLEX2/CSQ9") == "5 Jan 2026 06:14 UTC"


def test_a_day_has_no_leading_zeros_and_a_near_one_its_year_only_when_it_is_another() -> None:
    assert dates.day_words(date(2026, 1, 5)) == "Mon 5 Jan 2026"
    assert dates.short_day(date(2026, 1, 5)) == "5 Jan 2026"
    assert dates.near_day(date(2026, 12, 5), DAY) == "5 Dec"
    assert dates.near_day(date(2027, 1, 3), DAY) == "3 Jan 2027"


def test_feeds_that_lack_records_and_sources_that_differ_are_counted_apart() -> None:
    assert data_words([]) == ""
    assert data_words([feed_day()]) == "1 feed of records incomplete"
    assert data_words([differing_sources()]) == "1 figure differs between two sources"
    assert data_words([feed_day(), differing_sources(), differing_sources("PLEX1/CSQ2")]) == (
        "1 feed of records incomplete, 2 figures differ between two sources"
    )


def test_everything_that_is_listed_has_a_label() -> None:
    assert set(labels.SEVERITY_LABELS) == set(labels.SEVERITY_SIGNS) == set(Severity)
    assert set(labels.CLASS_LABELS) == set(SystemClass)
    assert all(map(labels.kind_label, SubjectKind))
    assert labels.kind_label("buffer_pool") == "Buffer pool"


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("log_growth_mib_per_s", "Log growth"),
        ("page_set_used_pct", "Page set used"),
        ("cf_busy_pct", "CF busy"),
        ("buffer_pool_io_count", "Buffer pool I/O"),
        ("strange", "Strange"),
    ],
)
def test_a_metric_of_an_older_release_is_named_without_its_unit(metric: str, label: str) -> None:
    assert labels.metric_label(metric) == label


def test_a_declared_label_counts_in_the_context_that_took_it(tmp_path: Path) -> None:
    catalogue = [{"name": "cf_busy_pct", "label": "CF processor busy"}, {"name": "old_pct"}]
    metric_catalogue_path(tmp_path).write_text(json.dumps(catalogue), encoding="utf-8")

    def report() -> tuple[str, str]:
        labels.use_metric_labels(metric_catalogue(tmp_path))
        return labels.metric_label("cf_busy_pct"), labels.metric_label("old_pct")

    assert copy_context().run(report) == ("CF processor busy", "Old")
    assert labels.metric_label("cf_busy_pct") == "CF busy"
    metric_catalogue_path(tmp_path).unlink()
    assert copy_context().run(report) == ("CF busy", "Old")


def test_a_sentence_begins_with_a_capital_letter() -> None:
    assert labels.as_sentence("archiving of CSQ1 failed") == "Archiving of CSQ1 failed"
    assert (labels.as_sentence("4.1 h of 12 h"), labels.as_sentence("")) == ("4.1 h of 12 h", "")


ROW = (
    "act", "PLEX1/CSQ3/CHINIT", "CHI-ADAPTER-UNUSED", "88.13 %; now 73.68 %",
    "at the limit since 2025-10-18",
)  # fmt: skip
HEADINGS = ("severity", "subject", "rule", "observed", "date")
ONE_LINE = 8 + 17 + 18 + 20 + 29 + 4 * 2


def listing(*rows: tuple[str, ...], caption: str = "2 checks in order.") -> Listing:
    return Listing("Title", HEADINGS, rows, caption, {"act": "red"}, name_count=2)


def printed(of: Listing, width: int, *, colour: bool = False) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=colour)
    console.print(of, crop=False)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(("width", "count"), [(ONE_LINE - 1, 2), (ONE_LINE, 1), (ONE_LINE + 1, 1)])
def test_a_row_is_one_line_where_it_fits(width: int, count: int) -> None:
    lines = printed(listing(ROW), width).splitlines()
    assert len(lines) == len(["title", "", "headings"]) + count + len(["", "caption"])


def test_a_row_that_fits_has_its_cells_below_their_headings() -> None:
    title, _, headings, row, _, caption = printed(listing(ROW), ONE_LINE).splitlines()
    assert (title, caption) == ("Title", "2 checks in order.")
    assert [headings.index(heading) for heading in HEADINGS] == [row.index(cell) for cell in ROW]


def test_a_row_that_does_not_fit_is_a_block_with_its_names_first() -> None:
    assert printed(listing(ROW), 60).splitlines()[2:5] == [
        "act  PLEX1/CSQ3/CHINIT  CHI-ADAPTER-UNUSED",
        "     observed 88.13 %; now 73.68 %",
        "     date at the limit since 2025-10-18",
    ]


def test_cells_of_a_block_share_a_line_where_they_fit() -> None:
    lines = printed(listing(("act", "CSQ1", "R", "5", "now")), 20).splitlines()
    assert lines[2:5] == ["act  CSQ1  R", "     observed 5", "     date now"]
    lines = printed(listing(("act", "C" * 30, "R", "5", "now")), 30).splitlines()
    assert lines[3] == f"{' ' * 5}observed 5  date now"


@given(
    st.lists(
        st.tuples(*[st.text("AB-/() %.", min_size=1, max_size=30)] * len(HEADINGS)), max_size=4
    ),
    st.integers(1, 120),
)
def test_no_word_is_broken_or_lost(rows: list[tuple[str, ...]], width: int) -> None:
    words = set(printed(listing(*rows), width).split())
    assert {word for row in rows for cell in row for word in cell.split()} <= words


def test_nothing_is_lost_of_a_listing_without_rows() -> None:
    assert printed(listing(), 80) == "Title\n\n2 checks in order.\n"


def test_a_pipe_has_no_escape_sequence_and_a_terminal_the_colour_of_the_state() -> None:
    assert "\x1b" not in printed(listing(ROW), 200)
    assert "\x1b[31mact\x1b[0m" in printed(listing(ROW), 200, colour=True)


def test_a_title_that_is_longer_than_the_line_is_wrapped_between_words() -> None:
    long = Listing("a title of words", HEADINGS, (), "", {}, name_count=2)
    assert printed(long, 10).splitlines()[:2] == ["a title of", "words"]


@pytest.mark.parametrize("name", [":bomb:", "[red]CSQ1[/red]", "[/]", "CSQ1 1,024 'x' None"])
def test_a_name_is_neither_an_emoji_nor_markup_nor_coloured(name: str) -> None:
    assert printed(Listing(name, HEADINGS, ()), 80).splitlines()[0] == name


@pytest.mark.parametrize(("text", "shown"), [("\x1b[2JCSQ1", "?[2JCSQ1"), ("\x9b31m", "?31m")])
def test_a_control_sequence_has_no_effect(text: str, shown: str) -> None:
    assert printed(Listing(text, HEADINGS, ()), 80).splitlines()[0] == shown


def test_errors_go_to_the_other_stream(capsys: pytest.CaptureFixture[str]) -> None:
    terminal(stderr=True).print("wrong")
    terminal().print("right")
    assert capsys.readouterr() == ("right\n", "wrong\n")
