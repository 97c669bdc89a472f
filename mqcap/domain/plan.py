"""Plans: the least-cost set of changes that keeps every rule of one resource until a horizon."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal, Self, TypeAlias

from pydantic import BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.metric import series_id
from mqcap.domain.subject import Subject


class PlanChange(BaseModel, frozen=True):
    """One change of a plan, as a person types it and as what-if reads it."""

    subject: Subject
    """Subject of the settings: a queue manager, channel initiator, pool, facility, structure."""
    text: str
    """Sentence: what to define or set, and instead of what."""
    typed: str
    """The operand with its figure, such as ``16 x CYL(5825)``."""
    settings: dict[str, float | int | bool | str]
    """Keys of a scenario's ``configuration`` with their new values; empty: no scenario can tell."""
    before: dict[str, float | int | bool | str | None] = {}
    """The same keys today; ``None``: not configured and not measured."""
    side_effects: str = ""
    decided_by: tuple[str, ...] = ()
    """Ids of the rules that fail with the next smaller amount; empty where none is known."""

    @property
    def shown(self) -> str:
        """The change as it is typed; in words where nothing is typed."""
        return self.typed or self.text

    @property
    def sentence(self) -> str:
        """What to define or set, with the operand to be typed."""
        return f"{self.text.rstrip('.')} [{self.typed}]" if self.typed else self.text

    @property
    def scenario_parts(self) -> list[dict[str, Any]]:
        """The change as an entry of a scenario's ``configuration``; empty without settings."""
        return [{"subject": str(self.subject), **self.settings}] if self.settings else []


class PlanCost(BaseModel, frozen=True):
    """Cost of a plan in parts: the difference from today's state."""

    cylinders: int = 0
    dasd_mib: int = 0
    replaced_cylinders: int = 0
    """3390 cylinders of today's data sets that are freed only once the new ones are in use."""
    replaced_dasd_mib: int = 0
    real_storage_mib: float = 0
    above_bar_mib: float = 0
    """Virtual storage above the bar that MEMLIMIT allows: real storage only as it is used."""
    chinit_31bit_mib: float = 0
    """31-bit storage of a channel initiator, for more of its tasks."""
    cf_storage_mib: int = 0
    engines: int = 0
    chinit_restarts: int = 0
    queue_manager_restarts: int = 0
    ipls: int = 0
    """Of z/TPF systems."""
    file_system_mib: int = 0
    """In file systems of distributed queue managers, for what else is kept there."""
    unsized: tuple[str, ...] = ()
    """What grows by a share of an unknown size: ``+80 % of the data file system of QM1``."""
    work_hours: float = 0.0
    weighted: float = 0.0
    """Sum of the parts times their weights (``plan.cost``), by which states are compared."""
    money: float | None = None
    """By the site's prices (``plan.prices``); ``None`` where a part of it has no price."""
    currency: str = ""

    @property
    def peak_cylinders(self) -> int:
        """3390 cylinders more than today while old and new data sets exist together."""
        return self.cylinders + self.replaced_cylinders


class PlanRule(BaseModel, frozen=True):
    """A rule of the resource with and without the plan."""

    rule_id: str
    subject: Subject
    title: str
    is_mandatory: bool
    """Its limit breaks something; False for a recommendation."""
    before: Severity
    after: Severity
    before_text: str
    after_text: str
    kept_until: date | None = None
    """Last day on which the upper bound keeps it; ``None``: as far as the forecast reaches."""
    is_forecast: bool = True
    """False: no forecast of its figure, so it is sized for the measured figure only."""
    level: str = ""
    """Its limit, such as ``limit 80 %``: what a plan keeps."""


class NotKept(BaseModel, frozen=True):
    """A rule that no state of the resource keeps."""

    rule_id: str
    subject: Subject
    fails_from: date
    """First day on which it fails in the best state; the plan's earliest day when always."""
    why: str
    """Reason, and the ways out that change the structure."""


class PlanEnd(BaseModel, frozen=True):
    """A rule with its ``limit 80 %``: one that ends how long changes last, or that a tier buys."""

    rule_id: str
    level: str


