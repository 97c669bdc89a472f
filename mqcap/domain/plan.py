"""Plans: the least-cost set of changes that keeps every rule of one resource until a horizon."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from pydantic import BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind


class PlanPart(BaseModel, frozen=True, extra="ignore"):
    """Base: immutable; keys that an older release stored are left out."""


class PlanChange(PlanPart):
    """One change of a plan, as a person types it and as what-if reads it."""

    subject: str
    """Subject of the settings: a queue manager, channel initiator, pool, facility, structure."""
    text: str
    """Sentence: what to define or set, and instead of what."""
    typed: str
    """The operand with its figure, such as ``16 x CYL(5825)``."""
    settings: dict[str, float | int | bool | str]
    """Keys of a scenario's ``configuration`` with their new values; empty for a change of
    an older plan whose effect no scenario can tell."""
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
        return [{"subject": self.subject, **self.settings}] if self.settings else []


class PlanCost(PlanPart):
    """Cost of a plan in parts: the difference from today's state."""

    cylinders: int = 0
    """3390 cylinders of all copies."""
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
    """What grows by a share of a size that is not known, in no figure of the other parts, such as
    ``+80 % of the data file system of QM1``."""
    work_hours: float = 0.0
    weighted: float = 0.0
    """Sum of the parts times their weights (``plan.cost``), by which states are compared."""
    money: float | None = None
    """By the site's prices (``plan.prices``); ``None`` where a part of it has no price."""
    currency: str = ""
    """Empty where the site states no prices."""

    @property
    def peak_cylinders(self) -> int:
        """3390 cylinders more than today while old and new data sets exist together."""
        return self.cylinders + self.replaced_cylinders


class PlanRule(PlanPart):
    """A rule of the resource with and without the plan."""

    rule_id: str
    subject: str
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


class NotKept(PlanPart):
    """A rule that no state of the resource keeps."""

    rule_id: str
    subject: str
    fails_from: date
    """First day on which it fails in the best state; the plan's earliest day when always."""
    why: str
    """Reason, and the ways out that change the structure."""


class PlanEnd(PlanPart):
    """A rule with its limit: one that ends how long changes last, or one that a tier buys."""

    rule_id: str
    level: str
    """``limit 80 %``."""


class PlanVariant(PlanPart):
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

    @property
    def is_evaluated(self) -> bool:
        """Whether what they make of the rules is known: a scenario can tell one of them."""
        return any(change.settings for change in self.changes)


class PlanTier(PlanVariant):
    """More of the same than the mandatory limits need: what it buys, in whole, not on top."""

    buys: tuple[PlanEnd, ...]
    """The recommended rules that it keeps until the horizon, and the plan alone does not."""


class Decision(PlanVariant):
    """What is to be decided about one thing on one day: a resource, or a part that may be lost."""

    resource: str
    """Path, such as ``PLEX1/CSQ1/active_log``."""
    label: str
    """The resource as people say it, such as ``CSQ1 active logs``."""
    kind: str
    owner_subject: str
    """The queue manager, facility or structure that the resource belongs to; what is lost."""
    site_date: date
    severity: Severity
    """The highest severity of its rules."""
    is_feasible: bool
    summary: str
    """Sentence on the worst rule, in its natural unit."""
    worst_rule: str
    """Rule of the summary; empty for a plan without a rule in breach."""
    worst_subject: str
    is_production: bool = True
    """Whether production depends on the resource."""
    earliest_date: date
    """First day on which the change can be in force: lead time, after change freezes."""
    due_date: date
    """Last day to begin: that on which a limit breaks less the lead time, before change freezes;
    the day of the plan where that is over."""
    horizon_date: date
    confidence: float
    """Share of the forecast distribution below the bound that the plan is held against."""
    owner: str = ""
    not_kept: tuple[NotKept, ...] = ()
    options: tuple[PlanVariant, ...] = ()
    """Other changes that keep what the plan keeps, the cheapest first; then those whose effect is
    not known here, without settings."""

    @property
    def is_due_at_once(self) -> bool:
        """Whether the day is over on which to begin: as soon as possible."""
        return self.due_date <= self.site_date

    @property
    def has_ended(self) -> bool:
        """Whether only the cause of what has ended is left to be found."""
        return False

    @property
    def needs_nothing(self) -> bool:
        """Whether nothing has to be done, so that it is in no list."""
        return self.is_feasible and not self.changes

    @property
    def judged(self) -> frozenset[tuple[str, str]]:
        """Rule and subject of each of the plan's rules, and of what happened."""
        return frozenset()

    @property
    def scenario_parts(self) -> list[dict[str, Any]]:
        """The changes as the ``configuration`` section of a scenario."""
        return [part for change in self.changes for part in change.scenario_parts]


