"""Effects of messages, copies and hardware."""

from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, facts_of_day, verdict_of
from mqcap.whatif.effects import copies_of
from sizing.rulebook.registry import all_rules
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, days, observe, settings_of
from tests.mqcap.whatif.builders import (
    CF,
    OTHER_CF,
    PAGE_SET,
    STRUCTURE,
    filled,
    messages,
    peak,
    world,
)

COPY = f"{OTHER_CF}/QSG1APPL1"
ENTRIES = "structure_entries_used_pct"


@pytest.mark.parametrize(
    ("changed", "each"),
    [
        ({}, 2_088 + 492),
        ({"persistent": False}, 0),
        ({"moved": "sent", "batch_size": 1}, 2_088 + 492 + 2.5 * 1_024),
    ],
)
def test_persistent_messages_log_what_put_get_and_batches_were_measured_to_log(
    known: DayFacts, changed: dict[str, Any], each: float
) -> None:
    seen = world(known, workload=[messages(**changed)])
    added = 100 * each / 1_048_576
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == pytest.approx(0.8 + added)
    busy = peak(seen, "log_task_busy_pct", QUEUE_MANAGER)
    assert busy == pytest.approx(20 * (0.8 + added) / 0.8), "in step with the log"


def test_larger_batches_and_missing_gets_log_less(known: DayFacts) -> None:
    item = world(known, workload=[messages(moved="received", batch_size=1)])
    many = world(known, workload=[messages(moved="received", batch_size=50)])
    unread = world(known, workload=[messages(get="none")])
    rates = [peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) for seen in (item, many, unread)]
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize(("other", "times"), [(None, (1, 0)), (OTHER_CF, (2, 2))])
def test_shared_messages_take_cf_time_twice_in_both_facilities_of_a_duplexed_structure(
    known: DayFacts, other: str | None, times: tuple[int, int]
) -> None:
    workload = messages(message_bytes=2_048, structure=STRUCTURE, duplexed_in=other)
    seen = world(known, workload=[workload])
    for facility, busy, factor in zip((CF, OTHER_CF), (40, 20), times, strict=True):
        expected = busy + factor * 100 * 100 * 29 / 2e6
        assert peak(seen, "cf_busy_pct", facility) == pytest.approx(expected)


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


def test_host_cpu_is_converted_to_the_other_machine(known: DayFacts) -> None:
    workload = messages(message_bytes=2_048, structure=STRUCTURE)
    machine = {"subject": "PLEX1", "lspr_ratio": 1.5}
    [computed] = world(known, workload=[workload], hardware=[machine]).computed
    assert computed.before == pytest.approx(100 * 91 / 1_000)
    assert computed.after == pytest.approx(1.5 * 100 * 91 / 1_000)


def duplexed_in(folder: Path, role: float) -> DayFacts:
    """The small estate with another copy, of half the size, in the other facility."""
    engine = filled(folder)
    for metric, unit, value in (
        ("structure_size_mib", "MiB", 256.0),
        (ENTRIES, "%", 20.0),
        ("structure_duplex_role", "", role),
    ):
        observe(engine, metric, COPY, days(3, value), kind=SubjectKind.structure, unit=unit)
    return facts_of_day(settings_of(folder), engine, DAY)


@pytest.mark.parametrize(
    ("role", "also_in", "found"),
    [
        (2, None, (STRUCTURE, COPY)),
        (0, None, (STRUCTURE,)),
        (0, OTHER_CF, (STRUCTURE, COPY)),
        (0, "PLEX1/CF09", (STRUCTURE,)),
    ],
)
def test_a_copy_is_known_by_its_role_or_by_the_scenario(
    tmp_path: Path, role: float, also_in: str | None, found: tuple[str, ...]
) -> None:
    assert copies_of(duplexed_in(tmp_path, role).observed, STRUCTURE, also_in) == found


def test_waiting_messages_fill_both_copies_each_by_its_own_size(tmp_path: Path) -> None:
    outage = {"outage_minutes": 5, "cfcc_level": 25}
    workload = messages(structure=STRUCTURE, duplexed_in=OTHER_CF, **outage)
    seen = world(duplexed_in(tmp_path, 2), workload=[workload])
    first, second = (peak(seen, ENTRIES, copy) - 20 for copy in (STRUCTURE, COPY))
    assert first > 0
    assert second == pytest.approx(2 * first)
    assert not [figure for figure in seen.computed if "copy" in figure.name]


