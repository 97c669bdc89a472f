"""Assumed plans: the facts of a sysplex with the plans of the day done, and what a loss assumes."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.plan import Plan, PlanChange
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.model import AssumedPlan, Loss, changes_in_force, is_beside, one_of_each_subject
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario

LOG_SETTINGS: Final = frozenset({"active_log_size_mib", "active_logs"})


class PlannedFacts(NamedTuple):
    """Facts of a sysplex with the plans of the day done."""

    facts: DayFacts
    measured: DayFacts
    """The facts without any plan."""
    plans: tuple[Plan, ...]
    """The plans that are done."""
    left_out: tuple[Plan, ...] = ()
    """Plans that cannot be applied together with the others."""

    def with_changes(self, changes: Iterable[PlanChange]) -> DayFacts:
        """Return the facts with changes beside the plans, all of them as one scenario.

        A change of the setting of a plan takes its place, as where both are typed at once: channels
        that move after others have moved would take another share along.
        """
        of_plans = (change for plan in self.plans for change in changes_in_force(plan))
        return _with(self.measured, [*of_plans, *changes])


def with_plans_in_force(facts: DayFacts, plans: Sequence[Plan]) -> PlannedFacts:
    """Return the facts with all changes of the plans that what-if can tell, in one scenario.

    A plan that what-if refuses beside the plans before it is left out.
    """
    try:
        return PlannedFacts(_with_all(facts, plans), facts, tuple(plans))
    except ConfigurationError:
        done: list[Plan] = []
        left_out: list[Plan] = []
        for plan in plans:
            try:
                _with_all(facts, [*done, plan])
            except ConfigurationError:
                left_out.append(plan)
            else:
                done.append(plan)
        return PlannedFacts(_with_all(facts, done), facts, tuple(done), tuple(left_out))


def with_assumed(loss: Loss, in_force: PlannedFacts) -> Loss:
    """Return a loss that names the plans of the day of its parts: those done, those left out."""
    return loss.model_copy(
        update={
            "assumed": tuple(
                AssumedPlan(
                    resource=plan.resource,
                    label=plan.about.label,
                    typed=tuple(dict.fromkeys(each.shown for each in changes_in_force(plan))),
                    subjects=tuple(change.subject for change in changes_in_force(plan)),
                    due_date=plan.due_date,
                )
                for plan in in_force.plans
                if is_beside(plan, loss)
            ),
            "left_out": tuple(
                plan.about.label for plan in in_force.left_out if is_beside(plan, loss)
            ),
        }
    )


def _with_all(facts: DayFacts, plans: Iterable[Plan]) -> DayFacts:
    return _with(facts, (change for plan in plans for change in changes_in_force(plan)))


def _with(facts: DayFacts, changes: Iterable[PlanChange]) -> DayFacts:
    every = one_of_each_subject(changes)
    parts = [part for change in every for part in change.scenario_parts]
    after = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
    renamed = {part["subject"] for part in parts if LOG_SETTINGS & part.keys()}
    return after._replace(estate=_without_names(after.estate, renamed))


def _without_names(estate: Estate, subjects: Collection[str]) -> Estate:
    """Return the estate without the names of logs that plans change: those are yet to be given."""
    plexes = tuple(
        plex.model_copy(
            update={
                "qmgrs": tuple(
                    manager.model_copy(update={"active_log_names": ()})
                    if Subject.of(plex.sysplex, manager.name) in subjects
                    else manager
                    for manager in plex.qmgrs
                )
            }
        )
        for plex in estate.sysplexes
    )
    return estate.model_copy(update={"sysplexes": plexes})