class LossPlan(Decision):
    """What the survivors of a lost part need beside the plans of the day."""

    unforecast: tuple[str, ...] = ()
    """Their figures, with its changes, that have no forecast, such as ``CF busy of CF03``."""


class Incident(PlanPart):
    """What the console reported of a resource."""

    has_ended: bool = False
    """Whether messages of the same day have ended all of it."""
    advice: str = ""
    """What its rule advises."""


class Plan(Decision):
    """The plan of one resource on one day: the least that keeps its mandatory limits.

    Those are kept at the bound of the forecast until the horizon. Of a kind without mandatory rules
    it is about the recommended ones. What more buys is in ``tiers``, what does instead in
    ``options``, and a resource that needs nothing has no plan.
    """

    worst_headroom_ratio: float | None = None
    """Headroom of the rule of the summary; ``None`` where none counts."""
    incident: Incident | None = None
    """What the console reported, which the summary tells; ``None``: nothing."""
    cause: str = ""
    """What to find out before the changes are made; empty where nothing is known to look for."""
    notes: tuple[str, ...] = ()
    """What the changes are not sized for, or leave open, as sentences without a full stop."""
    rules: tuple[PlanRule, ...] = ()
    made_on: date
    """Day on which the present changes were first planned; the horizon counts from it."""
    due_rule: str = ""
    """Rule whose limit breaks first; empty where none is known to."""
    breaks_on: date | None = None
    """First day over a limit at the bound of the forecast; the day of the plan where one is over it
    already, ``None`` where none is known to be."""
    missing: tuple[str, ...] = ()
    """Inputs that are not known, each with what to type into the settings."""
    counted: tuple[PlanChange, ...] = ()
    """Changes of other plans that its figures count, such as more adapters; not its own."""
    tiers: tuple[PlanTier, ...] = ()
    """What more than the changes buys, the least first."""
    arithmetic: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    """Rules of other resources that the changes make worse."""
    changed_on: date | None = None
    """Last day on which it differed materially from the day before; ``None``: on none so far."""
    noted_due_date: date | None = None
    """Due day when it was first made or last changed; ``None``: the due day of its own day."""

    @property
    def is_cause_alone(self) -> bool:
        """Whether the console reported it and no other rule asks for a change: find its cause."""
        others = any(rule.rule_id != self.worst_rule for rule in self.not_kept)
        return self.incident is not None and not self.changes and not others

    @property
    def has_ended(self) -> bool:
        """Whether only the cause of what has ended is left to be found."""
        return self.is_cause_alone and self.incident is not None and self.incident.has_ended

    @property
    def needs_nothing(self) -> bool:
        """Whether nothing has to be done, so that it is in no list."""
        return super().needs_nothing and self.incident is None

    @property
    def is_recommendation(self) -> bool:
        """Whether the limit of its summary breaks nothing; false where its rules do not say."""
        key = (self.worst_rule, self.worst_subject)
        worst = [rule for rule in self.rules if (rule.rule_id, rule.subject) == key]
        return any(not rule.is_mandatory for rule in worst)

    def tried(self, variant: PlanVariant) -> tuple[PlanChange, ...]:
        """Return the changes of a variant with those that its figures count, as what-if needs."""
        return (*self.counted, *variant.changes) if variant.changes else ()

    def judges(self, rule_id: str, subject: str) -> bool:
        """Return whether a rule of this subject is one of the plan's rules, or what happened."""
        return (rule_id, subject) in self.judged

    @property
    def judged(self) -> frozenset[tuple[str, str]]:
        """Rule and subject of each of the plan's rules, and of what happened."""
        happened = {(self.worst_rule, self.worst_subject)} if self.incident else set()
        return frozenset({(rule.rule_id, rule.subject) for rule in self.rules} | happened)

    @property
    def settings(self) -> dict[tuple[str, str], float | int | bool | str]:
        """Every setting that the plan changes, by subject and key."""
        return {
            (change.subject, key): value
            for change in self.changes
            for key, value in change.settings.items()
        }