class PlanVariant(BaseModel, frozen=True):
    """A set of changes with its cost and its duration."""

    changes: tuple[PlanChange, ...] = ()
    cost: PlanCost = PlanCost()
    lasts_until: date | None = None
    """Last day on which all its rules are kept; ``None``: as far as the forecast reaches."""
    ended_by: tuple[PlanEnd, ...] = ()
    """The rules that fail on the day after it."""
    condition: str = ""
    """What has to be true of the site for them, as words after "if"; empty for none."""
    effect: str = ""
    """What they make of the figure that decides, such as ``84.33 % becomes 56.97 %``."""


class PlanTier(PlanVariant):
    """More of the same than the mandatory limits need: what it buys, in whole, not on top."""

    buys: tuple[PlanEnd, ...]
    """The recommended rules that it keeps until the horizon, and the plan alone does not."""


class PlanTopic(BaseModel, frozen=True):
    """The one thing to decide about: a resource, or a part that may be lost."""

    resource: Subject
    label: str
    """The resource as people say it, such as ``CSQ1 active logs``."""
    kind: str
    owner_subject: Subject
    """The queue manager, facility or structure that the resource belongs to; what is lost."""
    owner: str = ""
    is_production: bool = True


class PlanDates(BaseModel, frozen=True):
    """The day of a plan, and those by which and until which it counts."""

    site_date: date
    earliest_date: date
    """First day on which the change can be in force: lead time, after change freezes."""
    due_date: date
    """Last day to begin: lead time and freezes before a limit breaks; that of the plan if over."""
    horizon_date: date
    made_on: date
    """Day on which the present changes were first planned; the horizon counts from it."""
    due_rule: str = ""
    """Rule whose limit breaks first; empty where none is known to."""
    breaks_on: date | None = None
    """First day over a limit at the bound of the forecast, or the plan's; ``None``: none known."""
    changed_on: date | None = None
    """Last day on which it differed materially from the day before; ``None``: on none so far."""
    noted_due_date: date | None = None
    """Due day when it was first made or last changed; ``None``: the due day of its own day."""


class PlanReason(BaseModel, frozen=True):
    """What is wrong, by the worst rule."""

    severity: Severity
    summary: str
    rule_id: str
    """The worst rule; empty for a plan without a rule in breach."""
    subject: Subject
    headroom_ratio: float | None = None
    """Headroom of the worst rule; ``None`` where none counts."""

    @property
    def key(self) -> str:
        """Key of the problem of the worst rule, ``rule_id/subject``."""
        return series_id(self.rule_id, self.subject)


class PlanEvidence(BaseModel, frozen=True):
    """What a plan is held against, and how it stands there."""

    confidence: float
    """Share of the forecast distribution below the bound that the plan is held against."""
    rules: tuple[PlanRule, ...] = ()
    not_kept: tuple[NotKept, ...] = ()
    arithmetic: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    counted: tuple[PlanChange, ...] = ()
    """Changes of other plans that its figures count, such as more adapters; not its own."""


class Decision(BaseModel, frozen=True):
    """What is to be decided about one thing on one day."""

    about: PlanTopic
    dates: PlanDates
    reason: PlanReason
    evidence: PlanEvidence
    base: PlanVariant = PlanVariant()
    """What keeps the limits that the plan is about, at the least cost; empty: no setting does."""
    tiers: tuple[PlanTier, ...] = ()
    """What more than the base buys, the least first."""
    options: tuple[PlanVariant, ...] = ()
    """What else keeps the same, the cheapest first; then what has no known effect and settings."""

    @property
    def resource(self) -> str:
        """Path of the resource."""
        return self.about.resource

    @property
    def site_date(self) -> date:
        """The day of the plan."""
        return self.dates.site_date

    @property
    def due_date(self) -> date:
        """Last day to begin."""
        return self.dates.due_date

    @property
    def severity(self) -> Severity:
        """The highest severity of its rules."""
        return self.reason.severity

    @property
    def changes(self) -> tuple[PlanChange, ...]:
        """Changes of the base."""
        return self.base.changes

    @property
    def with_recommended(self) -> PlanVariant:
        """The largest tier; the base where no more is recommended."""
        return self.tiers[-1] if self.tiers else self.base

    @property
    def is_due_at_once(self) -> bool:
        """Whether the day is over on which to begin: as soon as possible."""
        return self.due_date <= self.site_date

    @property
    def has_ended(self) -> bool:
        """Whether only the cause of what has ended is left to be found."""
        return False

    @property
    def is_feasible(self) -> bool:
        """Whether every limit that the plan is about is kept."""
        return not self.evidence.not_kept

    @property
    def needs_nothing(self) -> bool:
        """Whether nothing has to be done, so that it is in no list."""
        return self.is_feasible and not self.changes

    @property
    def is_recommendation(self) -> bool:
        """Whether the limit of its worst rule breaks nothing; false where its rules do not say."""
        of = self.reason.rule_id, self.reason.subject
        rules = self.evidence.rules
        return any((rule.rule_id, rule.subject) == of and not rule.is_mandatory for rule in rules)

    @property
    def judged(self) -> frozenset[tuple[str, Subject]]:
        """Rule and subject of each of the plan's rules, and of what happened."""
        return frozenset((rule.rule_id, rule.subject) for rule in self.evidence.rules)

    @property
    def scenario_parts(self) -> list[dict[str, Any]]:
        """The changes as the ``configuration`` section of a scenario."""
        return [part for change in self.changes for part in change.scenario_parts]

    @property
    def settings(self) -> dict[tuple[str, str], float | int | bool | str]:
        """Every setting that the base changes, by subject and key."""
        return {
            (change.subject, key): value
            for change in self.changes
            for key, value in change.settings.items()
        }

    def tried(self, variant: PlanVariant) -> tuple[PlanChange, ...]:
        """Return the changes of a variant with those that its figures count, as what-if needs."""
        return (*self.evidence.counted, *variant.changes) if variant.changes else ()

    def dated(self, **dates: date | str | None) -> Self:
        """Return the same decision with other dates, by their names."""
        return self.model_copy(update={"dates": self.dates.model_copy(update=dates)})


