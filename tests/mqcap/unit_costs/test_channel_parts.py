"""Storage of channels by name, at the cost of one channel."""

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.attribution import PartKind
from mqcap.domain.metric import SubjectKind
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.lake.readers import part_days
from mqcap.presentation.attribution_text import attribution_lines
from mqcap.queries.why import as_document, growth_if_known, growth_of_series
from mqcap.unit_costs.channel_cost import (
    CHANNEL_KINDS,
    ChannelCost,
    arriving_cost,
    channel_cost,
    cost_of_channels,
    costed_part_days,
    each_text,
)
from tests.factories import unit_cost
from tests.mqcap.lake.parts import FIRST, LAST, row, write_parts
from tests.mqcap.rulebook.builders import new_store, observe, settings_of
from tests.mqcap.whatif.builders import Planted

CHINIT = "PLEX1/CSQ1/CHINIT"
BELOW, ABOVE = "chinit_31bit_used_mib", "chinit_64bit_used_mib"
CHANNEL = {"breakdown": "channel", "kind": "channel"}
PLANTED = unit_cost(subject=CHINIT, value=102.4, lower=100)
LEARNT = channel_cost(Planted(PLANTED), CHINIT, "31bit", None)
BOOK = channel_cost(None, CHINIT, "31bit", None)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A.TO.B grows from 10 to 30 channels; the lake has its storage at another cost."""
    rows = []
    for day, count in ((LAST - timedelta(days=28), 10.0), (LAST, 30.0)):
        for metric, whole, each in ((BELOW, 500 + count, 7.0), (ABOVE, 900.0, 0.5)):
            more = {"metric": metric, "subject": CHINIT}
            rows += [
                row(day, value=whole, **more),
                row(day, "A.TO.B", each * count, **more, **CHANNEL),
            ]
        more = {"metric": "channels_current_count", "subject": CHINIT}
        rows += [row(day, value=count, **more), row(day, "A.TO.B", count, **more, **CHANNEL)]
    write_parts(tmp_path, rows)
    return tmp_path


def values(lake: Path, metric: str, cost: ChannelCost | None) -> list[float]:
    rows = costed_part_days(partial(part_days, lake), metric, CHINIT, FIRST, LAST, cost)
    assert next(row.value for row in rows if row.kind == PartKind.whole) in {510, 900}
    return [row.value for row in rows if row.kind == PartKind.channel]


@pytest.mark.parametrize(
    ("cost", "expected"),
    [(LEARNT, [1.0, 3.0]), (BOOK, [900 / 1_024, 2_700 / 1_024]), (None, [70.0, 210.0])],
)
def test_below_the_bar_parts_are_channels_times_their_cost(
    lake: Path, cost: ChannelCost | None, expected: list[float]
) -> None:
    assert values(lake, BELOW, cost) == pytest.approx(expected)


@pytest.mark.parametrize(("cost", "expected"), [(LEARNT, [1.0, 3.0]), (BOOK, [5.0, 15.0])])
def test_above_the_bar_mp16_counts_the_messages_of_each_channel(
    lake: Path, cost: ChannelCost, expected: list[float]
) -> None:
    assert values(lake, ABOVE, cost) == pytest.approx(expected)


def test_the_text_names_the_cost_and_whose_it_is(lake: Path) -> None:
    assert each_text(BELOW, LEARNT) == "102.4 KiB each, learnt here"
    assert each_text(BELOW, BOOK) == "90 KiB each, by MP16 (CHI-FOOTPRINT-MCA)"
    assert each_text(BELOW, None) == each_text(ABOVE, BOOK) == each_text("cf_busy_pct", BOOK) == ""
    growth = growth_of_series(lake, BELOW, CHINIT, cost_of=lambda *_: LEARNT)
    lines = attribution_lines(growth.attribution, BELOW, CHINIT, "MiB", None, growth.each)
    assert "Parts: instances of channels (116.10), 102.4 KiB each, learnt here." in lines
    assert as_document(growth)["each"] == growth.each
    assert "each" not in as_document(growth_of_series(lake, ABOVE, CHINIT))


def test_parts_and_what_is_unexplained_add_up_to_the_measured_growth(lake: Path) -> None:
    growth = growth_if_known(lake, BELOW, CHINIT, since=FIRST, last=LAST, cost_of=lambda *_: LEARNT)
    assert growth is not None
    parts = {part.kind: part.growth for part in growth.attribution.parts}
    assert parts[PartKind.channel] == pytest.approx(2)
    assert sum(parts.values()) == pytest.approx(growth.attribution.growth) == 20


def test_the_cost_is_that_of_the_store_on_the_day(tmp_path: Path) -> None:
    settings, engine = settings_of(tmp_path), new_store(tmp_path)
    days = {LAST - timedelta(days=back): 2_500.0 - 5 * back for back in range(240)}
    used = {day: 500 + count / 10 for day, count in days.items()}
    kind = SubjectKind.channel_initiator
    observe(engine, "channels_current_count", CHINIT, days, kind=kind, unit="count")
    observe(engine, BELOW, CHINIT, used, kind=kind, unit="MiB")
    cost_of = cost_of_channels(settings, engine)
    kib = [cost.kib for day in (LAST, FIRST) if (cost := cost_of(BELOW, CHINIT, day))]
    assert kib == pytest.approx([102.4, 102.4])
    before = cost_of(BELOW, CHINIT, LAST - timedelta(days=90))
    assert before is not None
    assert before.kib == 90
    assert cost_of("cf_busy_pct", "PLEX1/CF01", LAST) is None


OTHER = "PLEX1/CSQ2/CHINIT"
ABOVE_OF_CHANNEL_COST = UnitCostKind.chinit_64bit_kib_per_channel


def test_a_certain_cost_is_that_of_the_site() -> None:
    cost = channel_cost(Planted(unit_cost()), CHINIT, "31bit", "9.4.0")
    assert cost is not None
    assert (cost.kib, cost.learnt, cost.book) == (100, unit_cost(), None)
    assert ", learnt: 100 KiB (90 to 120 at 80 %)" in cost.line
    assert "MP16: 90 KiB" in cost.line


def test_an_uncertain_cost_is_that_of_mp16_beside_the_learnt_one() -> None:
    cost = channel_cost(Planted(unit_cost(lower=1, upper=400)), CHINIT, "31bit", None)
    assert cost is not None
    assert (cost.kib, cost.learnt) == (90, None)
    assert ", by MP16: 90 KiB (CHI-FOOTPRINT-MCA" in cost.line
    assert "; not the learnt 100 KiB (1 to 400 at 80 %): half of the interval" in cost.line


@pytest.mark.parametrize(("storage", "kib"), [("31bit", 90), ("64bit", 8)])
def test_without_learnt_costs_the_book_decides(storage: str, kib: float) -> None:
    cost = channel_cost(None, CHINIT, storage, None)
    assert cost is not None
    assert cost.kib == kib
    assert cost.line.startswith(f"{CHANNEL_KINDS[storage]} of {CHINIT}, by MP16: ")


def test_an_earlier_release_has_no_cost_above_the_bar_nor_with_arriving_channels() -> None:
    kind = ABOVE_OF_CHANNEL_COST
    learnt = unit_cost(kind=kind, not_measurable="MP16 has none", book=None)
    assert channel_cost(Planted(learnt), CHINIT, "64bit", "9.3.5") is None
    brought = unit_cost(kind=kind, subject=OTHER, value=70.0, lower=69.0, upper=71.0)
    assert arriving_cost(Planted(brought), OTHER, CHINIT, "64bit", "9.3.5") is None
    assert arriving_cost(None, OTHER, CHINIT, "64bit", "9.4.0") is not None


@pytest.mark.parametrize(
    ("own", "brought", "kib", "learnt_of"),
    [
        (True, True, 100, CHINIT),
        (False, True, 70, OTHER),
        (False, False, 90, None),
        (True, False, 100, CHINIT),
    ],
)
def test_a_channel_arrives_with_the_cost_that_is_learnt_there_else_its_own_else_that_of_mp16(
    own: bool, brought: bool, kib: float, learnt_of: str | None
) -> None:
    costs = [unit_cost()] if own else []
    costs += [unit_cost(subject=OTHER, value=70.0, lower=69.0, upper=71.0)] if brought else []
    cost = arriving_cost(Planted(*costs), OTHER, CHINIT, "31bit", "9.4.0")
    assert cost is not None
    assert cost.kib == kib
    assert (cost.learnt.subject if cost.learnt else None) == learnt_of
