"""What pages share: settings and store of this process, the head of a page, and queries.

Some answers are kept in memory until a step of a run ends.
"""

import gc
from collections.abc import Iterable
from datetime import date, datetime
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.presentation import labels
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.fleet import fleet_on
from mqcap.settings import Settings, load_settings
from mqcap.store.database import open_store
from mqcap.store.findings import latest_site_date, next_findings_date, previous_findings_date
from mqcap.store.models import SeriesFacts, SeriesName
from mqcap.store.series import read_series, read_series_names, series_as_of
from mqcap.store.step_runs import last_step_ended_at
from mqcap.whatif.comparison import Baseline, WhatIfResult, baseline_on
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import todays_values


class PageContext(NamedTuple):
    """The settings and the store that every view reads."""

    settings: Settings
    engine: Engine

    @property
    def estate(self) -> Estate:
        """The estate with its look-ups."""
        return self.settings.complete_estate()

    def timezone_of(self, subject: str) -> str:
        """Return the zone of a subject's calendar days: its sysplex's, else the site's."""
        return self.estate.zones().get(Subject(subject).sysplex) or self.settings.site.timezone


@cache
def current_context() -> PageContext:
    """Return the context of this process; a failure is not cached, so the next request retries.

    Raises:
        ConfigurationError: the settings are wrong.
        ServiceUnavailable: the store does not answer.
    """
    settings = load_settings()
    _freeze_loaded_objects()
    return PageContext(settings, open_store(settings.store.url.get_secret_value()))


@cache
def _freeze_loaded_objects() -> None:
    """Exclude what is loaded by now from garbage collection, once per process.

    Airflow with its plugins are some 400,000 objects that live as long as the process. The
    collector looked through all of them at every fifth overview or so, which took longer than the
    page itself (370 ms of 600, measured). Airflow's own executors do the same before they fork.
    """
    gc.collect()
    gc.freeze()


class View(SimpleNamespace):
    """What a template prints, by name."""


def page_frame(context: PageContext, day: date | None, current: str) -> View:
    """Return the head of every page: site, the day asked for, else the latest, and its neighbours.

    ``current`` is the entry of the navigation that is highlighted; ``day`` is ``None`` in a store
    without findings.
    """
    latest = latest_site_date(context.engine)
    shown = day or latest
    return View(
        site_name=context.settings.site.name,
        current=current,
        day=shown,
        earlier=previous_findings_date(context.engine, shown) if shown else None,
        later=next_findings_date(context.engine, shown) if shown else None,
        latest=latest,
    )


_Series = TypeVar("_Series", SeriesFacts, SeriesName)

CACHED_DAYS: Final = 2
"""Days whose lines are kept in memory: the newest and one that a reader looks at (ours)."""
CACHED_BASELINES: Final = 1
"""A day of 313 series took 17 MB (measured)."""
CACHED_SCENARIOS: Final = 8
"""A form is submitted again and again, and the page and its chart share one evaluation (ours)."""


def fleet_lines_on(context: PageContext, day: date, subject: str = "") -> list[FleetLine]:
    """Return the findings of a day, most urgent first; with ``subject``, those on and below it.

    Those of the whole site are kept in memory.
    """
    changed = None if subject else last_step_ended_at(context.engine)
    if changed is None:
        return fleet_on(context.settings, context.engine, day, subject)
    return list(_lines_of_site(context.engine, day, changed))


@lru_cache(maxsize=CACHED_DAYS)
def _lines_of_site(engine: Engine, day: date, _changed: datetime) -> tuple[FleetLine, ...]:
    return tuple(fleet_on(current_context().settings, engine, day))


def search_series(context: PageContext, part: str, day: date) -> list[SeriesFacts]:
    """Return the series known on a day whose id or label contains ``part``, by subject."""
    known = series_as_of(context.engine, read_series(context.engine), day)
    return _matching(known, part)


def series_ids_matching(context: PageContext, part: str) -> list[str]:
    """Return the ids of all series whose id or label contains ``part``, in the same order."""
    return [name.series_id for name in _matching(read_series_names(context.engine), part)]


def _matching(every: Iterable[_Series], part: str) -> list[_Series]:
    wanted = part.strip().casefold()
    label = cache(labels.metric_label)
    return [
        row
        for row in sorted(every, key=lambda one: (one.subject, one.metric))
        if not wanted or wanted in f"{row.series_id} {label(row.metric)}".casefold()
    ]


def evaluate_scenario(context: PageContext, day: date, scenario: Scenario) -> WhatIfResult:
    """Return what a scenario changes on a day; ConfigurationError where it does not fit the day."""
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


@lru_cache(maxsize=CACHED_BASELINES)
def _baseline(engine: Engine, day: date, _changed: datetime | None) -> Baseline:
    return baseline_on(current_context().settings, engine, day)
