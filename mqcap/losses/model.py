"""A loss with its cells and changes, and its changes beside the plans of the day (N-1)."""

from collections.abc import Iterable
from datetime import date

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import NotKept, Plan, PlanChange, PlanVariant
from mqcap.domain.subject import Subject
from mqcap.losses.cell import PLACE_RULE, LossCell, LossPart


class LossSpread(LossPart):
    """The load of a lost facility spread over all survivors, by engines."""

    busy_pct: float
    """Busy of all of their engines together."""
    moved_engine_pct: float
    """Engine time that moves, in per cent of one engine."""
    room_engine_pct: float
    """Engine time that they have up to their limits, in per cent of one engine."""
    is_planned: bool = False
    """Whether plans of the day are taken to be in force, such as another engine."""

    @property
    def is_enough(self) -> bool:
        """Whether they have the room for what moves."""
        return self.room_engine_pct >= self.moved_engine_pct


class SurvivorChanges(PlanVariant):
    """The changes of one resource of a survivor."""

    resource: Subject
    """Path, such as ``PLEX1/CSQ1/active_log``."""
    label: str
    """The resource as people say it, such as ``CSQ1 active logs``."""
    owner: str = ""


class AssumedPlan(LossPart):
    """A plan of the day that is taken to be in force in a loss."""

    resource: Subject
    """Path, such as ``PLEX1/CSQ3/CHINIT/storage_64bit``."""
    label: str
    """The resource as people say it, such as ``CSQ1 active logs``."""
    typed: tuple[str, ...]
    """What it types, such as ``MEMLIMIT=4G``, or ``another queue manager for 3,000 channels``."""
    subjects: tuple[Subject, ...]
    """Paths of what it changes."""
    due_date: date | None = None
    """Its due day by its own rules, which a loss does not move."""
    needed_from: date | None = None
    """First day on which the loss would pass a limit without it; ``None``: on none."""


class Loss(LossPart):
    """The loss of one part on one day: who takes its load, what fails, what to change."""

    lost: Subject
    kind: SubjectKind
    site_date: date
    horizon_date: date
    confidence: float
    """Share of the forecast distribution below the bound."""
    severity: Severity
    is_production: bool
    survivors: tuple[Subject, ...]
    is_any_enough: bool
    """The load goes to any one of the survivors: one that carries it is enough."""
    nowhere_to_go: tuple[Subject, ...] = ()
    """Structures that no surviving facility can take."""
    is_only_facility: bool = False
    """No other coupling facility is known in its sysplex: a matter of design, not of capacity."""
    duplexed: tuple[str, ...] = ()
    """Structures whose other copy carries on."""
    spread: LossSpread | None = None
    alone: tuple[LossCell, ...] = ()
    """The quantities of the survivor that would be worst off if it alone took everything, of a
    load that survivors share: the worst case, which decides nothing."""
    cells: tuple[LossCell, ...] = ()
    """The quantities of the survivors as measured: no plan of the day is done."""
    assumed: tuple[AssumedPlan, ...] = ()
    """The plans of the day of the survivors and of what is lost, taken to be in force in
    ``planned_cells``, ``changed_cells``, ``changes`` and ``not_kept``."""
    left_out: tuple[str, ...] = ()
    """Labels of their plans that cannot be applied together with the others: as though not done."""
    planned_cells: tuple[LossCell, ...] = ()
    """The quantities with the plans of the day done; empty without such plans."""
    changed_cells: tuple[LossCell, ...] = ()
    """Those of ``carriers`` with ``changes`` done too; empty without changes."""
    assumptions: tuple[str, ...] = ()
    changes: PlanVariant | None = None
    """The least-cost changes with which the survivors keep their limits, beside the plans of the
    day; without a change where those suffice. ``None``: nothing fails."""
    options: tuple[PlanVariant, ...] = ()
    """What does in place of ``changes``, such as more engines where structures are spread."""
    by_resource: tuple[SurvivorChanges, ...] = ()
    """The parts of ``changes``, resource by resource."""
    due_date: date | None = None
    """Last day to begin, the lead time of its rules before the first limit is passed; ``None``:
    nothing fails."""
    owner: str = ""
    """The team of what is lost."""
    not_kept: tuple[NotKept, ...] = ()
    """What no change of a setting keeps, with the ways out."""

    @property
    def steps(self) -> tuple[PlanChange, ...]:
        """The changes; none where nothing fails, or the plans of the day suffice."""
        return self.changes.changes if self.changes is not None else ()

    @property
    def presupposes(self) -> tuple[AssumedPlan, ...]:
        """The plans of the day without which the survivors that are to carry it fail."""
        return tuple(plan for plan in self.assumed if plan.needed_from is not None)

    @property
    def carriers(self) -> tuple[Subject, ...]:
        """The survivors that are to carry it: all, or the best where any one is enough."""
        return tuple(self.ranked_survivors[:1]) if self.is_any_enough else self.survivors

    @property
    def decisive_cells(self) -> tuple[LossCell, ...]:
        """The cells that decide: those of the survivors that are to carry it."""
        carriers = self.carriers
        return tuple(cell for cell in self.cells if cell.survivor in carriers)

    @property
    def ranked_survivors(self) -> list[Subject]:
        """The survivors: those that go on working first, then by limits that fail, then by use."""
        return sorted(self.survivors, key=lambda survivor: badness(self.cells_of(survivor)))

    def cells_of(self, survivor: str) -> tuple[LossCell, ...]:
        """Return the cells of one survivor."""
        return tuple(cell for cell in self.cells if cell.survivor == survivor)

    @property
    def rule_ids(self) -> list[str]:
        """The rules that fail, that of the worst failure first."""
        failing = sorted(
            (cell for cell in self.decisive_cells if cell.matters),
            key=lambda cell: cell.shown_rank,
            reverse=True,
        )
        places = [PLACE_RULE] if self.nowhere_to_go else []
        return list(dict.fromkeys([*places, *(cell.quantity.rule_id for cell in failing)]))

    @property
    def first_failure_date(self) -> date | None:
        """The first day on which its loss would pass a limit; ``None``: on no day."""
        if self.nowhere_to_go and not self.is_only_facility:
            return self.site_date
        days = (self.fails_on(cell) for cell in self.decisive_cells if cell.matters)
        return min((day for day in days if day is not None), default=None)

    def fails_on(self, cell: LossCell) -> date | None:
        """Return the first day on which a cell fails; ``None``: on none up to the horizon."""
        return self.site_date if cell.fails_today else cell.fails_from

    @property
    def minutes_to_first_failure(self) -> float | None:
        """Minutes until a survivor stops work before anything is changed; ``None``: none does.

        Of a load that any survivor may take it is the best one.
        """
        if self.nowhere_to_go:
            return 0.0
        known = (cell.minutes_to_failure for cell in self.decisive_cells)
        return min((minutes for minutes in known if minutes is not None), default=None)


