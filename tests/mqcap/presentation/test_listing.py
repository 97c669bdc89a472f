"""Lists and tables of the terminal."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mqcap.presentation.listing import Listing, terminal

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
