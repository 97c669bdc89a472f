"""Learnt costs in what-if: today's channels and messages, else the figures of MP16."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.learnt_costs import describes_channels, storage_growth, todays_channel
from mqcap.whatif.overlay import Overlay
from mqcap.whatif.parts import AddedWorkload
from tests.factories import unit_cost
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    MEASURED,
    STRUCTURE,
    WITH_SIZES,
    known_in,
    learning,
    messages,
    peak,
    text_of,
    typed,
    world,
)

BELOW, ABOVE = (
    UnitCostKind.chinit_31bit_kib_per_channel,
    UnitCostKind.chinit_64bit_kib_per_channel,
)
LOG = UnitCostKind.log_bytes_per_persistent_put
REQUEST = UnitCostKind.cf_us_per_request
USED, SHARE = "chinit_31bit_used_mib", "chinit_31bit_used_pct"
BASE = {"base": 300.0}


def doubled(known: DayFacts, *costs: UnitCost, **growth: Any) -> Overlay:
    given = {"subjects": [CHINIT], "pct": 100} | growth
    return world(learning(known, *costs), growth=[given])


def test_twice_the_channels_are_the_base_and_twice_the_rest(known: DayFacts) -> None:
    seen = doubled(known, unit_cost(**BASE))
    assert peak(seen, USED, CHINIT) == pytest.approx(300 + 2 * 400)
    assert peak(seen, SHARE, CHINIT) == pytest.approx((300 + 2 * 400) / 14)
    assert "100 KiB (90 to 120 at 80 %)" in text_of(seen, USED)
    assert "MP16: 90 KiB" in text_of(seen, USED)


def test_a_base_above_the_lowest_mean_is_that_mean(known: DayFacts) -> None:
    assert peak(doubled(known, unit_cost(base=600.0)), USED, CHINIT) == 350 + 2 * 350


def test_more_channels_alone_take_their_storage_too(known: DayFacts) -> None:
    seen = doubled(known, unit_cost(**BASE), metrics=["channels_current_count"])
    assert peak(seen, "channels_current_count", CHINIT) == 1_000
    assert peak(seen, USED, CHINIT) == pytest.approx(1_100)
    assert peak(seen, "channels_current_count", CHINIT) == 1_000


@pytest.mark.parametrize(
    ("metric", "each_kib", "most", "rule", "kind"),
    [
        (USED, 90, 700, "CHI-FOOTPRINT-MCA", BELOW),
        ("chinit_64bit_used_mib", 8, 500, "CHI-SVRCONN-64", ABOVE),
    ],
)
def test_without_a_certain_cost_the_part_of_the_channels_is_that_of_the_book(
    known: DayFacts, metric: str, each_kib: float, most: float, rule: str, kind: UnitCostKind
) -> None:
    wide = unit_cost(kind=kind, lower=1, upper=400)
    base = min(most - 500 * each_kib / 1_024, most / 2)
    for costs in ((), (wide,)):
        effect = storage_growth(learning(known, *costs), metric, CHINIT, 2.0)
        assert effect.change.of(most) == pytest.approx(base + 2 * (most - base))
        assert effect.change.of(most) < 2 * most
        assert rule in effect.lines[0]
    assert "not the learnt 100 KiB (1 to 400 at 80 %): half" in effect.lines[0]


@pytest.mark.parametrize("metric", [USED, "chinit_64bit_used_mib"])
def test_storage_without_measured_channels_grows_as_one(tmp_path: Path, metric: str) -> None:
    without = [each for each in MEASURED if each[0] != "channels_current_count"]
    effect = storage_growth(known_in(tmp_path, without), metric, CHINIT, 2.0)
    assert effect.change.of(500) == 1_000
    assert "channels are not measured" in effect.lines[0]


def test_messages_in_a_structure_take_the_time_of_mp16_a_message(known: DayFacts) -> None:
    cost = unit_cost(kind=REQUEST, subject=STRUCTURE, unit="us", base_unit="us/s", book=None)
    work = [messages(structure=STRUCTURE)]
    seen, book = world(learning(known, cost), workload=work), world(known, workload=work)
    assert peak(seen, "cf_busy_pct", CF) == peak(book, "cf_busy_pct", CF) > 40
    assert "how many requests a message takes" in text_of(seen, "cf_busy_pct")
    assert "how many requests" not in text_of(book, "cf_busy_pct")


def test_added_channels_of_no_stated_kind_are_like_those_of_today(known: DayFacts) -> None:
    facts = learning(known, unit_cost(), unit_cost(kind=ABOVE, value=50.0, lower=45, upper=55))
    seen = world(facts, workload=[{"subject": QUEUE_MANAGER, "channels": 1_024}])
    assert peak(seen, USED, CHINIT) == 700 + 100
    assert peak(seen, "chinit_64bit_used_mib", CHINIT) == 500 + 50


@pytest.mark.parametrize(
    "described", [{"message_bytes": 1_024}, {"tls": True}, {"channel_kind": "client"}]
)
def test_channels_that_the_scenario_describes_are_those_of_mp16(
    known: DayFacts, described: dict[str, Any]
) -> None:
    workload = AddedWorkload.model_validate({"subject": CHINIT, "channels": 9} | described)
    assert describes_channels(workload)
    assert not describes_channels(AddedWorkload(subject=CHINIT, channels=9))
    facts = learning(known, unit_cost())
    seen = world(facts, workload=[workload.model_dump(exclude_unset=True)])
    assert "learnt" not in text_of(seen, USED)


def log_cost(**changed: Any) -> UnitCost:
    values = {
        "kind": LOG, "subject": QUEUE_MANAGER, "unit": "bytes", "value": 8_000.0, "lower": 7_900.0,
        "upper": 8_100.0, "base": None, "base_unit": "", "correlation": None,
        "unit_size_bytes": 2_000.0, "last_date": date(2026, 3, 2),
    }  # fmt: skip
    return unit_cost(**(values | changed))


LITTLE = {"value": 1_000.0, "lower": 990.0, "upper": 1_010.0}


@pytest.mark.parametrize(
    ("size", "learnt", "each"),
    [(2_000, {}, 8_000), (102_400, {}, 108_400), (1, {}, 6_001), (4_000, LITTLE, 4_000)],
)
def test_messages_log_what_those_of_today_log_at_their_size_and_no_less_than_themselves(
    known: DayFacts, size: int, learnt: dict[str, float], each: int
) -> None:
    facts = learning(known, log_cost(**learnt))
    seen = world(facts, workload=[messages(message_bytes=size)])
    added = peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) - 0.8
    assert added == pytest.approx(100 * each / 2**20)


@pytest.mark.parametrize("calls", [{"put": "put10_commit"}, {"get": "none"}, {"moved": "sent"}])
def test_messages_whose_calls_are_stated_are_those_of_mp16(
    known: DayFacts, calls: dict[str, Any]
) -> None:
    learnt, book = (
        world(facts, workload=[messages(**calls)])
        for facts in (learning(known, log_cost()), learning(known))
    )
    metric = "log_growth_mib_per_s"
    assert peak(learnt, metric, QUEUE_MANAGER) == peak(book, metric, QUEUE_MANAGER)


def test_the_share_is_the_storage_over_the_limit_when_channels_move_and_memlimit_is_raised(
    known: DayFacts,
) -> None:
    above = unit_cost(kind=ABOVE, subject=CHINIT, base=100.0)
    seen = typed(learning(known, unit_cost(), above), CHINIT, channels_moved=100, memlimit_gib=4)
    used = peak(seen, "chinit_64bit_used_mib", CHINIT)
    assert used == pytest.approx(500 - 0.2 * 400)
    assert peak(seen, "chinit_64bit_used_pct", CHINIT) == pytest.approx(100 * used / 4_096)


def versions(known: DayFacts, version: str) -> DayFacts:
    observed = known.observed.part(known.observed.series)
    observed.versions = {QUEUE_MANAGER: version}
    return known._replace(observed=observed)


@pytest.mark.parametrize("learnt", [True, False])
def test_a_channel_has_one_cost_whether_it_comes_goes_or_grows(
    known: DayFacts, learnt: bool
) -> None:
    base = 700 - 500 * 100 / 1_024
    facts = learning(known, *([unit_cost(base=base)] if learnt else []))
    each = 100 if learnt else 90
    come = world(facts, workload=[{"subject": CHINIT, "channels": 64}])
    go = typed(facts, CHINIT, channels_moved=64)
    assert peak(come, USED, CHINIT) == pytest.approx(700 + 64 * each / 1_024)
    assert peak(go, USED, CHINIT) == pytest.approx(700 - 64 * each / 1_024)
    cost = todays_channel(facts, CHINIT, "31bit")
    assert cost is not None
    assert cost.kib == each
    source = "PLEX1/CSQ1/CHINIT, learnt: 100 KiB" if learnt else "CHINIT, by MP16: 90 KiB"
    assert source in cost.line
    for seen in (come, go, world(facts, growth=[{"subjects": [CHINIT], "pct": 100}])):
        assert cost.line in text_of(seen, USED)


@pytest.mark.parametrize(
    ("version", "kib"), [("9.3.5", None), ("9.4.0", 8.0), ("9.4.1", 8.0), ("10.0.0", 8.0)]
)
def test_above_the_bar_the_release_decides_whether_mp16_has_a_figure(
    known: DayFacts, version: str, kib: float | None
) -> None:
    cost = todays_channel(versions(known, version), CHINIT, "64bit")
    assert (cost.kib if cost else None) == kib


def test_without_a_figure_for_a_channel_its_coming_changes_nothing_and_growth_all(
    known: DayFacts,
) -> None:
    facts = versions(known, "9.3.5")
    metric = "chinit_64bit_used_mib"
    come = world(facts, workload=[{"subject": CHINIT, "channels": 64}])
    assert peak(come, metric, CHINIT) == 500
    effect = storage_growth(facts, metric, CHINIT, 2.0)
    assert effect.change.of(500) == 1_000
    assert "no source has a figure for a channel" in effect.lines[0]


def test_what_is_no_cost_is_named_and_not_shown(known: DayFacts) -> None:
    wrong = unit_cost(value=-20.0, lower=-40.0, upper=-1.0, not_measurable="storage falls")
    cost = todays_channel(learning(known, wrong), CHINIT, "31bit")
    assert cost is not None
    assert cost.kib == 90
    assert cost.line.endswith("; not learnt: storage falls")


KIND = SubjectKind.queue_manager
VOLUME, TASKS = "accounting_mib_per_day", "accounting_tasks_per_day"
ACCOUNTED = [
    *WITH_SIZES,
    (VOLUME, QUEUE_MANAGER, KIND, "MiB/day", 400.0),
    (TASKS, QUEUE_MANAGER, KIND, "count/day", 50_000.0),
]


@pytest.fixture(scope="module")
def accounted(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("costs"), ACCOUNTED)


def rate(**changed: Any) -> UnitCost:
    values = {
        "kind": UnitCostKind.archive_mib_per_s, "subject": QUEUE_MANAGER, "unit": "MiB/s",
        "value": 8.0, "lower": 7.5, "upper": 8.5, "base": None, "base_unit": "",
        "correlation": None, "sample_count": 12, "sample_of": "archive", "least_sample": 10,
        "book": None,
    }  # fmt: skip
    return unit_cost(**(values | changed))


def test_a_log_of_another_size_is_archived_at_the_learnt_rate(accounted: DayFacts) -> None:
    seen = typed(learning(accounted, rate()), QUEUE_MANAGER, active_log_size_mib=3_840)
    assert peak(seen, "log_archive_min", QUEUE_MANAGER) == pytest.approx(3_840 / 8 / 60)
    assert "8 MiB/s (7.5 to 8.5 at 80 %), 12 archives" in text_of(seen, "log_archive_min")


def test_without_a_certain_rate_it_is_archived_in_step_with_its_size(accounted: DayFacts) -> None:
    few = rate(sample_count=9)
    for costs in ((), (few,)):
        seen = typed(learning(accounted, *costs), QUEUE_MANAGER, active_log_size_mib=4_096)
        assert peak(seen, "log_archive_min", QUEUE_MANAGER) == 18
        assert "in step with the size of a log" in text_of(seen, "log_archive_min")
    assert "the sample has 9 archives, at least 10" in text_of(seen, "log_archive_min")


@pytest.mark.parametrize(("transactions", "mib"), [(12_500, 200), (25_000, 400), (50_000, 800)])
def test_each_transaction_is_accounted_with_its_measured_bytes(
    accounted: DayFacts, transactions: int, mib: float
) -> None:
    seen = typed(accounted, QUEUE_MANAGER, accounting_transactions_per_day=transactions)
    # The mean of a day of the builder is half of its peak.
    assert peak(seen, VOLUME, QUEUE_MANAGER) == pytest.approx(mib)
    assert peak(seen, TASKS, QUEUE_MANAGER) == pytest.approx(2 * transactions)
    assert "x 8,388.6 bytes / 1048576, measured" in text_of(seen, VOLUME)


def test_without_measured_records_the_rule_has_the_bytes_of_mp16(known: DayFacts) -> None:
    assert typed(known, QUEUE_MANAGER, accounting_transactions_per_day=9).effects == ()
