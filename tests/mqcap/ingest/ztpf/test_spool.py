"""Lines of z/TPF spools as stamps, displays and console lines."""

from datetime import datetime, time

import pytest

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.ingest.text_reading import Omissions
from mqcap.ingest.ztpf.spool import ConsoleDay, ConsoleLine, Display, Stamp, count_of, items
from tests.mqcap.ingest.ztpf.spooled import display, queue_display, stamp, sweep


def test_a_display_is_what_stands_between_its_message_and_the_next_one() -> None:
    text = stamp() + display() + stamp(1) + display(in_use=1)
    made = list(items(text.splitlines(), Omissions()))
    assert [type(item) for item in made] == [Stamp, ConsoleLine, Display] * 2
    [first, second] = [item for item in made if isinstance(item, Display)]
    assert first.values == {
        ZtpfFigure.mqm_total_blocks: "127997",
        ZtpfFigure.mqm_in_use_blocks: "19347",
        ZtpfFigure.mqm_high_water_blocks: "61000",
        ZtpfFigure.sweep_level_pct: "80",
    }
    assert second.values[ZtpfFigure.mqm_in_use_blocks] == "1"


def displays(text: str) -> list[Display]:
    return [item for item in items(text.splitlines(), Omissions()) if isinstance(item, Display)]


def test_a_display_of_a_queue_has_its_name_on_the_line_behind() -> None:
    first, second, last = displays(
        stamp() + queue_display() + queue_display("  rcvry/1") + display()
    )
    assert (first.queue, second.queue, last.queue) == ("RES.IN", "rcvry/1", "")
    assert first.values == {
        ZtpfFigure.queue_depth_count: "10",
        ZtpfFigure.queue_swb_count: "NONE",
        ZtpfFigure.queue_mqm_blocks: "12",
    }
    [nameless] = displays("MQSC0285I x\n ...")
    assert nameless.queue is None


def test_a_sweep_names_its_queue_and_other_messages_do_not() -> None:
    text = f"{sweep()}MQSC0288I 14.40.28 SWEEP FOR RES.IN COMPLETED+\n{sweep('24.00.00')}"
    made = list(items(text.splitlines(), Omissions()))
    assert made == [ConsoleLine(time(14, 40, 27), "RES.IN"), ConsoleLine(time(14, 40, 28))]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("NONE", 0.0),
        ("10", 10.0),
        ("0", 0.0),
        ("12x", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
    ],
)
def test_none_is_zero_and_what_is_no_number_is_not_known(text: str, count: float | None) -> None:
    assert count_of(text) == count


@pytest.mark.parametrize(
    ("times", "days"),
    [
        (("00.02.39", "23.59.59"), [9, 9]),
        (("23.59.59", "00.00.01", "00.00.02"), [9, 10, 10]),
        (("12.00.01", "00.00.01"), [9, 9]),
        (("12.00.02", "00.00.01"), [9, 10]),
        (("01.59.59", "01.00.00"), [9, 9]),
        (("23.00.00", "01.00.00", "22.00.00", "03.00.00"), [9, 10, 10, 11]),
    ],
)
def test_a_time_far_before_the_line_above_is_of_the_next_day(
    times: tuple[str, ...], days: list[int]
) -> None:
    day = ConsoleDay.from_stamp(datetime(2026, 7, 9))  # noqa: DTZ001 - local, as the console has it
    assert [day.of(time.fromisoformat(text.replace(".", ":"))).day for text in times] == days


def test_a_line_just_behind_a_stamp_before_midnight_is_of_the_next_day() -> None:
    day = ConsoleDay.from_stamp(datetime(2026, 7, 9, 23, 59, 58))  # noqa: DTZ001
    assert day.of(time(0, 0, 3)).day == 10
