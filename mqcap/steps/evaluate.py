"""Evaluate the rules of one day: findings, crossings, plans and data notes are replaced."""

from collections import Counter
from datetime import date

from forecasting.probability import AS_SHIPPED
from forecasting.site_outcomes import site_figures
from mqcap.completeness.days import judge_day
from mqcap.completeness.incomplete import data_notes
from mqcap.domain.feed import data_findings
from mqcap.domain.score import SiteCorrection
from mqcap.judging.evaluate import facts_of_day, judge_facts
from mqcap.judging.ledger import has_passed
from mqcap.losses.make import loss_findings, losses_of_day
from mqcap.planning.make import plans_of_day
from mqcap.settings import Settings
from mqcap.store.crossings import matured_outcomes, replace_crossings, replace_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_data_notes
from mqcap.store.locks import PROBLEMS_LOCK, exclusive
from mqcap.store.plans import previous_plans, replace_losses, replace_plans
from mqcap.store.series import read_series


def site_correction_of(settings: Settings, engine: Store, day: date) -> SiteCorrection:
    """Return the correction of ``day``, none for too few limits (``outcome_limits_min``)."""
    outcomes = list(matured_outcomes(engine, day, has_passed))
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


def evaluate_rules(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace findings, crossings, site correction, plans and losses of a day. Returns counts."""
    judge_day(settings, engine, day)
    correction = site_correction_of(settings, engine, day)
    facts = facts_of_day(settings, engine, day)._replace(site_correction=correction)
    verdicts = judge_facts(facts)
    plans = plans_of_day(facts, verdicts, previous_plans(engine, day))
    losses = losses_of_day(facts, plans)
    findings = [verdict.finding for verdict in verdicts] + loss_findings(settings, losses)
    kinds = {series.series_id: series.subject_kind for series in read_series(engine)}
    notes = data_notes(facts.forecasts.values(), kinds, facts.arrived)
    replace_data_notes(engine, day, notes)
    with exclusive(engine, PROBLEMS_LOCK):
        replace_findings(engine, day, findings)
        replace_crossings(
            engine, day, [verdict.crossing for verdict in verdicts if verdict.crossing is not None]
        )
        replace_site_correction(engine, correction)
        replace_plans(engine, day, plans)
        replace_losses(engine, day, losses)
    severities = Counter(str(finding.severity) for finding in findings)
    missing = data_findings(list(facts.arrived.today))
    return {
        "findings": len(findings),
        "plans": len(plans),
        "losses": len(losses),
        **dict(sorted(severities.items())),
        "data_findings": len(missing),
        "forecasts_noted": len(notes),
    }