AnyPlan = Plan | LossPlan

DUE_TOLERANCE_DAYS: Final = 7
"""A due day that moves by no more is no material change (ours)."""


def is_material_change(old: Plan, new: Plan) -> bool:
    """Return whether people must be notified: of other values, dates, severity or feasibility.

    The due day is compared with the one that the old plan was notified with, so that many small
    moves are not lost. A plan that is due at once on both days has not moved.
    """
    noted = old.noted_due_date or old.due_date
    is_moved = abs((new.due_date - noted).days) > DUE_TOLERANCE_DAYS
    return (
        old.settings != new.settings
        or old.severity is not new.severity
        or old.is_feasible is not new.is_feasible
        or (is_moved and not (old.is_due_at_once and new.is_due_at_once))
    )


def total_cost(costs: Iterable[PlanCost]) -> PlanCost:
    """Return the sum of costs, part by part; what has no known size is listed."""
    every = list(costs)
    names = PlanCost.model_fields.keys() - {"unsized", "money", "currency"}
    sums: dict[str, Any] = {
        name: round(sum(getattr(cost, name) for cost in every), 2) for name in names
    }
    sums["unsized"] = tuple(dict.fromkeys(each for cost in every for each in cost.unsized))
    sums["currency"] = next((cost.currency for cost in every), "")
    known = [cost.money for cost in every if cost.money is not None]
    if known and len(known) == len(every):
        sums["money"] = round(sum(known), 2)
    return PlanCost.model_validate(sums)


def following(new: Plan, before: Plan | None) -> Plan:
    """Return a plan with the day of its last material change, from the plan of the day before."""
    if before is None:
        return new.model_copy(update={"changed_on": None, "noted_due_date": new.due_date})
    if is_material_change(before, new):
        return new.model_copy(update={"changed_on": new.site_date, "noted_due_date": new.due_date})
    noted = before.noted_due_date or before.due_date
    return new.model_copy(update={"changed_on": before.changed_on, "noted_due_date": noted})


_KINDS: Final = [str(kind) for kind in ResourceKind]
UNPLANNED: Final = 3
"""Place of a resource without a plan in ``plan_order``: after plans, and what happened before."""
_ENDED: Final = 4
"""Place of what has ended: after everything that still asks for action."""


PlanOrder = tuple[bool, int, int, date, bool, float, str]


def _place(plan: Plan) -> int:
    if plan.incident:
        return _ENDED if plan.has_ended else 0 if plan.is_cause_alone else 1
    return 2


def plan_order(decision: Decision) -> PlanOrder:
    """Return a sort key: production, severity, what happened, due day, mandatory, damage.

    Damage is what a breach stops, in the order of the kinds of resources: active logs first, since
    full logs stop the queue manager. What happened, and what is due as soon as possible, is in this
    order; other plans of one day are by headroom. Of what happened, a cause to be found now comes
    before changes with a due day, and the cause of what has ended last of its severity.
    """
    plan = decision if isinstance(decision, Plan) else None
    headroom = plan.worst_headroom_ratio if plan else None
    nearness = float("inf") if headroom is None else headroom
    has_happened = plan is not None and plan.incident is not None
    if has_happened or decision.is_due_at_once:
        nearness = float(_KINDS.index(decision.kind)) if decision.kind in _KINDS else nearness
    return (
        not decision.is_production,
        -decision.severity.rank,
        _place(plan) if plan else 2,
        date.min if has_happened else decision.due_date,
        plan is not None and plan.is_recommendation,
        nearness,
        decision.resource,
    )
