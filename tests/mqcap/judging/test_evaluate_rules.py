import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.estate import CouplingFacility, QueueManager, Sysplex
from mqcap.domain.estate.configured import BufferPoolFacts, LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.judging.deferred import DeferredMapping, part_of
from mqcap.settings import load_settings
from mqcap.store.database import Store
from tests.mqcap.judging.observations import findings_of
from tests.mqcap.rulebook.builders import DAY, days, observe, observe_limit

POOL = "PLEX1/CSQ1/BP02"
CF = SubjectKind.coupling_facility
STRUCTURE = SubjectKind.structure


def judged(engine: Store, lake: Path | None = None, **plex: Any) -> dict[tuple[str, str], Finding]:
    facts: dict[str, Any] = {"sysplex": "PLEX1", "qmgrs": (QueueManager(name="CSQ1"),)}
    settings = load_settings(estate=(Sysplex.model_validate({**facts, **plex}),))
    if lake is not None:
        settings = settings.model_copy(update={"lake": str(lake)})
    return findings_of(settings, engine, DAY)


def pool(engine: Store, metric: str, values: dict[date, float], unit: str = "%") -> None:
    observe(engine, metric, POOL, values, kind=SubjectKind.buffer_pool, unit=unit)


def test_a_change_is_measured_against_the_days_before_the_last_week(engine: Store) -> None:
    values = {**days(35, 4.0), **days(1, 9.0)}
    observe(engine, "log_checkpoints_per_h", "PLEX1/CSQ1", values, unit="count/h")
    finding = judged(engine)["REC-CKPT-RATE", "PLEX1/CSQ1"]
    assert (finding.observed, finding.limit_value, finding.severity) == (9.0, 6.0, Severity.watch)
    [usual] = [item for item in finding.inputs if item.name == "usual"]
    first, last = DAY - timedelta(days=34), DAY - timedelta(days=7)
    assert usual.source.endswith(f"median of the daily peak, {first} to {last}")


def test_a_pool_is_called_too_large_after_eight_weeks_only(engine: Store) -> None:
    pool(engine, "buffer_pool_used_pct", days(55, 30.0))
    assert ("BP-OVERSIZE-50", POOL) not in judged(engine)
    pool(engine, "buffer_pool_used_pct", {DAY - timedelta(days=60): 30.0})
    pool(engine, "buffer_pool_buffers_count", days(3, 1_000.0), "count")
    finding = judged(engine)["BP-OVERSIZE-50", POOL]
    assert (finding.observed, finding.severity) == (30.0, Severity.suggestion)
    assert finding.changes[0].typed == "BUFFERS(400)"
    assert "at most 30 % of the pool were in use on 56 days" in finding.summary
    pool(engine, "buffer_pool_used_pct", {DAY - timedelta(days=58): 70.0})
    finding = judged(engine)["BP-OVERSIZE-50", POOL]
    assert (finding.observed, finding.severity) == (70.0, Severity.ok)


def test_a_rule_that_restates_another_names_it(engine: Store) -> None:
    pool(engine, "buffer_pool_used_pct", days(3, 97.0))
    findings = judged(engine)
    assert findings["BP-FREE-15", POOL].superseded_by == ""
    assert findings["BP-SYNC-5", POOL].superseded_by == "BP-FREE-15"
    assert findings["BP-SYNC-5", POOL].severity is Severity.act


def test_a_structure_that_smf_has_is_not_reported_again_by_its_samples(engine: Store) -> None:
    sampled, measured = "PLEX1/QSG1/QSG1APPL1", "PLEX1/CF02/QSG1APPL1"
    of_group = SubjectKind.group_structure
    entries = "structure_entries_used_pct"
    observe(engine, f"odp_{entries}", sampled, days(3, 85.0), kind=of_group, unit="%")
    found = judged(engine)["CFS-SAMPLED-FULL", sampled]
    assert (found.severity, found.superseded_by) == (Severity.act, "")
    observe(engine, entries, "PLEX1/CF01/QSG1APPL1", days(3, 40.0), kind=STRUCTURE, unit="%")
    assert judged(engine)["CFS-SAMPLED-FULL", sampled].superseded_by == ""
    observe(engine, entries, measured, days(3, 85.0), kind=STRUCTURE, unit="%")
    findings = judged(engine)
    assert findings["CFS-SAMPLED-FULL", sampled].superseded_by == "CFS-FULL"
    assert findings["CFS-FULL", measured].superseded_by == ""


