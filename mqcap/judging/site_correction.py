"""The correction of a day's probabilities by what became of the site's own."""

from __future__ import annotations

from datetime import date

from forecasting.crossing import is_in_breach
from forecasting.probability import AS_SHIPPED
from forecasting.site_outcomes import site_figures
from mqcap.domain.score import SiteCorrection, StatedOutcome
from mqcap.settings import Settings
from mqcap.store.crossings import MaturedProbability, matured_probabilities
from mqcap.store.database import Store
from sizing.rulebook.registry import all_rules


def site_correction_of(settings: Settings, engine: Store, day: date) -> SiteCorrection:
    """Return the correction of ``day``, from what had been stated and measured up to it.

    It changes nothing with outcomes of fewer than ``forecast.outcome_limits_min`` limits.
    """
    outcomes = [_outcome(matured) for matured in matured_probabilities(engine, day)]
    limits = {outcome.limit for outcome in outcomes}
    is_enough = len(limits) >= settings.forecast.outcome_limits_min
    prior_cases = settings.forecast.outcome_prior_cases
    figures = site_figures(outcomes, prior_cases) if is_enough else AS_SHIPPED
    return SiteCorrection(
        cutoff_date=day,
        shift=figures.level,
        slope=figures.slope,
        limit_count=len(limits),
        case_count=len(outcomes),
    )


def _outcome(matured: MaturedProbability) -> StatedOutcome:
    rule = all_rules().get(matured.rule_id)
    return StatedOutcome(
        limit=(matured.rule_id, matured.subject),
        probability=matured.probability,
        shift=matured.shift,
        slope=matured.slope,
        came=is_in_breach(
            matured.furthest,
            matured.limit_value,
            direction=matured.direction,
            strict=rule is None or rule.strict,
        ),
    )
