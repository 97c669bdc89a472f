"""Plans as every surface has them: a row of what is to be decided, and the object for programs.

Page, mail, command line, ticket, report and REST API show the row; none of them words a plan
itself. ``mqcap plan --format json`` and REST API have the objects.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel, Field

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction, Statistic, series_id
from mqcap.domain.plan import (
    Plan,
    PlanCost,
    PlanDates,
    PlanEvidence,
    PlanReason,
    PlanRule,
    PlanTier,
    PlanTopic,
    PlanVariant,
)
from mqcap.domain.subject import Subject
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import of_limit

NOW: Final = "now"
"""In place of a due day that is over."""


class SummaryKind(StrEnum):
    """Kinds of rows."""

    change = "change"
    """A resource passes a limit: change it."""
    incident = "incident"
    """The console reported it: find the cause."""
    loss = "loss"
    """A part may be lost: prepare for it."""


class SummaryOption(BaseModel, frozen=True):
    """One way to do it: the plan itself, a recommended tier, or what does instead."""

    change: str
    """As typed; ``16 x CYL(5825)``."""
    is_typed: bool = True
    """False where ``change`` is words."""
    note: str
    """``mandatory``, ``recommended``, or the condition under which it does."""
    lasts: str
    """``until 30 May 2027``; empty where it is not known."""
    cost: str
    buys: str = ""
    """What it keeps or makes of the figure; empty for the plan itself."""
    lasts_until: date | None = None
    """Last day on which it is enough; ``None``: as far as the forecast reaches, or not forecast."""
    parts: PlanCost = PlanCost()
    """The cost in full."""


class SummarySeries(BaseModel, frozen=True):
    """The series of the sparkline with the limit that is drawn into it."""

    series_id: str
    statistic: Statistic
    limit: float
    direction: Direction


class PlanSummary(BaseModel, frozen=True):
    """What is to be decided about one resource, in the words and figures that are printed."""

    kind: SummaryKind
    resource: Subject
    """Path."""
    title: str
    """At most eight words."""
    problem: str
    """At most eight words: what happened, is over its limit or will be."""
    story: str = ""
    """Of an incident, cause and effect as a sentence or two; for the detail alone."""
    severity: Severity
    is_production: bool = True
    now: str = ""
    """The figure as printed, such as ``1.5 h``; empty where there is none."""
    limit: str = ""
    now_value: float | None = None
    """The figure in ``unit``; ``None`` where it is not known."""
    limit_value: float | None = None
    unit: str = ""
    used_ratio: float | None = None
    """Share of the limit that is used, above 1 when it is passed; ``None`` when not known."""
    series: SummarySeries | None = None
    is_over: bool = False
    """True when the limit is passed on the day already."""
    early_date: date | None = None
    """By then it is passed with 10 % probability; ``None``: not within the horizon."""
    expected_date: date | None = None
    """The same with 50 %."""
    late_date: date | None = None
    """The same with 90 %."""
    change: str = ""
    """As typed; in words where nothing is typed."""
    is_typed: bool = False
    options: tuple[SummaryOption, ...] = ()
    """The plan itself first, then more of the same, then what does instead."""
    check_first: tuple[str, ...] = ()
    """What to find out or to know before the change, a sentence each."""
    due_date: date | None = None
    """Last day to begin; ``None`` where nothing has one."""
    is_due_at_once: bool = False
    owner: str = ""
    cost: str = ""
    lasts: str = ""
    rule_id: str = ""
    """The rule of the figure, for links; printed nowhere."""
    subject: str = ""
    acknowledged: str = ""
    """Who acknowledged it, and until when; empty for none."""
    links: Mapping[str, str] = {}
    """Addresses below the pages: ``chart``, ``computed``, ``plan``, ``try``; those that exist."""

    @property
    def key(self) -> str:
        """Key of the problem of the rule of its figure, ``rule_id/subject``."""
        return series_id(self.rule_id, self.subject)

    @property
    def now_of_limit(self) -> str:
        """``1.5 h of 12 h``; the figure alone without a limit, empty without a figure."""
        return of_limit(self.now, self.limit)

    @property
    def due(self) -> str:
        """``11 Dec 2026``, ``now``, or empty."""
        if self.is_due_at_once:
            return NOW
        return short_day(self.due_date) if self.due_date else ""


_COSTS: Final = tuple(name for name in PlanCost.model_fields if name not in {"unsized", "weighted"})
"""Parts of a cost, each a column."""
COLUMNS: Final = (
    "severity",
    "resource",
    "title",
    "problem",
    "now",
    "limit",
    "unit",
    "is_over",
    "early_date",
    "expected_date",
    "late_date",
    "option",
    "change",
    "due_date",
    "owner",
    "lasts_until",
    *_COSTS,
    "buys",
    "is_production",
    "acknowledged",
)


def option_rows(rows: Iterable[PlanSummary]) -> Iterator[dict[str, Any]]:
    """Yield a flat row for spreadsheets for each option of each resource; days are dates."""
    for row in rows:
        now, limit = (
            None if number is None else round(number, 3)
            for number in (row.now_value, row.limit_value)
        )
        alone = SummaryOption(change=row.change, note="", lasts="", cost="")
        for option in row.options or (alone,):
            values = {
                "severity": row.severity.value,
                "now": now,
                "limit": limit,
                "option": option.note,
                "change": option.change,
                "lasts_until": option.lasts_until,
                "buys": option.buys,
            }
            values |= {name: getattr(option.parts, name) for name in _COSTS}
            yield {name: values.get(name, getattr(row, name, None)) for name in COLUMNS}


class PlanRuleObject(PlanRule, serialize_by_alias=True):
    """A rule of the resource with and without the plan; its id has the key ``rule``."""

    rule_id: str = Field(serialization_alias="rule")


class PlanEvidenceObject(PlanEvidence):
    """What a plan is held against."""

    rules: tuple[PlanRuleObject, ...] = ()


class PlanObject(BaseModel):
    """The plan of one resource on one day."""

    form: str
    """``changes``, ``incident`` or ``inputs_missing``."""
    feasible: bool
    """True when the limits that the plan is about are kept until the horizon."""
    due: date | None
    """Last day to begin, the lead time before a limit breaks; ``None`` where nothing is to do."""
    about: PlanTopic
    dates: PlanDates
    reason: PlanReason
    evidence: PlanEvidenceObject
    base: PlanVariant
    tiers: tuple[PlanTier, ...] = ()
    options: tuple[PlanVariant, ...] = ()
    missing: tuple[str, ...] = ()
    cause: str = ""
    notes: tuple[str, ...] = ()
    advice: str = ""
    is_over: bool | None = None
    """Whether what happened is over; ``None`` for plans of what did not happen."""


def plan_object(plan: Plan) -> PlanObject:
    """Return a plan as programs read it."""
    rules = tuple(PlanRuleObject(**dict(rule)) for rule in plan.evidence.rules)
    values = dict(plan) | {
        "evidence": PlanEvidenceObject(**dict(plan.evidence) | {"rules": rules}),
        "feasible": plan.is_feasible,
        "due": None if plan.needs_nothing else plan.due_date,
    }
    return PlanObject(**values)
