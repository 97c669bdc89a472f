"""Costs of units, transports and where load comes from, as text."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.attribution import Attribution, GrowthPart, PartKind, Window
from mqcap.domain.numbers import ABSENT
from mqcap.domain.unit_cost import BookValue, UnitCostKind
from mqcap.presentation.attribution_text import Asked, attribution_lines, growth_text, listed
from mqcap.presentation.cost_text import (
    LABELS,
    NO_CHANNELS,
    candidate_listing,
    candidate_rows,
    missing_lines,
    move_listing,
    move_object,
    move_row,
    notes,
    unit_cost_listing,
    unit_cost_object,
    unit_cost_row,
    used_figure,
)
from mqcap.queries.why import growth_of_series
from mqcap.transports.channel_move import ChannelMove
from tests.factories import DAY, unit_cost
from tests.mqcap.lake.parts import CSQ1, FIRST, LAST, METRIC, growing_log
from tests.mqcap.transports.builders import HOUR_MESSAGES, channel, machines, moves_of, sysplex

WIDE = {"lower": 20.0, "upper": 180.0}
DEARER = "Shared queue is favoured for its throughput and costs more CPU"
MOVED = [channel(messages=100 * HOUR_MESSAGES)]


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
    without = unit_cost(base=None, book=None, **WIDE)
    row = unit_cost_row(without)
    assert (row["base"], row["MP16"]) == (ABSENT, ABSENT)
    assert notes(without)[0].startswith("Not used: half of the interval is 80 %")


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


def test_every_kind_has_a_label_and_an_object_the_figures_that_programs_read() -> None:
    assert set(LABELS) == set(UnitCostKind)
    document = json.loads(json.dumps(unit_cost_object(unit_cost()), allow_nan=False))
    keys = {
        "subject", "cost", "used", "value", "lower", "upper", "unit", "base", "sample_count",
        "last_date", "book", "caveats",
    }  # fmt: skip
    assert keys <= document.keys()
    assert (document["cost"], document["used"]) == ("chinit_31bit_kib_per_channel", "learnt")


@pytest.fixture
def known(tmp_path: Path) -> list[ChannelMove]:
    return moves_of(tmp_path, MOVED, sysplex(*machines("CPC1", "CPC2", roce=True, smc=())))


def test_where_no_transport_saves_cpu_none_is_named(tmp_path: Path) -> None:
    assert move_listing([], "Channels").caption == NO_CHANNELS
    plex = sysplex(*machines("CPC1", "CPC1", smc=()))
    row = move_row(moves_of(tmp_path, [channel(receiver="CSQ8")], plex)[0])
    assert (row["favoured"], row["most CPU saved by"]) == ("SMC-D", ABSENT)


def test_a_channel_is_one_row_and_nothing_is_asked_for_where_all_is_known(
    known: list[ChannelMove],
) -> None:
    assert missing_lines(known) == []
    assert [tuple(move_row(move).values()) for move in known] == [
        (
            "Shared queue", "PLEX1/CSQ1 > CSQ2", "CSQ1.TO.CSQ2", "100", "100", "2,048", "0.1953",
            "0 %", "TCP/IP", "60.45", "-6.134", "-0.0071", "IGQ +5.141",
            DEARER,
        )
    ]  # fmt: skip


def test_a_transport_is_one_row_with_its_figures_or_its_reason(known: list[ChannelMove]) -> None:
    rows = {row["transport"]: row for row in candidate_rows(known)}
    igq = ("59.86", "25.55", "+5.141", "+0.00595", "+218.7", ABSENT, "")
    assert tuple(rows["IGQ"].values())[4:] == igq
    assert tuple(rows["TCP/IP"].values())[4:] == ("60.45", "0.235", *[ABSENT] * 4, "")
    assert rows["SMC-D"]["state"] == "refused"
    assert rows["SMC-D"]["reason"] == "SYS1 is on CPC1, SYS2 on CPC2: not one machine"
    assert rows["SMC-D"]["CPU us/message"] == ABSENT


def test_what_is_missing_is_asked_for_once(tmp_path: Path) -> None:
    moves = moves_of(tmp_path, [channel(), channel("CSQ2", "CSQ1")])
    [line] = missing_lines(moves)
    assert line == (
        "To be set in the estate of PLEX1: systems: SYS1: cpc; systems: SYS1: roce; "
        "systems: SYS1: smc; systems: SYS2: cpc; systems: SYS2: roce; systems: SYS2: smc."
    )
    assert line in candidate_listing(moves).caption
    smc_d = next(row for row in candidate_rows(moves) if row["transport"] == "SMC-D")
    assert smc_d["reason"].endswith("not known: set systems: SYS1: cpc, systems: SYS2: cpc")
    assert {(row["transport now"], row["note"]) for row in map(move_row, moves)} == {
        ("not known", f"compared with TCP/IP; {DEARER}")
    }


def test_traffic_unlike_the_table_has_the_reason_in_place_of_figures(tmp_path: Path) -> None:
    moves = moves_of(tmp_path, [channel(message_bytes=8_192)])
    row = move_row(moves[0])
    figures = row["favoured"], row["CPU us/message now"], row["saves CPU s/day"]
    assert figures == (ABSENT, ABSENT, ABSENT)
    assert row["note"].startswith("8,192 bytes a message: SYS-COST is of 2 KB")
    shared = candidate_rows(moves)[-1]
    assert (shared["state"], shared["CPU us/message"]) == ("allowed", ABSENT)
    assert shared["reason"] == row["note"]


def test_the_receiving_end_is_told(tmp_path: Path) -> None:
    row = channel("CSQ1", "CSQ2", qmgr="CSQ2", qcstrqmn="CSQ1", qcstchty=3)
    shown = move_row(moves_of(tmp_path, [row])[0])
    assert shown["note"] == f"compared with TCP/IP; {DEARER}; measured at the receiving end, CSQ2"


def test_the_load_of_a_facility_is_before_after_and_limit(known: list[ChannelMove]) -> None:
    shared = known[0].candidates[-1]
    effect = {"facility": "CF02", "busy_pct": 12, "after_pct": 12.8, "limit_pct": 60}
    document = shared.model_dump() | {"facility": effect | {"breach": False}}
    move = known[0].model_copy(update={"candidates": (type(shared).model_validate(document),)})
    full = move.model_copy(update={"candidates": (*known[0].candidates[:1], *move.candidates)})
    assert candidate_rows([full])[1]["CF busy"] == "CF02 12 to 12.8 %, limit 60 %"


def test_an_object_has_counts_rates_and_candidates(known: list[ChannelMove]) -> None:
    document = json.loads(json.dumps(move_object(known[0]), allow_nan=False))
    assert document["traffic"]["messages_per_s"] == 100
    assert document["traffic"]["bytes_per_message"] == 2_048
    assert (document["now"], document["move_to"]) == ("TCP/IP", "Shared queue")
    assert [each["state"] for each in document["candidates"]] == [
        "now", "allowed", "refused", "allowed", "allowed",
    ]  # fmt: skip
    assert document["missing_keys"] == []


def answer(*parts: GrowthPart, then: float = 1.0, now: float = 1.21) -> Attribution:
    days = (Window(FIRST, FIRST), Window(LAST, LAST))
    return Attribution(PartKind.queue, *days, then, now, parts, (PartKind.queue,))


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
    assert growth_text(made, "MiB/s").notes == []
    fridays = made._replace(weekdays=(3, 4))
    [note] = growth_text(fridays, "MiB/s").notes
    assert note == "Compared are the days that both have: Thu, Fri."
    assert note in attribution_lines(fridays, METRIC, CSQ1, "MiB/s")


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
