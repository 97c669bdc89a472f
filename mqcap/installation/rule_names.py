"""Rules that the settings name and that this release does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mqcap.domain.names.short_names import near_names
from mqcap.installation.check import Check, CheckState
from mqcap.settings import Settings
from sizing.rulebook.registry import all_rules
from sizing.rulebook.site_rules import site_rule_ids

_DEFAULT: Final = "default"
"""Stands in a section for all rules that it does not name."""


def unknown_rules(settings: Settings) -> Iterator[Check]:
    """Yield a check for each section that names rules of another release, or wrongly.

    What it states of such a rule has no effect.
    """
    known = [*all_rules(), *site_rule_ids(settings.site_figures)]
    sections: Mapping[str, Mapping[str, object]] = {
        "grading": settings.grading,
        "alerts.lead_time_days": settings.alerts.lead_time_days,
    }
    for section, stated in sections.items():
        unknown = sorted(set(stated) - {_DEFAULT, *known})
        if unknown:
            found = f"no rule of this release has the name {', '.join(unknown)}"
            near = list(dict.fromkeys(name for each in unknown for name in near_names(each, known)))
            alike = f"; near: {', '.join(near)}" if near else ""
            remedy = f"Correct or remove it there; mqcap rules list has the names{alike}."
            yield Check(CheckState.to_do, section, found, remedy)
