"""Other sizes, counts and limits under the same load, and those of today."""

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.whatif.overlay import Overlay
from mqcap.whatif.typed_settings import todays_values
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    OTHER_CF,
    PAGE_SET,
    POOL,
    STRUCTURE,
    peak,
    typed,
)


def is_breach(seen: Overlay, rule: str, subject: str) -> bool:
    """Whether the rule is broken under the scenario."""
    [finding] = [
        verdict.finding
        for verdict in judge_facts(seen.facts)
        if (verdict.finding.rule_id, verdict.finding.subject) == (rule, subject)
    ]
    return bool(finding.breach)


@pytest.mark.parametrize(
    ("subject", "settings", "metric", "expected"),
    [
        (POOL, {"buffers": 20_000}, "buffer_pool_buffers_count", 20_000),
        (POOL, {"buffers": 20_000}, "buffer_pool_used_pct", 48),
        (PAGE_SET, {"pages": 200_000}, "page_set_used_pct", 25),
        (PAGE_SET, {"pages": 200_000}, "page_set_used_pages", 50_000),
        (STRUCTURE, {"structure_size_mib": 1_024}, "structure_size_mib", 1_024),
        (STRUCTURE, {"structure_size_mib": 1_024}, "structure_elements_used_pct", 44),
        (STRUCTURE, {"structure_size_mib": 1_024}, "structure_entries_used_pct", 10),
        (STRUCTURE, {"structure_size_mib": 1_024}, "structure_entries_count", 80_000),
        (CHINIT, {"maxchl": 900}, "channels_current_limit_count", 900),
        (CHINIT, {"adapters": 16}, "chinit_adapters_count", 16),
        (CHINIT, {"adapters": 16}, "chinit_adapters_used_count", 8),
        (CHINIT, {"adapters": 16}, "chinit_31bit_used_mib", 700 + 8 * 150 / 1_024),
        (CHINIT, {"adapters": 4}, "chinit_31bit_used_mib", 700 - 4 * 150 / 1_024),
        (CHINIT, {"dispatchers": 10}, "chinit_dispatcher_busy_pct", 45),
        (CHINIT, {"memlimit_gib": 4}, "chinit_64bit_used_pct", 100 * 500 / 4_096),
        (CHINIT, {"chinit_31bit_limit_mib": 1_600}, "chinit_31bit_used_pct", 43.75),
        (QUEUE_MANAGER, {"chinit_31bit_limit_mib": 1_600}, None, 43.75),
        (QUEUE_MANAGER, {"active_log_size_mib": 4_096}, "log_archive_min", 18),
        (QUEUE_MANAGER, {"active_logs": 12}, "log_archive_min", 9),
        (CHINIT, {"channels_moved": 100}, "channels_current_count", 400),
        (CHINIT, {"channels_moved": 100}, "chinit_31bit_used_mib", 700 - 100 * 90 / 1_024),
        (QUEUE_MANAGER, {"smds_buffers": 200}, "smds_buffers_count", 200),
        (QUEUE_MANAGER, {"smds_buffers": 200}, "smds_buffers_used_pct", 50),
        (QUEUE_MANAGER, {"smds_buffers": 200}, "smds_buffer_waits_pct", 0),
        (QUEUE_MANAGER, {"smds_buffers": 100}, "smds_buffer_waits_pct", 2),
        (QUEUE_MANAGER, {"smds_size_pct": 200}, "smds_used_pct", 30),
        (QUEUE_MANAGER, {"log_compression_pct": 40}, "log_growth_mib_per_s", 0.48),
        (QUEUE_MANAGER, {"log_compression_pct": 40}, "log_task_busy_pct", 12),
        (QUEUE_MANAGER, {"logload": 4_000_000}, "log_checkpoints_per_h", 1),
    ],
)
def test_a_size_replaces_the_old_one_and_scales_its_shares(
    sized: DayFacts, subject: str, settings: dict[str, Any], metric: str | None, expected: float
) -> None:
    seen = typed(sized, subject, **settings)
    of = CHINIT if metric is None else subject
    assert peak(seen, metric or "chinit_31bit_used_pct", of) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("buffers", "deferred", "short"),
    [
        (9_600 * 100 // 95 - 1, 4, 1),
        (10_106, 4, 0),
        (9_600 * 100 // 85 - 1, 4, 0),
        (11_295, 0, 0),
    ],
)
def test_events_of_a_pool_end_where_enough_of_it_is_free(
    sized: DayFacts, buffers: int, deferred: float, short: float
) -> None:
    seen = typed(sized, POOL, buffers=buffers)
    assert peak(seen, "buffer_pool_deferred_count", POOL) == deferred
    assert peak(seen, "buffer_pool_short_count", POOL) == short


@pytest.mark.parametrize(
    ("subject", "rule", "key", "wrong", "enough"),
    [
        (POOL, "BP-FREE-15", "buffers", [10_000, 11_294], 11_295),
        (STRUCTURE, "CFS-FULL-ELEMENTS", "structure_size_mib", [512, 563], 564),
        (CHINIT, "CHI-ADAPTER-UNUSED", "adapters", [8], 9),
        (QUEUE_MANAGER, "SMDS-BUFS-WAIT", "smds_buffers", [100], 103),
    ],
)
def test_a_rule_is_evaluated_again_with_the_new_size(
    sized: DayFacts, subject: str, rule: str, key: str, wrong: list[int], enough: int
) -> None:
    for size in wrong:
        assert is_breach(typed(sized, subject, **{key: size}), rule, subject)
    assert not is_breach(typed(sized, subject, **{key: enough}), rule, subject)


@pytest.mark.parametrize(
    ("before_kb", "after_kb", "waits"),
    [(None, 4_000, 3), (4_000, 4_000, 3), (400, 399, 3), (400, 401, 0)],
)
def test_waits_for_log_buffers_end_with_more_of_them_than_are_configured(
    sized: DayFacts, before_kb: int | None, after_kb: int, waits: float
) -> None:
    document = sized.estate.model_dump(by_alias=True)
    for manager in document["sysplexes"][0]["qmgrs"]:
        manager["outbuff_kb"] = before_kb
    configured = sized._replace(estate=Estate.model_validate(document))
    seen = typed(configured, QUEUE_MANAGER, outbuff_kb=after_kb)
    assert peak(seen, "log_buffer_wait_count", QUEUE_MANAGER) == waits


def test_each_effect_has_its_arithmetic_and_says_what_is_assumed(sized: DayFacts) -> None:
    seen = typed(sized, POOL, buffers=20_000)
    lines = {effect.metric: effect.lines for effect in seen.effects}
    assert lines["buffer_pool_buffers_count"] == (
        "20,000 instead of 10,000, as stated in the scenario",
    )
    assert lines["buffer_pool_used_pct"] == (
        (
            "share x 10,000 / 20,000 = share x 0.5: the amount in use stays the same "
            "(first estimate, ours)"
        ),
    )
    [line] = lines["buffer_pool_deferred_count"]
    assert "not above 85 % [MP16" in line


def test_storage_that_a_size_takes_is_a_figure_of_its_own(sized: DayFacts) -> None:
    [pool] = typed(sized, POOL, buffers=20_480).computed
    assert (pool.subject, pool.before, pool.after) == (POOL, 10_000 * 4_096 / 2**20, 80)
    [structure] = typed(sized, STRUCTURE, structure_size_mib=1_024).computed
    assert (structure.subject, structure.before, structure.after) == (CF, 512, 1_024)


@pytest.mark.parametrize(
    ("subject", "settings", "missing"),
    [
        (f"{QUEUE_MANAGER}/BP09", {"buffers": 1_000}, "buffer_pool_buffers_count"),
        (f"{QUEUE_MANAGER}/PS09", {"pages": 1_000}, "page_set_used_pct"),
        (CHINIT, {"ssltasks": 8}, "chinit_ssltasks_count"),
        ("PLEX1/CSQ7", {"log_compression_pct": 20}, "log_growth_mib_per_s"),
        ("PLEX1/CSQ7", {"smds_size_pct": 200}, "smds_used_pct"),
    ],
)
def test_a_size_that_is_not_measured_is_an_error(
    sized: DayFacts, subject: str, settings: dict[str, Any], missing: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"{missing} of {subject} is not measured"):
        typed(sized, subject, **settings)


@pytest.mark.parametrize(
    ("subject", "kind", "expected"),
    [
        (POOL, SubjectKind.buffer_pool, {"buffers": 10_000}),
        (PAGE_SET, SubjectKind.page_set, {"pages": 100_000}),
        (STRUCTURE, SubjectKind.structure, {"structure_size_mib": 512}),
        (
            CHINIT,
            SubjectKind.channel_initiator,
            {
                "adapters": 8,
                "dispatchers": 5,
                "maxchl": 600,
                "memlimit_gib": 2_000 / 1_024,
                "chinit_31bit_limit_mib": 1_400,
            },
        ),
        (CF, SubjectKind.coupling_facility, {"engines": 2}),
        (OTHER_CF, SubjectKind.coupling_facility, {"engines": 2}),
    ],
)
def test_sizes_are_those_of_the_last_measured_day(
    sized: DayFacts, subject: str, kind: SubjectKind, expected: dict[str, Any]
) -> None:
    values = todays_values(sized, subject, kind)
    assert {key: values.get(key) for key in expected} == expected


def test_a_configured_value_goes_before_a_measured_one(sized: DayFacts) -> None:
    plex = {
        "sysplex": "PLEX1",
        "qmgrs": [{"name": "CSQ1", "active_logs": 8, "dual_logging": False}],
        "cfs": [{"name": "CF02", "engines": 3}],
    }
    estate = Estate.model_validate({"sysplexes": [plex]})
    configured = sized._replace(estate=estate)
    manager = todays_values(configured, QUEUE_MANAGER, SubjectKind.queue_manager)
    assert (manager["active_logs"], manager["dual_logging"]) == (8, False)
    assert "active_log_size_mib" not in manager
    assert todays_values(configured, OTHER_CF, SubjectKind.coupling_facility)["engines"] == 3


@pytest.mark.parametrize(
    ("subject", "kind", "keys"),
    [
        (POOL, SubjectKind.buffer_pool, ["buffers"]),
        (PAGE_SET, SubjectKind.page_set, ["pages"]),
        (STRUCTURE, SubjectKind.structure, ["structure_size_mib"]),
        (CHINIT, SubjectKind.channel_initiator, ["adapters", "dispatchers", "maxchl"]),
    ],
)
def test_todays_values_as_a_scenario_change_no_result(
    sized: DayFacts, subject: str, kind: SubjectKind, keys: list[str]
) -> None:
    values = todays_values(sized, subject, kind)
    same = typed(sized, subject, **{key: values[key] for key in keys})
    before = [(fact.finding.severity, fact.finding.observed) for fact in judge_facts(sized)]
    after = [(fact.finding.severity, fact.finding.observed) for fact in judge_facts(same.facts)]
    assert after == before
