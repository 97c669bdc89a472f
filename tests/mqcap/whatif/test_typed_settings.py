"""Every setting that a scenario takes changes a result, or is refused with the reason."""

from datetime import timedelta
from itertools import product
from typing import Any, Final

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.judging.confidence import DUPLEX_ROLE, DYNDISP, DYNDISP_CODES
from mqcap.judging.evaluate import DayFacts, verdict_of
from mqcap.judging.inputs import values_of
from mqcap.judging.observed import Observed
from mqcap.operands.declared import ValueForm, setting_of
from mqcap.store.models import WindowDay
from mqcap.whatif.parts import keys_of
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import (
    measured_settings,
    refuse_below_use,
    refuse_without_effect,
    todays_values,
)
from sizing.rulebook.registry import all_rules
from spark_apps.registry import all_metrics
from tests.mqcap.judging.observations import with_series
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, new_store, settings_of
from tests.mqcap.whatif.builders import CF, CHINIT, PAGE_SET, POOL, STRUCTURE, typed

TPF: Final = "EAST/TPF1"
SUBJECTS: Final = {
    SubjectKind.queue_manager: QUEUE_MANAGER,
    SubjectKind.channel_initiator: CHINIT,
    SubjectKind.buffer_pool: POOL,
    SubjectKind.page_set: PAGE_SET,
    SubjectKind.coupling_facility: CF,
    SubjectKind.structure: STRUCTURE,
    SubjectKind.distributed_queue_manager: "EAST/QM1",
    SubjectKind.distributed_queue: "EAST/QM1/APP.IN",
    SubjectKind.distributed_channel: "EAST/QM1/CHANNEL/APP.SVRCONN",
    SubjectKind.mq_host: "EAST/mq1",
    SubjectKind.linux_host: "EAST/mq1",
    SubjectKind.ztpf_system: TPF,
}
ESTATE: Final = {
    "sysplexes": [
        {
            "sysplex": "PLEX1",
            "qmgrs": [
                {"name": "CSQ1", "active_log_size_mib": 2_000, "active_logs": 4, "outbuff_kb": 400}
            ],
            "cfs": [{"name": "CF01", "engines": 50}],
        }
    ],
    "places": [
        {
            "site": "EAST",
            "hosts": [{"name": "mq1"}],
            "qmgrs": [{"name": "QM1"}],
            "ztpf": [{"name": "TPF1"}],
        }
    ],
}
MEASURED: Final = 40.0
WORDS: Final[dict[str, Any]] = {
    "accounting_class": 3,
    "accounting_queues": 3,
    "dyndisp": "thin",
    "mq_version": "9.4.0",
    "qsg": "QSG9",
    "takes_over": "CF02",
    "log_file_pages": 64,
    "channels_moved": 30,
}
"""Values of keys that have no range in the table of operands, or another one."""
REASONS: Final = (
    "is less than what is in use",
    "changes no result",
    "is measured",
    "counts only when",
)
SERIES_ALONE: Final = {"actchl"}
"""Settings whose series changes, and no rule reads it."""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """Every metric of every kind of subject but roles at one value for three days."""
    folder = tmp_path_factory.mktemp("typed")
    days = [
        WindowDay(
            metric.name,
            SUBJECTS[metric.subject_kind],
            metric.subject_kind,
            metric.unit,
            DAY - timedelta(days=back),
            *(MEASURED,) * 3,
        )
        for metric, back in product(all_metrics(), range(3))
        if metric.subject_kind in SUBJECTS and metric.name != DUPLEX_ROLE
    ]
    estate = Estate.model_validate(ESTATE)
    return DayFacts(Observed(days, DAY, 35), {}, estate, settings_of(folder), new_store(folder))


def value_of(kind: SubjectKind, key: str) -> object:
    """Another value than today's, in the range of the key."""
    found = setting_of(kind, key)
    if key in WORDS or found is None:
        return WORDS.get(key, 57)
    if found.form is ValueForm.switch:
        return True
    return max(57, 2 * (found.low or 0))


