"""A small measured estate, and scenarios laid over it."""

from pathlib import Path
from typing import Any

from click.testing import Result

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Citation, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts, facts_of_day
from mqcap.store.database import Store
from mqcap.unit_costs.learnt import UnitCosts
from mqcap.whatif.comparison import RuleDifference, RuleOutcome
from mqcap.whatif.overlay import Overlay, overlay
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import DAY as TODAY
from tests.mqcap.rulebook.builders import QUEUE_MANAGER, days, new_store, observe, run, settings_of

CF = "PLEX1/CF01"
OTHER_CF = "PLEX1/CF02"
STRUCTURE = f"{CF}/QSG1APPL1"
CHINIT = f"{QUEUE_MANAGER}/CHINIT"
PAGE_SET = f"{QUEUE_MANAGER}/PS03"
POOL = f"{QUEUE_MANAGER}/BP01"
Measured = list[tuple[str, str, SubjectKind, str, float]]
MEASURED: Measured = [
    ("log_growth_mib_per_s", QUEUE_MANAGER, SubjectKind.queue_manager, "MiB/s", 0.8),
    ("log_task_busy_pct", QUEUE_MANAGER, SubjectKind.queue_manager, "%", 20.0),
    ("cf_busy_pct", CF, SubjectKind.coupling_facility, "%", 40.0),
    ("cf_busy_pct", OTHER_CF, SubjectKind.coupling_facility, "%", 20.0),
    ("cf_engine_count", OTHER_CF, SubjectKind.coupling_facility, "count", 2.0),
    ("channels_current_count", CHINIT, SubjectKind.channel_initiator, "count", 500.0),
    ("chinit_31bit_used_mib", CHINIT, SubjectKind.channel_initiator, "MiB", 700.0),
    ("chinit_31bit_used_pct", CHINIT, SubjectKind.channel_initiator, "%", 50.0),
    ("chinit_64bit_used_mib", CHINIT, SubjectKind.channel_initiator, "MiB", 500.0),
    ("chinit_64bit_used_pct", CHINIT, SubjectKind.channel_initiator, "%", 25.0),
    ("page_set_used_pages", PAGE_SET, SubjectKind.page_set, "pages", 50_000.0),
    ("page_set_used_pct", PAGE_SET, SubjectKind.page_set, "%", 50.0),
    ("structure_size_mib", STRUCTURE, SubjectKind.structure, "MiB", 512.0),
    ("structure_entries_used_pct", STRUCTURE, SubjectKind.structure, "%", 20.0),
    ("structure_elements_used_pct", STRUCTURE, SubjectKind.structure, "%", 88.0),
]
WITH_SIZES: Measured = [
    *MEASURED,
    ("log_checkpoints_per_h", QUEUE_MANAGER, SubjectKind.queue_manager, "count/h", 8.0),
    ("log_buffer_wait_count", QUEUE_MANAGER, SubjectKind.queue_manager, "count/h", 3.0),
    ("log_archive_min", QUEUE_MANAGER, SubjectKind.queue_manager, "min", 9.0),
    ("smds_used_pct", QUEUE_MANAGER, SubjectKind.queue_manager, "%", 60.0),
    ("smds_buffers_count", QUEUE_MANAGER, SubjectKind.queue_manager, "count", 100.0),
    ("smds_buffers_used_pct", QUEUE_MANAGER, SubjectKind.queue_manager, "%", 100.0),
    ("smds_buffer_waits_pct", QUEUE_MANAGER, SubjectKind.queue_manager, "%", 2.0),
    ("buffer_pool_buffers_count", POOL, SubjectKind.buffer_pool, "count", 10_000.0),
    ("buffer_pool_used_pct", POOL, SubjectKind.buffer_pool, "%", 96.0),
    ("buffer_pool_deferred_count", POOL, SubjectKind.buffer_pool, "count/h", 4.0),
    ("buffer_pool_short_count", POOL, SubjectKind.buffer_pool, "count/h", 1.0),
    ("channels_current_limit_count", CHINIT, SubjectKind.channel_initiator, "count", 600.0),
    ("chinit_adapters_count", CHINIT, SubjectKind.channel_initiator, "count", 8.0),
    ("chinit_adapters_used_count", CHINIT, SubjectKind.channel_initiator, "count", 8.0),
    ("chinit_dispatchers_count", CHINIT, SubjectKind.channel_initiator, "count", 5.0),
    ("chinit_dispatcher_busy_pct", CHINIT, SubjectKind.channel_initiator, "%", 90.0),
    ("structure_entries_count", STRUCTURE, SubjectKind.structure, "count", 40_000.0),
]
"""The same with the sizes and counts that a scenario can change."""
SHARING = {
    "subject": CHINIT,
    "client_conversations": 1_000,
    "message_bytes": 1_024,
    "mq_level": "pre-9.4",
}


