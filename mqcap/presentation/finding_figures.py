"""The observed figure and the limit of a finding as they are printed."""

from typing import Final

from mqcap.domain.finding import Finding
from mqcap.domain.numbers import ABSENT
from mqcap.domain.subject import Subject
from mqcap.losses.cell import LossQuantity
from mqcap.presentation.quantities import Quantity, at_a_glance, of_limit, quantity
from sizing.rulebook.registry import all_rules

OR_MORE: Final = "or more"
SURVIVOR: Final = "survivor"
"""Input of a rule of losses: whose figure it is."""


def observed_quantity(finding: Finding) -> Quantity:
    """Return the observed figure, with what it is where its rule names it.

    That of a loss with whose it is, and what is lost: neither is its subject.
    """
    whose = whose_text(finding)
    lost = f"when {finding.subject.in_sysplex} is lost" if finding.is_of_loss else ""
    words = (_names(finding)[0], whose, lost)
    observed = quantity(finding.observed, finding.unit)
    if _is_longest(finding):
        observed = observed.model_copy(update={"unit": f"{observed.unit} {OR_MORE}"})
    return _named(observed, ", ".join(filter(None, words)))


def whose_text(finding: Finding) -> str:
    """Return what the figure of a loss is, and of which survivor; empty for other findings.

    Such as ``chinit 31-bit storage, CSQ2/CHINIT``.
    """
    if not finding.is_of_loss:
        return ""
    labels = [quantity.label for quantity in LossQuantity if quantity.rule_id == finding.rule_id]
    survivors = [given.value for given in finding.inputs if given.name == SURVIVOR]
    return ", ".join(
        [
            *labels,
            *(Subject(survivor).in_sysplex for survivor in survivors if isinstance(survivor, str)),
        ]
    )


def limit_quantity(finding: Finding) -> Quantity:
    """Return the limit, with what it is where its rule names it.

    Of a figure within its limit with the level of its severity as well.
    """
    limit = _named(quantity(finding.limit_value, finding.unit), _names(finding)[1])
    level = finding.deciding_words
    if not level:
        return limit
    note = "; ".join(filter(None, (limit.note, level)))
    return limit.model_copy(update={"note": note})


def now_and_limit(finding: Finding) -> tuple[str, str]:
    """Return both as they are read at a glance; empty for what is not known."""
    observed, limit, unit = finding.observed, finding.limit_value, finding.unit
    more = f" {OR_MORE}" if _is_longest(finding) else ""
    return (
        "" if observed is None else f"{at_a_glance(observed, unit, limit)}{more}",
        "" if limit is None else at_a_glance(limit, unit),
    )


def observed_of_limit(finding: Finding) -> str:
    """Return both in one phrase: ``1.9 h of 12 h``, ``6.1 days allowed, 7 days scheduled``."""
    now, limit = now_and_limit(finding)
    names = _names(finding)
    if all(names) and now and limit:
        return f"{now} {names[0]}, {limit} {names[1]}"
    return of_limit(now, limit) or ABSENT


def _is_longest(finding: Finding) -> bool:
    """Return whether the figure is the longest time that its rule looks at."""
    rule = all_rules().get(finding.rule_id)
    if rule is None or finding.observed is None:
        return False
    return finding.observed >= max(rule.traits.longest, 2 * (finding.limit_value or 0))


def _named(value: Quantity, name: str) -> Quantity:
    return value.model_copy(update={"note": name}) if name and value.value is not None else value


def _names(finding: Finding) -> tuple[str, str]:
    """Return the names of both figures; empty for a rule that this release does not have."""
    rule = all_rules().get(finding.rule_id)
    return ("", "") if rule is None else (rule.traits.observed_name, rule.traits.limit_name)