def results_of(facts: DayFacts, kind: SubjectKind) -> list[object]:
    """What every rule reads for the subjects that a setting can be about.

    Of coupling facilities also what the rules say: how engines are shared decides it.
    """
    owner = SUBJECTS[kind].split("/")[:2]
    results: list[object] = []
    for rule in all_rules().values():
        for each in (rule.traits.subject_kind, *rule.traits.also_of):
            subject = SUBJECTS.get(each, "")
            if subject.split("/")[:2] == owner:
                results.append(values_of(rule, subject, facts.observed, facts.estate))
                if each is kind is SubjectKind.coupling_facility:
                    verdict = verdict_of(rule, subject, facts)
                    results.append(verdict.finding.caveats if verdict is not None else None)
    return results


def is_refused_or_changes(known: DayFacts, kind: SubjectKind, key: str, before: Any) -> bool:
    """Whether a setting is refused with a reason that names it, or another result is found."""
    settings = {key: value_of(kind, key)}
    try:
        seen = typed(known, SUBJECTS[kind], **settings)
    except ConfigurationError as refusal:
        return refusal.args[0].startswith(key) and any(reason in str(refusal) for reason in REASONS)
    shown = seen.computed or (key in SERIES_ALONE and seen.effects)
    return bool(shown) or results_of(seen.facts, kind) != before


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in SUBJECTS if keys_of(kind)])
def test_a_setting_changes_a_result_where_everything_is_measured_or_is_refused(
    known: DayFacts, kind: SubjectKind
) -> None:
    before = results_of(known, kind)
    keys = sorted(keys_of(kind))
    assert [k for k in keys if not is_refused_or_changes(known, kind, k, before)] == []


@pytest.mark.parametrize(
    ("key", "value", "rule_input"), [("mqm_blocks", 80, "blocks"), ("mqmswpl_pct", 90, "level_pct")]
)
def test_a_typed_size_or_limit_replaces_the_measured_one(
    known: DayFacts, key: str, value: int, rule_input: str
) -> None:
    verdict = verdict_of(
        all_rules()["TPF-SWEEP-LEVEL"], TPF, typed(known, TPF, **{key: value}).facts
    )
    assert verdict is not None
    assert {each.name: each.value for each in verdict.finding.inputs}[rule_input] == value


