"""Summaries of a day, read from the store: what page, command line, mail and reports print."""

from __future__ import annotations

from datetime import date

from mqcap.losses.text.as_plan import plans_of_losses
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_rows import SummaryFacts, plan_summaries
from mqcap.queries.acknowledged_resources import acknowledged_plans
from mqcap.settings import Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import findings_about, urgent_findings
from mqcap.store.plans import read_losses, read_plans


def plan_summaries_on(engine: Store, day: date, settings: Settings) -> list[PlanSummary]:
    """Return a row for each resource to decide on, most urgent first, acknowledged ones last.

    ``settings`` name owners and classes of systems of what has no plan.
    """
    plans, losses = read_plans(engine, day), read_losses(engine, day)
    decided = [*plans, *plans_of_losses(losses)]
    subjects = {subject for plan in plans for _, subject in plan.judged}
    findings = [*findings_about(engine, day, subjects), *urgent_findings(engine, day)]
    facts = SummaryFacts(
        plans=plans,
        findings=findings,
        crossings=read_crossings(engine, day),
        losses=losses,
        states=read_states(engine, day, day),
        acknowledged=acknowledged_plans(engine, decided, day),
        alerts=settings.alerts,
        estate=settings.complete_estate(),
    )
    return plan_summaries(facts)
