"""Properties of each rule, also of those not yet written."""

import math
from typing import Any

import pytest
from pydantic import BaseModel

from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import HeatColumn, ResourceKind
from sizing.rulebook.entry import Rule, sources_of, value_sources_of
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules, entries
from tests.many_values import for_each
from tests.sizing.builders import DAY, Policy

RULES = list(all_rules().values())
SUBJECTS = {
    SubjectKind.queue_manager: "PLEX1/CSQ1",
    SubjectKind.channel_initiator: "PLEX1/CSQ1/CHINIT",
    SubjectKind.buffer_pool: "PLEX1/CSQ1/BP00",
    SubjectKind.page_set: "PLEX1/CSQ1/PS00",
    SubjectKind.coupling_facility: "PLEX1/CF01",
    SubjectKind.structure: "PLEX1/CF01/QSG1APPL1",
    SubjectKind.group_structure: "PLEX1/QSG1/QSG1APPL1",
    SubjectKind.linux_host: "PLEX1/LNX1",
    SubjectKind.ztpf_system: "PLEX1/TPF1",
    SubjectKind.distributed_queue_manager: "EAST/QM1",
    SubjectKind.distributed_queue: "EAST/QM1/APP.IN",
    SubjectKind.distributed_channel: "EAST/QM1/CHANNEL/APP.SVRCONN",
    SubjectKind.mq_host: "EAST/host1",
    SubjectKind.site_object: "EAST/host1",
}
ONE_STRUCTURE = {SubjectKind.structure, SubjectKind.group_structure}
"""Both are a structure, of which facility and group report."""
LOW, HIGH = 2, 99
each_rule = for_each("rule", RULES, ids=lambda rule: rule.id)


def filled(rule: Rule, number: float) -> list[InputValue]:
    """Every required input set to one number that all of them accept."""
    return [
        InputValue(name=name, value=number)
        for name, field in rule.inputs.model_fields.items()
        if field.is_required()
    ]


def judged(rule: Rule, number: float) -> Finding:
    subject = SUBJECTS[rule.traits.subject_kind]
    return judge(rule, subject, DAY, filled(rule, number), Policy())


@for_each(
    "rule",
    [rule for rule in all_rules().values() if math.isfinite(rule.traits.longest)],
    ids=lambda rule: rule.id,
)
def test_without_load_a_time_is_the_longest_that_its_rule_tells(rule: Rule) -> None:
    given = {value.name: value.value for value in filled(rule, LOW)}
    result = rule.assess(rule.inputs.model_validate({**given, rule.traits.watches: 0}))
    assert result.observed == max(rule.traits.longest, 2 * result.limit)


@each_rule
@pytest.mark.parametrize("number", [LOW, HIGH])
def test_a_finding_is_cited_and_says_what_to_do_and_its_title_names_the_fault_of_a_breach(
    rule: Rule, number: float
) -> None:
    finding = judged(rule, number)
    assert finding.citation.document
    assert finding.citation.section
    assert finding.advice
    assert finding.arithmetic
    assert finding.unit
    assert finding.severity is not Severity.unknown
    assert finding.summary.endswith(".")
    is_fault = bool(finding.breach and rule.traits.fault)
    assert finding.title == (rule.traits.fault if is_fault else rule.title)


@each_rule
def test_a_missing_input_gives_an_unknown_finding_that_says_how_to_supply_it(rule: Rule) -> None:
    complete = filled(rule, LOW)
    for absent in complete:
        rest = [value for value in complete if value.name != absent.name]
        finding = judge(rule, "PLEX1/CSQ1", DAY, rest, Policy())
        assert finding.severity is Severity.unknown
        assert finding.breach is None
        assert any(line.startswith(f"{absent.name}: ") for line in finding.missing)
        assert all(len(line) > len(absent.name) + 10 for line in finding.missing)


@each_rule
def test_an_impossible_value_gives_an_unknown_finding_instead_of_an_error(rule: Rule) -> None:
    name = next(n for n, field in rule.inputs.model_fields.items() if field.is_required())
    broken = [value for value in filled(rule, LOW) if value.name != name]
    finding = judge(
        rule, "PLEX1/CSQ1", DAY, [*broken, InputValue(name=name, value="not a number")], Policy()
    )
    assert finding.severity is Severity.unknown
    assert finding.missing[0].startswith(name)


