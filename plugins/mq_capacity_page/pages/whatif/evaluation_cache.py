"""Evaluations of scenarios, cached as long as the store does not change.

A form is submitted again and again for one day: the day is read and evaluated once, and the page
and its chart share one evaluation.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Engine

from mq_capacity_page.web.context import PageContext, current_context
from mqcap.domain.metric import SubjectKind
from mqcap.store.step_runs import last_step_ended_at
from mqcap.whatif.comparison import baseline_on
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import todays_values

if TYPE_CHECKING:
    from mqcap.whatif.comparison import Baseline, WhatIfResult

CACHED_DAYS: Final = 1
"""A day of 313 series took 17 MB (measured)."""
CACHED_SCENARIOS: Final = 8


def evaluate_scenario(context: PageContext, day: date, scenario: Scenario) -> WhatIfResult:
    """Return what a scenario changes on a day.

    Raises:
        ConfigurationError: the scenario does not fit the day.
    """
    changed = last_step_ended_at(context.engine)
    return _evaluate(context.engine, day, changed, scenario.model_dump_json())


def values_today(
    context: PageContext, day: date, subject: str, kind: SubjectKind
) -> dict[str, Any]:
    """Return what a subject has on a day, by the keys of a scenario's configuration."""
    changed = last_step_ended_at(context.engine)
    return todays_values(_baseline(context.engine, day, changed).facts, subject, kind)


@lru_cache(maxsize=CACHED_SCENARIOS)
def _evaluate(engine: Engine, day: date, changed: datetime | None, document: str) -> WhatIfResult:
    return _baseline(engine, day, changed).compare(Scenario.model_validate_json(document))


@lru_cache(maxsize=CACHED_DAYS)
def _baseline(engine: Engine, day: date, _changed: datetime | None) -> Baseline:
    return baseline_on(current_context().settings, engine, day)