def known_in(folder: Path, measured: Measured = MEASURED) -> DayFacts:
    """What is known on the day of the estate."""
    engine = filled(folder, measured)
    return facts_of_day(settings_of(folder), engine, TODAY)


def filled(folder: Path, measured: Measured = MEASURED) -> Store:
    """A store with three days of each series."""
    engine = new_store(folder)
    for metric, subject, kind, unit, value in measured:
        observe(engine, metric, subject, days(3, value), kind=kind, unit=unit)
    return engine


def world(known: DayFacts, **scenario: Any) -> Overlay:
    """A scenario laid over what is known."""
    return overlay(known, Scenario.model_validate(scenario))


def typed(known: DayFacts, subject: str, **settings: Any) -> Overlay:
    """What is known, with these settings of one subject."""
    return world(known, configuration=[{"subject": subject, **settings}])


def peak(seen: Overlay, metric: str, subject: str) -> float:
    """The one peak of a series under the scenario."""
    [value] = {day.peak for day in seen.facts.observed.days(metric, subject)}
    return value


def messages(**changed: Any) -> dict[str, Any]:
    """A hundred persistent messages of 1 KB a second."""
    given = {
        "subject": QUEUE_MANAGER,
        "messages_per_s": 100,
        "message_bytes": 1_024,
        "persistent": True,
    }
    return given | changed


def text_of(seen: Overlay, metric: str) -> str:
    """The arithmetic behind the effects on a metric."""
    return " ".join(
        line for effect in seen.effects if effect.metric == metric for line in effect.lines
    )


def outcome(severity: Severity = Severity.ok, **changed: Any) -> RuleOutcome:
    """A limit that is kept, without a crossing date."""
    values: dict[str, Any] = {
        "observed": 1.2, "limit": 2.0, "headroom_ratio": 0.4, "expected_date": None,
        "state": CrossingState.not_within_horizon, "undated": "not within a year",
    }  # fmt: skip
    return RuleOutcome(severity, **(values | changed))


def difference(before: RuleOutcome | None, *after: RuleOutcome | None) -> RuleDifference:
    """What a scenario makes of one rule."""
    return RuleDifference("R-1", "PLEX1/CSQ1", "MiB/s", Citation(document="MP16"), before, after)


def printed(folder: Path, scenario: str, *options: str) -> Result:
    """What the command prints of a scenario."""
    file = folder / "scenario.yaml"
    file.write_text(scenario, encoding="utf-8")
    return run(folder, settings_of(folder), "whatif", str(file), *options)


class Planted(UnitCosts):
    """Costs that are given, not computed."""

    def __init__(self, *costs: UnitCost) -> None:
        self._known = {(cost.kind, cost.subject): cost for cost in costs}

    def find(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        return self._known.get((kind, Subject(subject)))


def learning(known: DayFacts, *costs: UnitCost) -> DayFacts:
    """Return the facts with these costs learnt."""
    return known._replace(observed=known.observed.learning(Planted(*costs)))