@pytest.mark.parametrize("key", ["mqm_in_use_blocks", "mqm_high_water_blocks", "sweeps_per_day"])
def test_a_measured_load_grows_in_per_cent_and_cannot_be_typed(known: DayFacts, key: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{key} of {TPF} is measured.*growth: "):
        typed(known, TPF, **{key: 50})


def test_what_is_not_measured_is_that_of_the_estate(known: DayFacts) -> None:
    empty = known._replace(observed=Observed([], DAY, 35))
    seen = typed(empty, TPF, mqm_blocks=80, mqm_in_use_blocks=10)
    [system] = seen.facts.estate.places[0].ztpf
    assert (system.mqm_blocks, system.mqm_in_use_blocks, seen.effects) == (80, 10, ())


def test_a_key_of_a_channel_initiator_is_measured_at_its_queue_manager(known: DayFacts) -> None:
    found = measured_settings(known, CHINIT, "accounting_lost_count")
    assert [(each.subject, each.is_load) for each in found] == [(QUEUE_MANAGER, True)]


def test_todays_value_is_the_measured_one_that_rules_read(known: DayFacts) -> None:
    values = todays_values(known, TPF, SubjectKind.ztpf_system)
    assert values["mqm_blocks"] == MEASURED


def test_how_engines_are_shared_replaces_what_the_records_say(known: DayFacts) -> None:
    days = [day._replace(peak=0.0) for day in known.observed.whole_series(DYNDISP, CF)]
    off = known._replace(observed=with_series(known.observed, {(DYNDISP, CF): days}))
    seen = typed(off, CF, dyndisp="thin")
    [code] = {day.peak for day in seen.facts.observed.days(DYNDISP, CF)}
    assert DYNDISP_CODES[int(code)] == "thin"


@pytest.mark.parametrize("lose", [(), ("PLEX1/CF01",)])
def test_storage_of_a_facility_counts_only_with_a_loss(lose: tuple[str, ...]) -> None:
    part = {"subject": CF, "storage_mib": 8_192}
    scenario = Scenario.model_validate({"configuration": [part], "lose": lose})
    if lose:
        refuse_without_effect(scenario)
        return
    with pytest.raises(ConfigurationError, match="counts only when something is lost"):
        refuse_without_effect(scenario)


QMGR = "EAST/QM1"
ZTPF, DISTRIBUTED = SubjectKind.ztpf_system, SubjectKind.distributed_queue_manager
IN_USE = [
    ("tpf_mqm_in_use_blocks", TPF, ZTPF, 96_000.0),
    ("page_set_used_pages", PAGE_SET, SubjectKind.page_set, 50_000.0),
    ("structure_size_mib", STRUCTURE, SubjectKind.structure, 500.0),
    ("structure_entries_used_pct", STRUCTURE, SubjectKind.structure, 20.0),
    ("structure_elements_used_pct", STRUCTURE, SubjectKind.structure, 88.0),
    ("smds_used_pct", QUEUE_MANAGER, SubjectKind.queue_manager, 60.0),
    ("mq_log_fs_used_pct", QMGR, DISTRIBUTED, 78.0),
    ("mq_qmgr_fs_used_pct", QMGR, DISTRIBUTED, 70.0),
    ("buffer_pool_used_pct", POOL, SubjectKind.buffer_pool, 96.0),
    ("chinit_64bit_used_mib", CHINIT, SubjectKind.channel_initiator, 3_000.0),
]


@pytest.fixture(scope="module")
def in_use(known: DayFacts) -> DayFacts:
    """Today's use, and twice of it the day before."""
    days = [
        WindowDay(metric, subject, kind, "", DAY - timedelta(days=back), *(value * (1 + back),) * 3)
        for metric, subject, kind, value in IN_USE
        for back in (1, 0)
    ]
    return known._replace(observed=Observed(days, DAY, 35))


def scenario(subject: str, settings: dict[str, Any]) -> Scenario:
    return Scenario.model_validate({"configuration": [{"subject": subject, **settings}]})


@pytest.mark.parametrize(
    ("subject", "key", "least"),
    [
        (TPF, "mqm_blocks", 96_000),
        (PAGE_SET, "pages", 50_000),
        (STRUCTURE, "structure_size_mib", 440),
        (QUEUE_MANAGER, "smds_size_pct", 60),
        (QMGR, "log_file_system_size_pct", 78),
        (QMGR, "data_file_system_size_pct", 70),
    ],
)
def test_a_size_below_what_is_in_use_today_is_refused(
    in_use: DayFacts, subject: str, key: str, least: int
) -> None:
    for enough in (least, least + 1):
        refuse_below_use(in_use, scenario(subject, {key: enough}))
    with pytest.raises(ConfigurationError, match=f"{key} of {subject} is less than") as refused:
        refuse_below_use(in_use, scenario(subject, {key: least - 1}))
    assert f"at least {least:,} " in str(refused.value)


def test_limits_and_memory_may_be_below_what_is_in_use(in_use: DayFacts) -> None:
    refuse_below_use(in_use, scenario(POOL, {"buffers": 100}))
    refuse_below_use(in_use, scenario(CHINIT, {"memlimit_gib": 1}))


def test_a_size_whose_use_is_not_measured_is_not_refused(in_use: DayFacts) -> None:
    refuse_below_use(in_use, scenario("EAST/TPF2", {"mqm_blocks": 100}))
    refuse_below_use(in_use, scenario(f"{QUEUE_MANAGER}/PS04", {"pages": 100}))
