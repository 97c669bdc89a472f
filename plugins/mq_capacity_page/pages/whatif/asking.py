"""Answers to scenarios, kept as long as what they rest on has not changed.

A form is sent again and again for one day: the day is read and judged once, and the page and its
figure share one answer.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sqlalchemy import Engine

from mq_capacity_page.web.context import Site, current_site
from mqcap.store.step_runs import last_step_ended_at
from mqcap.whatif.scenario import Scenario

if TYPE_CHECKING:
    from mqcap.whatif.answer import Answer, Baseline

KEPT_DAYS: Final = 1
"""A day of 313 series took 17 MB (measured)."""
KEPT_ANSWERS: Final = 8


def answer_to(site: Site, day: date, scenario: Scenario) -> Answer:
    """What a scenario changes on a day.

    Raises:
        ConfigurationError: the scenario does not fit.
    """
    changed = last_step_ended_at(site.engine)
    return _answer(site.engine, day, changed, scenario.model_dump_json())


@lru_cache(maxsize=KEPT_ANSWERS)
def _answer(engine: Engine, day: date, changed: datetime | None, document: str) -> Answer:
    return _baseline(engine, day, changed).answer(Scenario.model_validate_json(document))


@lru_cache(maxsize=KEPT_DAYS)
def _baseline(engine: Engine, day: date, _changed: datetime | None) -> Baseline:
    from mqcap.whatif.answer import baseline_on  # noqa: PLC0415 - only when it is asked for

    return baseline_on(current_site().settings, engine, day)
