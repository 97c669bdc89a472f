"""A queue manager whose log rate is measured and grows, and the context of its active logs."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from mqcap.domain.estate import PlannedChange
from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts, facts_of_day, judge_facts
from mqcap.planning.context import PlanContext, RuleOfSubject, contexts_of
from mqcap.planning.make import plans_of_day
from mqcap.settings import Settings
from mqcap.settings.analysis import PlanSettings
from mqcap.store.forecasts import replace_forecasts
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    new_store,
    observe,
    rising,
    settings_of,
)

ACTIVE_LOG = f"{QUEUE_MANAGER}/active_log"
LOAD_SHARES = {Statistic.peak: 1.0, Statistic.p95: 0.9, Statistic.mean: 0.5}


def facts_of(
    folder: Path,
    peak_mib_per_s: float,
    *,
    growth_per_day: float = 0.0,
    plan: PlanSettings | None = None,
    alerts: dict[str, Any] | None = None,
    **qmgr: object,
) -> DayFacts:
    """Forty days of one log rate, with forecasts of each statistic that grow by a share a day."""
    engine = new_store(folder)
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(40, peak_mib_per_s))
    forecasts = [
        rising(
            LOG,
            peak_mib_per_s * share,
            peak_mib_per_s * share * growth_per_day,
            statistic=statistic,
        )
        for statistic, share in LOAD_SHARES.items()
    ]
    replace_forecasts(engine, DAY, forecasts)
    settings = settings_of(folder, **{"dual_logging": True, "archive_minutes": 2} | qmgr)
    changed: dict[str, Any] = {"plan": plan or PlanSettings()}
    if alerts is not None:
        changed["alerts"] = settings.alerts.model_copy(update=alerts)
    return facts_of_day(settings.model_copy(update=changed), engine, DAY)


def active_log_of(facts: DayFacts) -> PlanContext:
    """The context of the active logs."""
    contexts = contexts_of(facts, judge_facts(facts))
    return next(context for context in contexts if context.resource.path == ACTIVE_LOG)


def plan_of_active_log(facts: DayFacts, previous: Plan | None = None) -> Plan | None:
    """The plan of the active logs; ``None`` when nothing is wrong with them."""
    before = {previous.resource: previous} if previous is not None else None
    plans = plans_of_day(facts, judge_facts(facts), before)
    return next((plan for plan in plans if plan.resource == ACTIVE_LOG), None)


def fill(context: PlanContext) -> RuleOfSubject:
    """The rule on the time in which a log fills."""
    return next(pair for pair in context.pairs if pair.rule.id == "LOG-FILL-30MIN")


def planned(days_ahead: int, **values: Any) -> tuple[PlannedChange, ...]:
    """A planned change of the estate."""
    first = DAY + timedelta(days=days_ahead)
    return (PlannedChange.model_validate({"from": first, **values}),)


__all__ = [
    "ACTIVE_LOG", "DAY", "QUEUE_MANAGER", "Settings", "active_log_of", "facts_of",
    "fill", "plan_of_active_log", "planned", "series_id",
]  # fmt: skip
