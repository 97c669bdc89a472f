"""Learnt unit costs as a table and as objects."""

from __future__ import annotations

import json

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.domain.unit_cost import BookValue, UnitCostKind
from mqcap.presentation.unit_cost_text import (
    LABELS,
    notes,
    unit_cost_listing,
    unit_cost_object,
    unit_cost_row,
    used_figure,
)
from tests.factories import DAY, unit_cost

WIDE = {"lower": 20.0, "upper": 180.0}


def test_a_certain_cost_is_used_then_that_of_the_book_then_none() -> None:
    assert used_figure(unit_cost()) == "learnt"
    assert used_figure(unit_cost(**WIDE)) == "book"
    assert used_figure(unit_cost(**WIDE, book=None)) == "none"
    assert used_figure(unit_cost(shown_only="no rule counts them")) == "none"


def test_a_row_has_the_learnt_figure_beside_that_of_the_book() -> None:
    *cells, book = unit_cost_row(unit_cost()).values()
    assert cells == [
        "learnt", "PLEX1/CSQ1/CHINIT", "31-bit storage per channel", "100 KiB (90 to 120 at 80 %)",
        "600 MiB", f"400 days to {DAY}, r 0.68",
    ]  # fmt: skip
    assert book.startswith("90 KiB (CHI-FOOTPRINT-MCA")
    assert notes(unit_cost()) == ("Storage is a sawtooth.",)


def test_a_cost_without_base_and_book_says_so() -> None:
    cost = unit_cost(base=None, book=None, **WIDE)
    row = unit_cost_row(cost)
    assert (row["base"], row["MP16"]) == (ABSENT, ABSENT)
    assert notes(cost)[0].startswith("Not used: half of the interval is 80 %")


def test_the_table_names_what_is_not_used_and_each_caveat_once() -> None:
    other = unit_cost(subject="PLEX1/CSQ2/CHINIT", **WIDE)
    listing = unit_cost_listing([unit_cost(), other], "Unit costs")
    assert [row[0] for row in listing.rows] == ["learnt", "book"]
    assert listing.caption.splitlines()[1:] == [
        "31-bit storage per channel, all of them: Storage is a sawtooth.",
        (
            "31-bit storage per channel, PLEX1/CSQ2/CHINIT: Not used: half of the interval is "
            "80 % of the value, at most 25 % is allowed."
        ),
    ]


def test_a_note_names_whose_it_is() -> None:
    costs = [
        unit_cost(subject=f"PLEX1/{name}", caveats=(f"The mean message has {size} bytes.",))
        for name, size in (("CSQ1", 100), ("CSQ2", 200), ("CSQ3", 100))
    ]
    assert unit_cost_listing(costs, "Unit costs").caption.splitlines()[1:] == [
        "31-bit storage per channel, PLEX1/CSQ1 PLEX1/CSQ3: The mean message has 100 bytes.",
        "31-bit storage per channel, PLEX1/CSQ2: The mean message has 200 bytes.",
    ]
    [line] = unit_cost_listing(costs[:1], "Unit costs").caption.splitlines()[1:]
    assert line.startswith("31-bit storage per channel, PLEX1/CSQ1: The mean")


@pytest.mark.parametrize(
    ("lower", "words"),
    [(119.9, "119.9 to 120 at 80 %"), (119.99999, "no spread seen"), (120.0, "no spread seen")],
)
def test_an_interval_without_width_is_no_certainty(lower: float, words: str) -> None:
    assert unit_cost_row(unit_cost(lower=lower))["learnt"] == f"100 KiB ({words})"


@pytest.mark.parametrize(
    ("value", "is_far"), [(29.9, True), (30.0, False), (270.0, False), (270.1, True)]
)
def test_a_figure_beyond_three_times_the_book_is_to_be_checked(value: float, is_far: bool) -> None:
    cost = unit_cost(value=value, lower=value - 1, upper=value + 1)
    row = unit_cost_row(cost)
    assert ("CHECK: learnt is" in row["MP16"]) is is_far
    assert any(note.startswith("Check: the learnt figure is") for note in notes(cost)) is is_far
    assert row["used"] == "learnt"


@pytest.mark.parametrize(("value", "words"), [(9.0, "1/10 of MP16's"), (900.0, "10 x MP16's")])
def test_the_distance_from_the_book_is_a_multiple_of_either(value: float, words: str) -> None:
    assert unit_cost(value=value, lower=value, upper=value).far_from_book == words


@pytest.mark.parametrize(("value", "is_far"), [(0.1, False), (87.0, False), (87.1, True)])
def test_a_request_may_cost_less_than_a_message_and_not_much_more(
    value: float, is_far: bool
) -> None:
    message = BookValue(value=29, unit="us per message", rule="CF-CF-COST", citation="MP16")
    cost = unit_cost(value=value, lower=value, upper=value, unit="us", book=message)
    assert bool(cost.far_from_book) is is_far


def test_what_is_not_measurable_has_no_figure() -> None:
    reason = "cost and work do not rise together: the interval reaches 0 or less"
    cost = unit_cost(value=-1.4, lower=-2.0, upper=1.0, not_measurable=reason)
    row = unit_cost_row(cost)
    shown = row["used"], row["learnt"], row["base"]
    assert shown == ("book", "not measurable", ABSENT)
    assert notes(cost)[0] == f"Not measurable: {reason}."
    assert cost.far_from_book == ""
    document = unit_cost_object(cost)
    assert {document[name] for name in ("value", "lower", "upper", "base")} == {None}
    assert document["not_measurable"] == document["why_not_used"] == reason
    assert used_figure(cost.model_copy(update={"book": None})) == "none"


@pytest.mark.parametrize(("base", "shown"), [(-0.5, "0 MiB"), (0.0, "0 MiB"), (0.5, "0.5 MiB")])
def test_a_base_below_nothing_is_nothing(base: float, shown: str) -> None:
    assert unit_cost_row(unit_cost(base=base))["base"] == shown


def test_an_object_has_the_figures_that_programs_read() -> None:
    document = json.loads(json.dumps(unit_cost_object(unit_cost()), allow_nan=False))
    keys = {
        "subject", "cost", "used", "value", "lower", "upper", "unit", "base", "sample_count",
        "last_date", "book", "caveats",
    }  # fmt: skip
    assert keys <= document.keys()
    assert (document["cost"], document["used"]) == ("chinit_31bit_kib_per_channel", "learnt")


def test_every_kind_has_a_label() -> None:
    assert set(LABELS) == set(UnitCostKind)
