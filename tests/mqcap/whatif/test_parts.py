from __future__ import annotations

import pytest

from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.answer import Baseline
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    OTHER_CF,
    PAGE_SET,
    SHARING,
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


def test_fast_messages_log_nothing(known: DayFacts) -> None:
    seen = world(known, workload=[messages(persistent=False)])
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == 0.8


def test_a_channel_logs_its_batches_too(known: DayFacts) -> None:
    sent = world(known, workload=[messages(moved="sent", batch_size=1)])
    added = 100 * (2_088 + 492 + 2.5 * 1_024) / 1_048_576
    assert peak(sent, "log_growth_mib_per_s", QUEUE_MANAGER) == pytest.approx(0.8 + added)


def test_larger_batches_and_missing_gets_log_less(known: DayFacts) -> None:
    one = world(known, workload=[messages(moved="received", batch_size=1)])
    many = world(known, workload=[messages(moved="received", batch_size=50)])
    unread = world(known, workload=[messages(get="none")])
    rates = [peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) for seen in (one, many, unread)]
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


def test_message_channels_take_storage_by_message_size_and_tls(known: DayFacts) -> None:
    workload = {"subject": QUEUE_MANAGER, "channels": 100, "message_bytes": 20_000, "tls": True}
    seen = world(known, workload=[workload])
    mib = 100 * (100 + 30) / 1_024
    assert peak(seen, "channels_current_count", CHINIT) == 600
    assert peak(seen, "chinit_31bit_used_mib", CHINIT) == pytest.approx(700 + mib)
    assert peak(seen, "chinit_31bit_used_pct", CHINIT) == pytest.approx(50 + mib / 14)
    assert peak(seen, "chinit_64bit_used_mib", CHINIT) == 500


def test_client_channels_from_9_4_take_storage_above_the_bar(known: DayFacts) -> None:
    clients = {"subject": CHINIT, "channels": 100, "channel_kind": "client", "tls": True}
    now = world(known, workload=[clients | {"message_bytes": 40_000}])
    before = world(known, workload=[clients | {"message_bytes": 40_000, "mq_level": "pre-9.4"}])
    assert peak(now, "chinit_64bit_used_mib", CHINIT) == pytest.approx(500 + 100 * 128 / 1_024)
    assert peak(before, "chinit_64bit_used_mib", CHINIT) == 500
    below = "chinit_31bit_used_mib"
    assert peak(before, below, CHINIT) > peak(now, below, CHINIT) > 700


def test_sharing_conversations_needs_fewer_channels(known: DayFacts) -> None:
    change = SHARING | {"sharecnv_from": 1, "sharecnv": 10}
    seen = world(known, configuration=[change])
    mib = (100 * 223 - 1_000 * 168) / 1_024
    assert peak(seen, "channels_current_count", CHINIT) == 0
    assert peak(seen, "chinit_31bit_used_mib", CHINIT) == pytest.approx(700 + mib)


def test_the_same_sharing_changes_nothing(known: DayFacts) -> None:
    change = SHARING | {"sharecnv_from": 10, "sharecnv": 10}
    assert (
        Baseline(known).answer(Scenario.model_validate({"configuration": [change]})).differences
        == ()
    )


def test_faster_and_more_engines_bring_busy_down(known: DayFacts) -> None:
    hardware = {"subject": CF, "engines": 4, "lspr_ratio": 0.8}
    seen = world(known, hardware=[hardware])
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 * 2 / 4 * 0.8)
    assert seen.known.estate.sysplexes[0].cfs[0].engines == 4


def test_a_new_cfcc_level_takes_its_share_of_each_structure(known: DayFacts) -> None:
    hardware = {"subject": CF, "cfcc_level_from": 24, "cfcc_level": 25}
    seen = world(known, hardware=[hardware])
    assert peak(seen, "structure_entries_used_pct", STRUCTURE) == pytest.approx(20 * 512 / 504)


def test_offload_bends_the_elements_above_the_tier_of_the_size(known: DayFacts) -> None:
    change = {"subject": STRUCTURE, "offload": "SMDS", "message_bytes": 8_192}
    seen = world(known, configuration=[change])
    slope = 2 / 34
    assert peak(seen, "structure_elements_used_pct", STRUCTURE) == pytest.approx(80 + 8 * slope)


def test_dasd_of_another_class_carries_another_rate(known: DayFacts) -> None:
    hardware = {
        "subject": QUEUE_MANAGER,
        "dasd_class_from": "ESS 800",
        "dasd_class": "DS8900F (RAID 5) 4 stripes",
        "message_bytes": 5_120,
    }
    seen = world(known, hardware=[hardware])
    [computed] = seen.computed
    assert seen.known.estate.sysplexes[0].qmgrs[0].log_ceiling_mib_per_s == 193
    assert computed.before == pytest.approx(100 * 0.8 / 16.5)
    assert computed.after == pytest.approx(100 * 0.8 / 193)


def test_dual_logging_doubles_what_is_written_not_the_rate(known: DayFacts) -> None:
    change = {"subject": QUEUE_MANAGER, "dual_logging": True}
    seen = world(known, configuration=[change])
    [computed] = seen.computed
    assert computed.after == pytest.approx(1.6)
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == 0.8


def test_host_cpu_is_told_for_the_machine_to_come(known: DayFacts) -> None:
    workload = messages(message_bytes=2_048, structure=STRUCTURE)
    machine = {"subject": "PLEX1", "lspr_ratio": 1.5}
    [computed] = world(known, workload=[workload], hardware=[machine]).computed
    assert computed.before == pytest.approx(100 * 91 / 1_000)
    assert computed.after == pytest.approx(1.5 * 100 * 91 / 1_000)


def test_any_setting_of_the_estate_may_change(known: DayFacts) -> None:
    change = {"subject": QUEUE_MANAGER, "archive_minutes": 8}
    seen = world(known, configuration=[change])
    assert seen.known.estate.sysplexes[0].qmgrs[0].archive_minutes == 8


def test_the_logger_task_gets_busier_in_step_with_the_log(known: DayFacts) -> None:
    seen = world(known, workload=[messages()])
    added = 100 * (2_088 + 492) / 1_048_576
    busy = peak(seen, "log_task_busy_pct", QUEUE_MANAGER)
    assert busy == pytest.approx(20 * (0.8 + added) / 0.8)


def test_a_setting_of_a_facility_is_set_there(known: DayFacts) -> None:
    seen = world(known, configuration=[{"subject": CF, "takes_over": "CF02"}])
    facility = seen.known.estate.coupling_facility("PLEX1", "CF01")
    assert facility is not None
    assert (facility.takes_over, facility.engines) == ("CF02", 2)
