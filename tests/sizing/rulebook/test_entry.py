"""Entries of the rulebook: sources, registry, assessment and rules of sites."""

import math

import pytest

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Change, Citation
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.resource import ResourceKind
from sizing.rulebook import registry
from sizing.rulebook.assessment import Assessment, Falling, Reaching
from sizing.rulebook.entry import NOT_MEASURED, only_with, scaled_with
from sizing.rulebook.input_sources import FromAsk, FromEstate, FromMetric, FromRecords, ScalesWith
from sizing.rulebook.registry import all_rules, get
from sizing.rulebook.site_rules import site_rule, site_rule_id, site_rule_ids, watched_site_series
from tests.many_values import for_each

RULES = all_rules()


def test_a_rule_without_a_measured_figure_says_that_it_is_not_forecast() -> None:
    rule = RULES["LOG-COUNT-MIN"]
    assert rule.series is None
    assert rule.why_undated == NOT_MEASURED
    assert rule.direction is Direction.downward


@pytest.mark.parametrize(
    ("values", "applies"),
    [
        ({}, False),
        ({"a": None}, False),
        ({"a": "no"}, False),
        ({"b": "yes"}, True),
        ({"a": 0}, True),
    ],
)
def test_a_rule_applies_where_the_site_has_such_a_resource(
    values: dict[str, object], applies: bool
) -> None:
    assert only_with("a", "b")(values) is applies


def test_the_first_form_that_takes_the_names_gives_the_figures() -> None:
    entry, free = get("BP-FREE-15"), {"free_pct": 16.0, "breach": False}
    assert entry.answer({"qpstcbsl": 160, "qpstnbuf": 1_000}) == free
    assert entry.answer({"QPSTCBSL": 160, "QPSTNBUF": 1_000}) == free  # as the report prints them
    assert entry.answer({"used_pct": 90})["breach"] is True


def test_names_of_no_form_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigurationError, match="cannot be answered") as refused:
        get("BP-FREE-15").answer({"pages": 3})
    assert "found pages" in str(refused.value)
    assert "used_pct buffers or qpstcbsl qpstnbuf" in str(refused.value)


@pytest.mark.parametrize(
    ("rule_id", "scaled"),
    [("CHI-80-64BIT", {"used_mib"}), ("PS-EXPAND-90", {"used_pages"}), ("CFS-FULL", set())],
)
def test_amounts_of_a_watched_percentage_scale_with_it(rule_id: str, scaled: set[str]) -> None:
    assert scaled_with(RULES[rule_id].inputs, "used_pct") == scaled


@for_each("rule_id", list(RULES))
def test_an_input_scales_only_with_an_input_of_the_same_rule(rule_id: str) -> None:
    fields = RULES[rule_id].inputs.model_fields
    marks = [mark for field in fields.values() for mark in field.metadata]
    assert {mark.input for mark in marks if isinstance(mark, ScalesWith)} <= set(fields)


CHANGES = (Change(action="Do it."),)


def assessed(
    observed: float, limit: float = 60.0, kind: type[Assessment] = Assessment
) -> Assessment:
    return kind(observed=observed, limit=limit, unit="%", advice="Nothing to change.")


def test_a_difference_of_rounding_is_exactly_at_the_limit() -> None:
    assert not assessed(math.nextafter(60.0, 61.0)).breach
    assert assessed(math.nextafter(60.0, 59.0), kind=Reaching).breach


@pytest.mark.parametrize(
    ("observed", "limit", "kind", "ratio"),
    [
        (45.0, 60.0, Assessment, 0.25),
        (75.0, 60.0, Assessment, -0.25),
        (75.0, 60.0, Falling, 0.25),
        (45.0, 60.0, Falling, -0.25),
        (3.0, 0.0, Assessment, None),
    ],
)
def test_headroom_is_the_distance_to_the_limit_as_a_share_of_it(
    observed: float, limit: float, kind: type[Assessment], ratio: float | None
) -> None:
    assert assessed(observed, limit, kind).headroom_ratio == ratio