class LossPlan(Decision):
    """What the survivors of a lost part need beside the plans of the day."""

    form: Literal["loss"] = "loss"
    unforecast: tuple[str, ...] = ()
    """Their figures, with its changes, that have no forecast, such as ``CF busy of CF03``."""


class InputsMissing(Decision):
    """A resource whose limits break, and whose changes cannot be told before inputs are known."""

    form: Literal["inputs_missing"] = "inputs_missing"
    missing: tuple[str, ...]
    """Inputs that are not known, each with what to type into the settings."""

    @property
    def is_feasible(self) -> bool:
        """No limit is known to be kept."""
        return False


class _OfChanges(Decision):
    cause: str = ""
    """What to find out before the changes are made; empty where nothing is known to look for."""
    notes: tuple[str, ...] = ()
    """What the changes are not sized for, or leave open, as sentences without a full stop."""
    missing: tuple[str, ...] = ()


class ChangePlan(_OfChanges):
    """The least that keeps the mandatory, else the recommended limits until the horizon."""

    form: Literal["changes"] = "changes"


class Incident(_OfChanges):
    """What the console reported of a resource, and what changes would have borne it."""

    form: Literal["incident"] = "incident"
    is_over: bool = False
    """Whether messages of the same day have ended all of it."""
    advice: str = ""

    @property
    def is_cause_alone(self) -> bool:
        """Whether no other rule asks for a change: find its cause."""
        others = (rule.rule_id != self.reason.rule_id for rule in self.evidence.not_kept)
        return not self.changes and not any(others)

    @property
    def has_ended(self) -> bool:
        """Whether only the cause of what has ended is left to be found."""
        return self.is_cause_alone and self.is_over

    @property
    def needs_nothing(self) -> bool:
        """What happened needs its cause at least."""
        return False

    @property
    def judged(self) -> frozenset[tuple[str, Subject]]:
        """Rule and subject of each of the plan's rules, and of what happened."""
        return super().judged | {(self.reason.rule_id, self.reason.subject)}


Plan: TypeAlias = ChangePlan | Incident | InputsMissing
AnyPlan: TypeAlias = Plan | LossPlan


def total_cost(costs: Iterable[PlanCost]) -> PlanCost:
    """Return the sum of costs, part by part; what has no known size is listed."""
    every = list(costs)
    names = PlanCost.model_fields.keys() - {"unsized", "money", "currency"}
    known = [cost.money for cost in every if cost.money is not None]
    return PlanCost(
        **{name: round(sum(getattr(cost, name) for cost in every), 2) for name in names},
        unsized=tuple(dict.fromkeys(what for cost in every for what in cost.unsized)),
        currency=next((cost.currency for cost in every), ""),
        money=round(sum(known), 2) if known and len(known) == len(every) else None,
    )
