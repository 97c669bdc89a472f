"""Typed figures that a live one replaces: the finding tells that they are not used."""

from __future__ import annotations

from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import entries_of
from mqcap.domain.finding import Finding
from mqcap.domain.input_source import MeasuredDaySource, MeasuredWindowSource
from mqcap.domain.numbers import figure
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromEstate


def with_replaced_figures(finding: Finding, rule: Rule, estate: Estate) -> Finding:
    """Return the finding with a caveat for each typed figure in place of which one was measured."""
    sources = value_sources_of(rule.inputs)
    measured = {
        value.name: value.origin.metric
        for value in finding.inputs
        if isinstance(value.origin, MeasuredDaySource | MeasuredWindowSource)
    }
    caveats = tuple(
        f"{mark.key} = {shown} of {place} in the settings is not used: {metric} is measured."
        for name, metric in measured.items()
        for mark in sources.get(name, ())
        if isinstance(mark, FromEstate)
        for entry, place in entries_of(finding.subject, rule.traits.subject_kind, estate)
        if (shown := _shown(getattr(entry, mark.key, None)))
    )
    if not caveats:
        return finding
    return finding.model_copy(update={"caveats": (*finding.caveats, *caveats)})


def _shown(value: object) -> str:
    """Return a number as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return figure(value)
