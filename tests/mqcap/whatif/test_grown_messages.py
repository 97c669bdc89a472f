"""More messages of distributed queue managers, and what they take with them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.learnt import LearntLine, Series
from mqcap.whatif.overlay import Overlay
from tests.mqcap.whatif.builders import Planted, known_in, peak, world
from tests.mqcap.whatif.distributed import MEASURED, QMGR, QUEUE

MANAGER = SubjectKind.distributed_queue_manager
PUTS, QUEUE_PUTS = ("mq_put_per_s", QMGR), ("mq_queue_put_per_s", QUEUE)
WRITTEN, PRIMARY = ("mq_log_written_mib_per_s", QMGR), ("mq_log_primary_used_pct", QMGR)
DEPTH, FILE = ("mq_queue_depth_count", QUEUE), ("mq_queue_file_mib", QUEUE)
LOADED = [
    *MEASURED,
    (*PUTS, MANAGER, "count/s", 100.0),
    ("mq_put_mib_per_s", QMGR, MANAGER, "MiB/s", 0.4),
    (*WRITTEN, MANAGER, "MiB/s", 2.0),
]


class Lines(Planted):
    """Lines that are given, not computed, by the series that follows."""

    def __init__(self, lines: Mapping[Series, LearntLine]) -> None:
        super().__init__()
        self._given = lines

    def line(self, cost: Series, units: Series) -> LearntLine | None:
        assert units in (PUTS, QUEUE_PUTS)
        return self._given.get(cost)


def learnt(base: float, why_not: str = "") -> LearntLine:
    return LearntLine(0.01, 0.009, 0.011, base, 0.8, 90, date(2026, 7, 1), why_not)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("messages"), LOADED)


def grown(
    known: DayFacts, lines: Mapping[Series, LearntLine], *metrics: str, subject: str = QMGR
) -> Overlay:
    facts = known._replace(observed=known.observed.learning(Lines(lines)))
    return world(facts, growth=[{"subjects": [subject], "metrics": metrics, "pct": 30}])


def lines_of(seen: Overlay, series: Series) -> str:
    found = (effect for effect in seen.effects if (effect.metric, effect.subject) == series)
    return " ".join(line for each in found for line in each.lines)


def test_messages_grow_by_default_with_their_bytes_and_queues(known: DayFacts) -> None:
    seen = grown(known, {})
    for series, today in ((PUTS, 100), (("mq_put_mib_per_s", QMGR), 0.4), (QUEUE_PUTS, 10)):
        assert peak(seen, *series) == pytest.approx(1.3 * today)
    assert peak(seen, "mq_queue_put_mib_per_s", QUEUE) == pytest.approx(0.013)
    assert peak(seen, "mq_connection_count", QMGR) == 250


def test_the_learnt_part_of_log_depth_and_file_follows_the_messages(known: DayFacts) -> None:
    seen = grown(known, {WRITTEN: learnt(0.5), DEPTH: learnt(1_000), FILE: learnt(10)})
    assert peak(seen, *WRITTEN) == pytest.approx(0.5 + 1.5 * 1.3)
    assert peak(seen, *DEPTH) == pytest.approx(1_000 + 2_000 * 1.3)
    assert peak(seen, *FILE) == pytest.approx(10 + 40 * 1.3)
    assert "learnt for each put/s: 0.01 (0.009 to 0.011 at 80 %, 90 days" in lines_of(seen, WRITTEN)


@pytest.mark.parametrize(("base", "left"), [(-5.0, 0.0), (0.0, 0.0), (0.4, 0.4), (9.0, 1.0)])
def test_a_base_is_no_less_than_nothing_and_no_more_than_the_least_day(
    known: DayFacts, base: float, left: float
) -> None:
    seen = grown(known, {WRITTEN: learnt(base)})
    assert peak(seen, *WRITTEN) == pytest.approx(left + (2 - left) * 1.3)


@pytest.mark.parametrize("lines", [{}, {WRITTEN: learnt(0, "x"), DEPTH: learnt(0, "x")}])
def test_without_certainty_all_of_the_log_grows_and_the_rest_stays(
    known: DayFacts, lines: Mapping[Series, LearntLine]
) -> None:
    seen = grown(known, lines)
    assert peak(seen, *WRITTEN) == pytest.approx(2.6)
    assert peak(seen, *PRIMARY) == pytest.approx(80 * 1.3)
    assert "it can be less" in lines_of(seen, WRITTEN)
    assert (peak(seen, *DEPTH), peak(seen, "mq_log_fs_used_pct", QMGR)) == (3_000, 78)
    assert "it can be more" in lines_of(seen, DEPTH)


def test_what_the_scenario_grows_itself_is_not_grown_twice(known: DayFacts) -> None:
    seen = grown(known, {WRITTEN: learnt(0.5)}, PUTS[0], WRITTEN[0])
    assert peak(seen, *WRITTEN) == pytest.approx(2.6)


def test_messages_of_one_queue_leave_the_queue_manager_as_it_is(known: DayFacts) -> None:
    seen = grown(known, {DEPTH: learnt(0)}, QUEUE_PUTS[0], subject=QUEUE)
    assert peak(seen, *DEPTH) == pytest.approx(3_900)
    assert (peak(seen, *PUTS), peak(seen, *WRITTEN)) == (100, 2)


def test_other_growth_takes_no_messages_with_it(known: DayFacts) -> None:
    seen: Any = grown(known, {}, "mq_connection_count")
    assert {effect.metric for effect in seen.effects} == {"mq_connection_count"}