@pytest.mark.parametrize(("worst_pct", "counted_pct"), [(100.0, 50.0), (104.0, 52.0)])
def test_a_queue_that_filled_up_before_its_limit_was_raised_is_not_full(
    engine: Store, worst_pct: float, counted_pct: float
) -> None:
    queue, kind = "EAST/QM1/APP.IN", SubjectKind.distributed_queue
    used, limit = "mq_queue_depth_used_pct", "mq_queue_depth_max_count"
    before = DAY - timedelta(days=9)
    observe(engine, used, queue, {**days(3, 40.0), before: worst_pct}, kind=kind, unit="%")
    full = judged(engine)["DST-DEPTH", queue]
    assert (full.breach, full.observed) == (True, worst_pct)
    limits = {**days(3, 10_000.0), before: 5_000.0}
    observe_limit(engine, limit, queue, limits, kind)
    found = judged(engine)["DST-DEPTH", queue]
    assert (found.breach, found.observed) == (False, counted_pct)
    assert found.observed_source is not None
    assert found.observed_source.when.endswith(", x 0.5 (limit of that day / newest limit)")


def test_the_estate_states_which_pools_are_short_lived(engine: Store) -> None:
    pool(engine, "buffer_pool_deferred_count", days(3, 5.0), "count/h")
    assert ("BP-DWT-ZERO", POOL) not in judged(engine)
    manager = QueueManager(name="CSQ1", buffer_pools=(BufferPoolFacts(number=2, short_lived=True),))
    assert judged(engine, qmgrs=(manager,))["BP-DWT-ZERO", POOL].breach


def test_a_facility_is_judged_with_the_load_of_the_one_it_takes_over(engine: Store) -> None:
    for name, busy, engines in (("CF01", 40.0, 2.0), ("CF02", 50.0, 2.0)):
        observe(engine, "cf_busy_pct", f"PLEX1/{name}", days(5, busy), kind=CF, unit="%")
        count = days(5, engines)
        observe(engine, "cf_engine_count", f"PLEX1/{name}", count, kind=CF, unit="count")
    assert ("CF-SURVIVOR", "PLEX1/CF01") not in judged(engine)
    facility = CouplingFacility(name="CF01", takes_over="CF02")
    finding = judged(engine, cfs=(facility,))["CF-SURVIVOR", "PLEX1/CF01"]
    assert (finding.observed, finding.limit_value, finding.breach) == (90.0, 60.0, True)
    assert finding.changes[0].typed == "ICF engines: 3"


def test_members_of_the_group_decide_the_entries_of_its_administration(engine: Store) -> None:
    structure = "PLEX1/CF01/QSG1CSQ_ADMIN"
    count = days(3, 2_500.0)
    observe(engine, "structure_entries_count", structure, count, kind=STRUCTURE, unit="count")
    members = tuple(QueueManager(name=f"CSQ{number}", qsg="QSG1") for number in range(3))
    finding = judged(engine, qmgrs=members)["CFS-ADMIN", structure]
    assert (finding.limit_value, finding.breach) == (3_000.0, True)


def test_storage_class_memory_is_a_matter_of_structures_that_have_it(engine: Store) -> None:
    structure, used = "PLEX1/CF01/QSG1APPL1", days(3, 95.0)
    observe(engine, "structure_entries_used_pct", structure, used, kind=STRUCTURE, unit="%")
    assert ("SCM-90", structure) not in judged(engine)
    facts = StructureFacts(name="QSG1APPL1", storage_class_memory=True)
    facility = CouplingFacility(name="CF01", structures=(facts,))
    finding = judged(engine, cfs=(facility,))["SCM-90", structure]
    assert (finding.breach, finding.superseded_by) == (True, "CFS-FULL")


def test_what_a_system_reports_comes_before_what_is_typed_and_says_so(engine: Store) -> None:
    name, kind = "PLEX1/TPF1", SubjectKind.ztpf_system
    observe(engine, "tpf_mqm_in_use_blocks", name, days(3, 810.0), kind=kind, unit="count")
    system = ZtpfSystem(name="TPF1", mqm_blocks=1_000, mqm_in_use_blocks=700, sweeps_per_day=99)
    findings = judged(engine, ztpf=(system,))
    used = findings["TPF-SWEEP-LEVEL", name]
    assert (used.breach, used.observed) == (True, 81)
    by_name = {value.name: value.source for value in used.inputs}
    assert by_name["in_use_blocks"].startswith("tpf_mqm_in_use_blocks/PLEX1/TPF1, peak of")
    assert "(instead of settings, estate PLEX1/TPF1: mqm_in_use_blocks)" in by_name["in_use_blocks"]
    assert by_name["blocks"] == "settings, estate PLEX1/TPF1: mqm_blocks"
    assert findings["TPF-SWEEP-FREQ", name].observed == 99
    observe(engine, "tpf_system_sweep_count", name, days(3, 101.0), kind=kind, unit="count")
    assert judged(engine, ztpf=(system,))["TPF-SWEEP-FREQ", name].observed == 101


