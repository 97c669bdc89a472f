"""What the settings state of rules, beside the rules and grades of this release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from mqcap.domain.names.short_names import near_names
from mqcap.installation.check import Check, CheckState
from mqcap.installation.first_settings import package_section
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE
from mqcap.settings.models import GradePolicy, policy_of
from sizing.rulebook.registry import all_rules
from sizing.rulebook.site_rules import site_rule_ids

_DEFAULT: Final = "default"
"""Stands in a section for all rules that it does not name."""

_NAMED: Final = 5
"""Rules of a list that are named."""


def grades_check(settings: Settings) -> Check:
    """Compare the grades with those of the package, which change with its releases."""
    section = yaml.safe_load(package_section("grading"))["grading"]
    package = {rule: GradePolicy.model_validate(grade) for rule, grade in section.items()}
    stated = settings.grading
    missing = [rule for rule in package if rule not in stated]
    other = [
        rule
        for rule in package
        if rule in stated and policy_of(stated, rule) != policy_of(package, rule)
    ]
    if not missing and not other:
        return Check(CheckState.fine, "grades", "those of the package")
    found = "; ".join(
        f"{len(rules)} {text}: {', '.join(rules[:_NAMED])}{', ...' if rules[_NAMED:] else ''}"
        for rules, text in ((missing, "of the package are not stated"), (other, "are your own"))
        if rules
    )
    remedy = f"Unless you mean it, take them over from section grading of {DEFAULT_FILE}."
    return Check(CheckState.optional, "grades", found, remedy)


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