def test_advice_and_changes_are_for_values_past_the_limit_only() -> None:
    within = assessed(59.0).past_limit("Change it.", lambda: CHANGES)
    past = assessed(61.0).past_limit("Change it.", lambda: CHANGES)
    assert (within.advice, within.changes) == ("Nothing to change.", ())
    assert (past.advice, past.changes) == ("Change it.", CHANGES)
    assert (within.advice_past, past.advice_past) == ("Change it.", "")
    assert assessed(61.0).past_limit("Change it.").changes == ()


def test_each_source_says_how_to_supply_a_value() -> None:
    assert FromAsk("how many buffers?").remedy == "answer: how many buffers?"
    assert "(see DISPLAY LOG)" in FromEstate("active_logs", "DISPLAY LOG").remedy
    assert FromMetric("cf_busy_pct").remedy == "no cf_busy_pct (peak) was observed in the window"
    assert FromRecords("mq_version").remedy == "no record of this subject stated its mq_version"
    assert "comes from SMF 74" in FromMetric("cf_busy_pct", record="SMF 74").remedy


CITATION = Citation(document="a document", section="a section")


def test_an_id_twice_an_unknown_one_and_a_rule_without_an_assessment_are_refused() -> None:
    def plain(size_mib: float) -> dict[str, float]:
        return {"size_mib": size_mib}

    registry.entries()
    with pytest.raises(ConfigurationError, match="share one id; found CF-BUSY-N"):
        registry.calculator("CF-BUSY-N", "again", CITATION)(plain)
    with pytest.raises(ConfigurationError, match="must return an Assessment"):
        registry.rule("X", "x", CITATION, ResourceKind.structure)(plain)
    with pytest.raises(ConfigurationError, match="no such rule; found NOPE"):
        registry.get("NOPE")


POOL = DeclaredFigure(figure="pool_pct", label="Pool", unit="%", limit=85)
FREE = DeclaredFigure(
    figure="free_pct", label="Free", unit="%", limit=10, direction=Direction.downward
)
SHOWN = DeclaredFigure(figure="shown", label="Shown", unit="count")


def test_a_rule_follows_from_its_id_and_is_not_listed() -> None:
    rules = all_rules()
    assert site_rule_id(POOL) == "SITE-MAX-POOL_PCT"
    assert rules["SITE-MAX-POOL_PCT"].traits.watches == "value"
    assert "SITE-MAX-POOL_PCT" not in list(rules)
    assert rules.get("SITE-MAX-pool") is None
    with pytest.raises(KeyError):
        rules["SITE-AVG-POOL_PCT"]
    assert len(list(rules)) == len(rules)


def test_only_figures_with_a_limit_have_a_rule() -> None:
    assert site_rule_ids([POOL, FREE, SHOWN]) == ("SITE-MAX-POOL_PCT", "SITE-MIN-FREE_PCT")
    assert watched_site_series([POOL, FREE, SHOWN]) == {
        ("site_pool_pct", Statistic.peak),
        ("site_free_pct_lowest", Statistic.mean),
    }


@pytest.mark.parametrize(
    ("declared", "value", "is_breach"),
    [(POOL, 85, False), (POOL, 85.1, True), (FREE, 10, False), (FREE, 9.9, True)],
)
def test_a_value_at_the_limit_is_allowed(
    declared: DeclaredFigure, value: float, is_breach: bool
) -> None:
    rule = site_rule(site_rule_id(declared))
    assert rule is not None
    values = {"value": value, "limit": declared.limit, "unit": declared.unit}
    made = rule.assess(rule.inputs.model_validate(values))
    assert (made.breach, made.unit, made.limit) == (is_breach, "%", declared.limit)
    assert made.arithmetic[0].endswith("% (ours, in the settings)")


def test_the_series_is_that_of_the_figure() -> None:
    rule = all_rules()["SITE-MIN-FREE_PCT"]
    assert rule.series is not None
    assert (rule.series.metric, rule.series.statistic) == ("site_free_pct_lowest", Statistic.mean)
    assert rule.resource_of("EAST/mq1").path == "EAST/mq1/site_figures"