def badness(cells: Iterable[LossCell]) -> tuple[bool, int, float]:
    """Return a sort key: whether work stops at once, how many cells fail, then the fullest."""
    every = list(cells)
    return (
        any(cell.stops_at_once for cell in every),
        sum(cell.counts for cell in every),
        max((cell.use_ratio for cell in every), default=0.0),
    )


def loss_order(loss: Loss) -> tuple[bool, int, str]:
    """Return a sort key: production, the highest severity, the name."""
    return not loss.is_production, -loss.severity.rank, loss.lost


def changes_in_force(plan: Plan) -> list[PlanChange]:
    """Return the changes of a plan that a loss assumes to be done: all that a scenario can tell.

    Channels that another queue manager takes are among them; another release is not.
    """
    return [change for change in plan.changes if change.settings]


def is_beside(plan: Plan, loss: Loss) -> bool:
    """Return whether a plan changes a survivor, whoever carries the loss, or what is lost."""
    parts = (loss.lost, *loss.survivors)
    return any(
        change.subject.is_within(part) for change in changes_in_force(plan) for part in parts
    )


def with_plans(loss: Loss, plans: Iterable[Plan]) -> list[PlanChange]:
    """Return the changes of a loss with those of the plans beside it, one of each subject."""
    planned = [
        change
        for plan in plans
        if plan.about.label not in loss.left_out and is_beside(plan, loss)
        for change in changes_in_force(plan)
    ]
    return one_of_each_subject((*planned, *loss.steps))


def one_of_each_subject(changes: Iterable[PlanChange]) -> list[PlanChange]:
    """Return changes with all settings of each subject in one; of a setting the last value."""
    by_subject: dict[str, PlanChange] = {}
    for change in changes:
        if not change.settings:
            continue
        before = by_subject.get(change.subject, change)
        settings = {**before.settings, **change.settings}
        by_subject[change.subject] = change.model_copy(update={"settings": settings})
    return list(by_subject.values())


class NeededBy(SurvivorChanges):
    """The changes of one resource, and the lost parts that need them."""

    lost: tuple[Subject, ...]
    due_date: date
    """The first day on which one of these losses is due."""


def needed_changes(losses: Iterable[Loss]) -> list[NeededBy]:
    """Return what all losses need of each resource, by path: the costliest, so each counts once.

    Parts are lost one at a time, so the changes for one loss serve another.
    """
    by_resource: dict[str, NeededBy] = {}
    for loss in losses:
        for changes in loss.by_resource:
            other = by_resource.get(changes.resource)
            most = max(filter(None, (other, changes)), key=lambda figure: figure.cost.weighted)
            values = {name: getattr(most, name) for name in SurvivorChanges.model_fields}
            due = loss.due_date or loss.site_date
            values["lost"] = (*(other.lost if other else ()), loss.lost)
            values["due_date"] = min(other.due_date, due) if other else due
            by_resource[changes.resource] = NeededBy(**values)
    return [by_resource[path] for path in sorted(by_resource)]