@each_rule
def test_a_rule_applies_when_its_inputs_are_there_or_its_twin_does(rule: Rule) -> None:
    result = dict.fromkeys(rule.inputs.model_fields, "yes") | {
        value.name: value.value for value in filled(rule, HIGH)
    }
    assert rule.applies_to(result) or rule.id == "CF-BUSY-1"


@each_rule
def test_every_input_has_a_source_and_a_rule_without_a_metric_is_not_asked_everywhere(
    rule: Rule,
) -> None:
    """What a site need not have is asked for once something says that it has it."""
    sources = value_sources_of(rule.inputs)
    assert all(sources.values())
    if not any(isinstance(mark, FromMetric) for marks in sources.values() for mark in marks):
        assert not rule.applies_to({}) or rule.id == "LOG-COUNT-MIN"


@each_rule
def test_a_watched_input_is_what_is_observed(rule: Rule) -> None:
    watched = rule.traits.watches
    if watched is None:
        assert rule.series is None
        return
    assert isinstance(rule.series, FromMetric)
    finding = judged(rule, LOW)
    assert finding.observed == LOW or finding.series_limit is not None
    assert finding.series_id is not None
    assert finding.series_id.startswith(f"{rule.series.metric}/")


@each_rule
def test_a_rule_has_a_date_of_crossing_or_says_why_not(rule: Rule) -> None:
    assert bool(rule.why_undated) is (rule.forecast_series is None)
    if sources_of(rule.inputs, FromMetric) and rule.forecast_series is None:
        assert rule.traits.undated


@each_rule
def test_the_first_form_of_a_rule_answers_with_plain_figures(rule: Rule) -> None:
    given: dict[str, Any] = {value.name: value.value for value in filled(rule, LOW)}
    assert "breach" in rule.answer(given)


@for_each("entry", entries().values(), ids=lambda entry: entry.id)
def test_every_entry_is_cited_explained_and_refuses_unknown_names(entry: Any) -> None:
    assert entry.title
    assert entry.citation.document
    assert entry.explanation
    for form in entry.forms:
        assert issubclass(form.inputs, BaseModel)
        assert form.inputs.model_config.get("extra") == "forbid"


@each_rule
def test_a_rule_is_about_one_resource_of_its_subject_and_declares_no_column_of_it(
    rule: Rule,
) -> None:
    subject = SUBJECTS[rule.traits.subject_kind]
    resource = rule.resource_of(subject)
    assert resource.kind is rule.traits.resource
    assert rule.traits.column is not rule.traits.resource.column
    assert subject.startswith(resource.owner_subject)
    if rule.traits.resource is not ResourceKind.structure:
        assert resource.path.startswith(subject)


@pytest.mark.parametrize(
    ("rule_id", "column"),
    [
        ("CFB-INTERVAL", HeatColumn.active_log),
        ("CHI-DISP-BUSY", HeatColumn.chinit_storage),
        ("SCM-90", HeatColumn.cf_structure),
        ("APP-SKIPS", HeatColumn.other),
        ("APP-SELECTOR-SHARED", HeatColumn.cf_processor),
    ],
)
def test_a_rule_is_in_the_column_of_its_resource_unless_it_declares_another(
    rule_id: str, column: HeatColumn
) -> None:
    assert all_rules()[rule_id].column is column


@each_rule
def test_a_superseded_rule_is_about_subject_and_resource_of_the_other(rule: Rule) -> None:
    if rule.traits.superseded_by:
        other = all_rules()[rule.traits.superseded_by].traits
        kinds = {other.subject_kind, rule.traits.subject_kind}
        assert len(kinds) == 1 or kinds == ONE_STRUCTURE
        archiving_fills_the_logs = (ResourceKind.archive, ResourceKind.active_log)
        resources = rule.traits.resource, other.resource
        assert resources[0] is resources[1] or resources == archiving_fills_the_logs


@each_rule
def test_a_limit_that_is_computed_from_what_was_usual_is_the_series_own_past(rule: Rule) -> None:
    assert rule.traits.limit_is_own_past is ("usual" in rule.inputs.model_fields)
    if rule.traits.limit_is_own_past:
        finding = judged(rule, LOW)
        assert (finding.headroom_ratio, finding.headroom_counts) == (None, False)
