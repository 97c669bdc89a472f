"""Learnt unit costs as a table and as objects."""

from __future__ import annotations

import json

from mqcap.domain.numbers import ABSENT
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.presentation.unit_cost_text import (
    LABELS,
    UsedFigure,
    unit_cost_listing,
    unit_cost_object,
    unit_cost_rows,
    used_figure,
)
from tests.factories import DAY, unit_cost

WIDE = {"lower": 20.0, "upper": 180.0}


def test_a_certain_cost_is_used_then_that_of_the_book_then_none() -> None:
    assert used_figure(unit_cost()) is UsedFigure.learnt
    assert used_figure(unit_cost(**WIDE)) is UsedFigure.book
    assert used_figure(unit_cost(**WIDE, book=None)) is UsedFigure.none
    assert used_figure(unit_cost(shown_only="no rule counts them")) is UsedFigure.none


def test_a_row_has_the_learnt_figure_beside_that_of_the_book() -> None:
    [row] = unit_cost_rows([unit_cost()])
    assert (row.subject, row.label) == ("PLEX1/CSQ1/CHINIT", "31-bit storage per channel")
    assert row.learnt == "100 KiB (90 to 120 at 80 %)"
    assert (row.base, row.sample) == ("600 MiB", f"400 days to {DAY}, r 0.68")
    assert row.book.startswith("90 KiB (CHI-FOOTPRINT-MCA")
    assert row.notes == ("Storage is a sawtooth.",)


def test_a_cost_without_base_and_book_says_so() -> None:
    [row] = unit_cost_rows([unit_cost(base=None, book=None, **WIDE)])
    assert (row.base, row.book) == (ABSENT, ABSENT)
    assert row.notes[0].startswith("half of the interval is 80 %")


def test_the_table_names_what_is_not_used_and_each_caveat_once() -> None:
    listing = unit_cost_listing([unit_cost(), unit_cost(**WIDE)], "Unit costs")
    assert [row[0] for row in listing.rows] == ["learnt", "book"]
    assert listing.caption.count("Storage is a sawtooth.") == 1
    assert listing.caption.count("not used, since half of the interval is 80 %") == 1


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
