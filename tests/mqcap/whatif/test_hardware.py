"""Effects of other hardware, log copies and offload."""

from __future__ import annotations

import pytest

from mqcap.judging.evaluate import DayFacts, verdict_of
from sizing.rulebook.registry import all_rules
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    OTHER_CF,
    STRUCTURE,
    known_in,
    peak,
    world,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("whatif"))


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
