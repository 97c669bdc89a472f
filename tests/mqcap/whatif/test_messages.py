"""Effects of added messages."""

from __future__ import annotations

import pytest

from mqcap.judging.evaluate import DayFacts
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    OTHER_CF,
    PAGE_SET,
    STRUCTURE,
    known_in,
    messages,
    peak,
    world,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("whatif"))


def test_persistent_messages_log_what_their_put_and_get_were_measured_to_log(
    known: DayFacts,
) -> None:
    seen = world(known, workload=[messages()])
    added = 100 * (2_088 + 492) / 1_048_576
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == pytest.approx(0.8 + added)


def test_nonpersistent_messages_are_not_logged(known: DayFacts) -> None:
    seen = world(known, workload=[messages(persistent=False)])
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == 0.8


def test_a_channel_logs_its_batches_too(known: DayFacts) -> None:
    sent = world(known, workload=[messages(moved="sent", batch_size=1)])
    added = 100 * (2_088 + 492 + 2.5 * 1_024) / 1_048_576
    assert peak(sent, "log_growth_mib_per_s", QUEUE_MANAGER) == pytest.approx(0.8 + added)


def test_larger_batches_and_missing_gets_log_less(known: DayFacts) -> None:
    item = world(known, workload=[messages(moved="received", batch_size=1)])
    many = world(known, workload=[messages(moved="received", batch_size=50)])
    unread = world(known, workload=[messages(get="none")])
    rates = [peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) for seen in (item, many, unread)]
    assert rates == sorted(rates, reverse=True)


def test_shared_messages_take_cf_time(known: DayFacts) -> None:
    seen = world(known, workload=[messages(message_bytes=2_048, structure=STRUCTURE)])
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 + 100 * 100 * 29 / 2e6)
    assert peak(seen, "cf_busy_pct", OTHER_CF) == 20.0


def test_a_duplexed_structure_loads_both_facilities_twice(known: DayFacts) -> None:
    workload = messages(message_bytes=2_048, structure=STRUCTURE, duplexed_in=OTHER_CF)
    seen = world(known, workload=[workload])
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 + 2 * 100 * 100 * 29 / 2e6)
    assert peak(seen, "cf_busy_pct", OTHER_CF) == pytest.approx(20 + 2 * 100 * 100 * 29 / 2e6)


def test_messages_wait_in_a_page_set_while_the_consumer_is_away(known: DayFacts) -> None:
    workload = messages(message_bytes=4_000, page_set=PAGE_SET, outage_minutes=1)
    seen = world(known, workload=[workload])
    assert peak(seen, "page_set_used_pages", PAGE_SET) == 50_000 + 100 * 60 * 2
    assert peak(seen, "page_set_used_pct", PAGE_SET) == pytest.approx(62)


def test_messages_wait_in_a_structure_while_the_consumer_is_away(known: DayFacts) -> None:
    workload = messages(structure=STRUCTURE, outage_minutes=5, cfcc_level=25)
    seen = world(known, workload=[workload])
    mib = 30_000 * (1_536 + 256) * 1.32 / 1_048_576
    entries = peak(seen, "structure_entries_used_pct", STRUCTURE)
    assert entries == pytest.approx(20 + 100 * mib / 512, rel=1e-3)


def test_the_logger_task_gets_busier_in_step_with_the_log(known: DayFacts) -> None:
    seen = world(known, workload=[messages()])
    added = 100 * (2_088 + 492) / 1_048_576
    busy = peak(seen, "log_task_busy_pct", QUEUE_MANAGER)
    assert busy == pytest.approx(20 * (0.8 + added) / 0.8)


def test_host_cpu_is_converted_to_the_other_machine(known: DayFacts) -> None:
    workload = messages(message_bytes=2_048, structure=STRUCTURE)
    machine = {"subject": "PLEX1", "lspr_ratio": 1.5}
    [computed] = world(known, workload=[workload], hardware=[machine]).computed
    assert computed.before == pytest.approx(100 * 91 / 1_000)
    assert computed.after == pytest.approx(1.5 * 100 * 91 / 1_000)
