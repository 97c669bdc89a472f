"""Until when the changes of a plan last, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mqcap.domain.numbers import percent
from mqcap.domain.plan import Plan, PlanVariant
from mqcap.presentation.dates import short_day

NOT_FORECAST: Final = "sized for the measured figures, of which none is forecast"
LASTS_NO_DAY: Final = "lasts no day before what cannot be kept is mended; worth while only then"
"""What stands in place of a day where a limit is passed that no setting keeps."""


def lasts_text(plan: Plan, variant: PlanVariant) -> str:
    """Return until when a set of changes lasts, at the confidence of the plan.

    Without a forecast of any of its figures it is sized for what was measured.
    """
    words = until_text(plan, variant)
    is_sized_for_today = bool(plan.unforecast) and variant.lasts_until is None
    if is_sized_for_today or words in {NOT_FORECAST, LASTS_NO_DAY}:
        return words
    return f"{words} {bound_text(plan)}"


def until_text(plan: Plan, variant: PlanVariant) -> str:
    """Return until when a set of changes lasts, for lists that state the confidence once."""
    if plan.rules and not any(rule.is_forecast for rule in plan.rules):
        return NOT_FORECAST
    if variant.lasts_until is None and plan.unforecast:
        return unforecast_text(plan.unforecast)
    if variant.lasts_until is None:
        return "lasts as far as the forecast reaches"
    if plan.not_kept and variant.lasts_until < plan.site_date:
        return LASTS_NO_DAY
    return f"lasts until {short_day(variant.lasts_until)}{_ended_text(variant)}"


def unforecast_text(names: Sequence[str]) -> str:
    """Return that changes are sized for measured figures, and which have no forecast."""
    verb = "is" if len(names) == 1 else "are"
    return f"sized for the measured figures: {' and '.join(names)} {verb} not forecast"


def _ended_text(variant: PlanVariant) -> str:
    """Return the rules that end it, with the level that they then pass; empty for none."""
    named = (f"{end.rule_id}, {end.level}" for end in variant.ended_by)
    words = " and ".join(dict.fromkeys(named))
    return f" (then {words})" if words else ""


def bound_text(plan: Plan) -> str:
    """Return the bound of the forecast at which a plan keeps its rules."""
    return f"at the {percent(plan.confidence)} bound of the forecast"


def bound_means(confidence: float) -> str:
    """Return what the bound of ``bound_text`` is: a probability of one day, not of a date."""
    return (
        f"the figure of one day lies beyond the {percent(confidence)} bound, towards the limit, "
        f"with a probability of {percent(1 - confidence)}"
    )


def sized_text(plan: Plan) -> str:
    """Return the rule, day and figures that a plan is sized for.

    Empty where no rule decides it, and where none is forecast, so that it is sized for what its
    summary states.

    It is the first line of its arithmetic: ``Sized for LOG-DAY-ACTIVE PLEX1/CSQ1 on 2027-05-03 at
    the 90 % bound of the forecast: 30.2 h of 24 h: 68,390 MiB are logged on the fullest day``.
    """
    if not plan.arithmetic or until_text(plan, plan) == NOT_FORECAST:
        return ""
    return f"Sized for {plan.arithmetic[0].rstrip('.')}."