def test_linux_and_ztpf_may_be_known_from_the_estate_only(engine: Store) -> None:
    host = LinuxHost(name="lnx1", cpu_pct=97.0, network_gigabits=10.0)
    system = ZtpfSystem(name="TPF1", mqm_blocks=1_000, mqm_in_use_blocks=700)
    findings = judged(engine, linux=(host,), ztpf=(system,))
    assert findings["LNX-CPU", "PLEX1/lnx1"].breach
    assert findings["LNX-NET", "PLEX1/lnx1"].severity is Severity.unknown
    assert "network_used_gigabits" in findings["LNX-NET", "PLEX1/lnx1"].missing[0]
    assert ("LNX-PAGING", "PLEX1/lnx1") not in findings
    assert not findings["TPF-SWEEP-LEVEL", "PLEX1/TPF1"].breach
    assert ("TPF-SWEEP-FREQ", "PLEX1/TPF1") not in findings


def with_uncertain_bypass(lake: Path) -> None:
    catalogue = [{"name": "log_dfw_bypass_pct", "uncertain": ["R745DFWB"]}]
    (lake / "metric_catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")


@pytest.mark.parametrize(
    ("share_pct", "severity", "breach"),
    [(0.4, Severity.ok, False), (1.0, Severity.watch, False), (30.3, Severity.watch, True)],
)
def test_a_measured_bypass_of_the_log_volumes_is_watch_at_most(
    engine: Store, tmp_path: Path, share_pct: float, severity: Severity, breach: bool
) -> None:
    with_uncertain_bypass(tmp_path)
    observe(engine, "log_dfw_bypass_pct", "PLEX1/CSQ1", days(3, share_pct), unit="%")
    typed = {"name": "CSQ1", "dfw_bypass_pct": 50.0}
    finding = judged(engine, tmp_path, qmgrs=(typed,))["LOG-DFWBP", "PLEX1/CSQ1"]
    assert (finding.observed, finding.severity, finding.breach) == (share_pct, severity, breach)
    computed, replaced = finding.caveats[-2:]
    assert "Computed only from R745DFWB" in computed
    assert replaced == (
        "dfw_bypass_pct = 50 of PLEX1/CSQ1 in the settings is not used: log_dfw_bypass_pct is "
        "measured."
    )


@pytest.mark.parametrize(
    "typed", [{"dfw_bypass_pct": 30.3}, {"dfw_bypass_per_s": 303, "dasd_io_per_s": 1_000}]
)
def test_a_typed_bypass_is_judged(engine: Store, tmp_path: Path, typed: dict[str, float]) -> None:
    with_uncertain_bypass(tmp_path)
    finding = judged(engine, tmp_path, qmgrs=({"name": "CSQ1", **typed},))[
        "LOG-DFWBP", "PLEX1/CSQ1"
    ]
    assert (finding.severity, finding.caveats) == (Severity.act, ())
    assert finding.observed == pytest.approx(30.3)


class Sums:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        return 3


def test_a_value_is_computed_when_it_is_first_read_and_kept() -> None:
    later, never = Sums(), Sums()
    replaced = DeferredMapping({"a": 1, "b": 2}, {"b": never})
    values = DeferredMapping(replaced, {"b": later, "c": later})
    assert (list(values), len(values), "c" in values, later.times) == (["a", "b", "c"], 3, True, 0)
    assert [values["b"], values["b"], values["a"]] == [3, 3, 1]
    assert (later.times, never.times) == (1, 0)
    assert dict(values) == {"a": 1, "b": 3, "c": 3}


def test_mappings_made_from_one_another_share_what_was_computed() -> None:
    later = Sums()
    values = DeferredMapping({}, {"a": later, "b": later})
    again, part = DeferredMapping(values), part_of(values, ["a"])
    assert (list(part), later.times) == (["a"], 0)
    assert values["a"] == again["a"] == part["a"] == 3
    assert later.times == 1
