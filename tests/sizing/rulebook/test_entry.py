from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Direction, Statistic
from sizing.rulebook.entry import (
    NOT_MEASURED,
    EntryKind,
    metric_sources_of,
    only_with,
    scaled_with,
    value_sources_of,
)
from sizing.rulebook.input_sources import FromEstate, FromMetric, ScalesWith
from sizing.rulebook.registry import all_rules, get
from tests.many_values import for_each

RULES = all_rules()


def test_a_rule_watches_the_series_of_one_input() -> None:
    rule = RULES["LOG-FILL-30MIN"]
    assert rule.kind is EntryKind.rule
    assert rule.series is not None
    assert (rule.series.metric, rule.series.statistic) == ("log_growth_mib_per_s", Statistic.peak)
    assert rule.forecast_series == rule.series
    assert rule.why_undated == ""


def test_a_rule_without_a_measured_figure_says_that_it_is_not_forecast() -> None:
    rule = RULES["LOG-COUNT-MIN"]
    assert rule.series is None
    assert rule.why_undated == NOT_MEASURED
    assert rule.direction is Direction.downward


def test_a_measured_series_can_be_declared_undated() -> None:
    rule = RULES["LOG-OUTBUFF-WTB"]
    assert rule.series is not None
    assert rule.forecast_series is None
    assert rule.why_undated == rule.traits.undated


def test_sources_are_listed_by_input_in_order_of_precedence() -> None:
    sources = value_sources_of(RULES["LOG-MAXARCH"].inputs)
    assert [source.key for source in sources["backup_hours"] if isinstance(source, FromEstate)] == [
        "page_set_backup_hours",
        "structure_backup_hours",
    ]
    assert all(
        isinstance(source, FromMetric) for source in metric_sources_of(RULES["BP-FREE-15"].inputs)
    )


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


def test_a_rule_for_one_engine_does_not_apply_to_two() -> None:
    rule = RULES["CF-BUSY-1"]
    assert rule.applies_to({"busy_pct": 20, "engines": 1}, "PLEX1/CF01")
    assert not rule.applies_to({"busy_pct": 20, "engines": 2}, "PLEX1/CF01")


def test_the_first_form_that_takes_the_names_gives_the_figures() -> None:
    entry = get("BP-FREE-15")
    assert entry.answer({"qpstcbsl": 160, "qpstnbuf": 1_000}) == {"free_pct": 16.0, "breach": False}
    assert entry.answer({"used_pct": 90})["breach"] is True


def test_names_of_no_form_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(ConfigurationError, match="cannot be answered") as refused:
        get("BP-FREE-15").answer({"pages": 3})
    assert "found pages" in str(refused.value)
    assert "used_pct buffers or qpstcbsl qpstnbuf" in str(refused.value)


def test_a_form_knows_which_of_its_inputs_are_required() -> None:
    form = RULES["BP-FREE-15"].forms[0]
    assert form.names == {"used_pct": True, "buffers": False}
    assert form.fits({"used_pct"})
    assert not form.fits({"buffers"})
    assert not form.fits({"used_pct", "pages"})


@pytest.mark.parametrize(
    ("rule_id", "scaled"),
    [
        ("CHI-80-31BIT", {"used_mib"}),
        ("CHI-80-64BIT", {"used_mib"}),
        ("PS-EXPAND-90", {"used_pages"}),
        ("CFS-FULL", set()),
    ],
)
def test_amounts_of_a_watched_percentage_scale_with_it(rule_id: str, scaled: set[str]) -> None:
    assert scaled_with(RULES[rule_id].inputs, "used_pct") == scaled


@for_each("rule_id", list(RULES))
def test_an_input_scales_only_with_an_input_of_the_same_rule(rule_id: str) -> None:
    fields = RULES[rule_id].inputs.model_fields
    marks = [mark for field in fields.values() for mark in field.metadata]
    assert {mark.input for mark in marks if isinstance(mark, ScalesWith)} <= set(fields)