def test_growth_of_one_copy_is_growth_of_the_other(tmp_path: Path) -> None:
    growth = {"subjects": [STRUCTURE], "pct": 500}
    seen = world(duplexed_in(tmp_path, 2), growth=[growth])
    assert [peak(seen, ENTRIES, copy) for copy in (STRUCTURE, COPY)] == [120, 120]


def test_a_copy_that_no_record_shows_needs_the_storage_of_the_first(tmp_path: Path) -> None:
    engine = filled(tmp_path)
    known = facts_of_day(settings_of(tmp_path), engine, DAY)
    workload = messages(structure=STRUCTURE, duplexed_in=OTHER_CF)
    [copy] = [
        figure for figure in world(known, workload=[workload]).computed if figure.unit == "MiB"
    ]
    assert (copy.subject, copy.before, copy.after) == (OTHER_CF, None, 512)
    assert copy.lines[0].startswith(f"512 MiB, the size of {CF}/QSG1APPL1")


def test_a_larger_structure_takes_its_storage_in_both_facilities(tmp_path: Path) -> None:
    change = {"subject": STRUCTURE, "structure_size_mib": 1_024}
    seen = world(duplexed_in(tmp_path, 2), configuration=[change])
    storage = {figure.subject: figure.after for figure in seen.computed if figure.unit == "MiB"}
    assert storage == {CF: 1_024, OTHER_CF: 1_024}


def test_faster_and_more_engines_bring_busy_down(known: DayFacts) -> None:
    hardware = {"subject": CF, "engines": 4, "lspr_ratio": 0.8}
    seen = world(known, hardware=[hardware])
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 * 2 / 4 * 0.8)
    assert seen.facts.estate.sysplexes[0].cfs[0].engines == 4


def test_a_new_cfcc_level_takes_its_share_of_each_structure(known: DayFacts) -> None:
    hardware = {"subject": CF, "cfcc_level_from": 24, "cfcc_level": 25}
    seen = world(known, hardware=[hardware])
    assert peak(seen, "structure_entries_used_pct", STRUCTURE) == pytest.approx(20 * 512 / 504)


def test_offload_slows_the_growth_of_elements_above_the_tier_of_the_size(known: DayFacts) -> None:
    change = {"subject": STRUCTURE, "offload": "SMDS", "message_bytes": 8_192}
    seen = world(known, configuration=[change])
    slope = 2 / 34
    assert peak(seen, "structure_elements_used_pct", STRUCTURE) == pytest.approx(80 + 8 * slope)


def test_dasd_of_another_class_has_another_maximum_rate(known: DayFacts) -> None:
    hardware = {
        "subject": QUEUE_MANAGER,
        "dasd_class_from": "ESS 800",
        "dasd_class": "DS8900F (RAID 5) 4 stripes",
        "message_bytes": 5_120,
    }
    seen = world(known, hardware=[hardware])
    [computed] = seen.computed
    manager = seen.facts.estate.sysplexes[0].qmgrs[0]
    assert manager.model_dump()["log_ceiling_mib_per_s"] == 193
    assert computed.before == pytest.approx(100 * 0.8 / 16.5)
    assert computed.after == pytest.approx(100 * 0.8 / 193)


def test_dual_logging_doubles_what_is_written_not_the_rate(known: DayFacts) -> None:
    change = {"subject": QUEUE_MANAGER, "dual_logging": True}
    seen = world(known, configuration=[change])
    [computed] = seen.computed
    assert computed.after == pytest.approx(1.6)
    assert peak(seen, "log_growth_mib_per_s", QUEUE_MANAGER) == 0.8


def test_engines_of_a_lost_facility_relieve_no_survivor(known: DayFacts) -> None:
    """CF02 is measured with 20 % of 2 engines; what CF01 takes over stays 40 % of an engine."""
    [plex] = known.estate.sysplexes
    cfs = [one.model_copy(update={"takes_over": "CF02"}) if one.name == "CF01" else one
           for one in plex.cfs]  # fmt: skip
    estate = known.estate.model_copy(
        update={"sysplexes": (plex.model_copy(update={"cfs": tuple(cfs)}),)}
    )
    facts = known._replace(estate=estate)
    rule = all_rules()["CF-SURVIVOR"]
    before = verdict_of(rule, CF, facts)
    after = verdict_of(rule, CF, world(facts, hardware=[{"subject": OTHER_CF, "engines": 8}]).facts)
    assert before is not None
    assert after is not None
    assert after.finding.observed == pytest.approx(before.finding.observed)
