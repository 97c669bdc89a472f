"""Channels that leave the group, so that survivors have 31-bit storage for those of a lost member.

No setting gives that storage. Which channel initiator they leave is ours: that whose plan moves
channels already, else that with the most channels; in either case one channel fewer is to be
carried.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from math import floor
from typing import NamedTuple

from mqcap.domain.losses.cell import LossCell, LossQuantity
from mqcap.domain.losses.in_force import changes_in_force
from mqcap.domain.losses.loss import LeavingChannels, Loss, SurvivorChanges
from mqcap.domain.metric import SERIES_SEPARATOR, Statistic, owner_subject_of
from mqcap.domain.numbers import figure, percent
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import RuleOfSubject
from mqcap.planning.evaluation import fails_on_bound, fails_proof, judged_today, kept
from mqcap.planning.levers.chinit_storage_31bit import STRUCTURAL_SHARE
from mqcap.planning.losses.cells import context_of, passes
from mqcap.planning.losses.in_force import PlannedFacts
from mqcap.planning.single_setting import round_values
from mqcap.planning.states import weighted
from mqcap.whatif.channels import COUNTS, chinit_of
from mqcap.whatif.losses.lose import loss_of
from mqcap.whatif.losses.taken_load import highest
from mqcap.whatif.moved_channels import MOVED
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules


class Room(NamedTuple):
    """The facts of a sysplex with the plans of the day, and with channels that leave the group."""

    facts: DayFacts
    moves: tuple[LeavingChannels, ...] = ()
    changes: tuple[SurvivorChanges, ...] = ()
    """The changes that move them; each counts what its plan moves too, and costs what is added."""


def with_channel_room(loss: Loss, in_force: PlannedFacts, survivors: Sequence[str]) -> Room:
    """Return the facts in which 31-bit storage of the survivors is kept with the load.

    A survivor is left as it is where it is kept, or where no number of channels keeps it.
    """
    room = Room(in_force.facts)
    for survivor in survivors:
        cell = _failing_cell(loss, survivor)
        if cell is not None:
            room = _with_room(loss, in_force, room, cell)
    return room


def _failing_cell(loss: Loss, survivor: str) -> LossCell | None:
    return next(
        (
            cell
            for cell in loss.planned_cells or loss.cells
            if cell.survivor == survivor
            and cell.quantity is LossQuantity.chinit_31bit
            and cell.fails
        ),
        None,
    )


def _with_room(loss: Loss, in_force: PlannedFacts, room: Room, cell: LossCell) -> Room:
    for chinit in _chinits(loss, in_force, room.facts, cell.survivor):
        planned = _moved_by_plans(in_force, chinit)
        left = max((each.needed for each in room.moves if each.subject == chinit), default=planned)
        most = left + floor(_channels(room.facts, chinit))
        numbers = [left, *round_values(left, most)]
        loads = _Loads(loss.lost, cell, in_force, room, chinit)
        needed = _least(numbers, loads.is_ok_up_to_horizon)
        if needed is None:
            needed = _least(numbers, loads.is_kept_up_to_horizon)
        if needed is None:
            continue
        today = _least(numbers[: numbers.index(needed) + 1], loads.is_kept_today)
        label = chinit.removesuffix("/CHINIT").rpartition(SERIES_SEPARATOR)[2]
        move = LeavingChannels(
            survivor=cell.survivor,
            subject=chinit,
            label=label,
            planned=planned,
            today=needed if today is None else today,
            needed=needed,
        )
        moves = (*(each for each in room.moves if each.subject != chinit), move)
        rule = all_rules()[cell.rule_id]
        changes = _changes(in_force.facts, move, most, rule, loads.lasts_until(needed))
        return Room(
            in_force.with_changes(_leaving(moves)),
            moves,
            (*(each for each in room.changes if each.resource != changes.resource), changes),
        )
    return room


class _Loads:
    """The load of a lost member on one survivor, by the channels that leave a channel initiator.

    It is found in the part of these two members, which is all that it depends on.
    """

    def __init__(
        self, lost: str, cell: LossCell, in_force: PlannedFacts, room: Room, chinit: str
    ) -> None:
        both = {lost, cell.survivor}
        self._lost = lost
        self._pair = RuleOfSubject(all_rules()[cell.rule_id], cell.subject)
        self._in_force = in_force.of_owners(both)
        moves = (each for each in room.moves if owner_subject_of(each.subject) in both)
        self._left = _leaving(moves)
        """The channels that leave for other survivors."""
        self._chinit = chinit
        self._loaded: dict[int, DayFacts] = {}

    def is_kept_today(self, number: int) -> bool:
        """Return whether the limit is kept with the load of today."""
        finding = judged_today(self._pair, self._lost_with(number))
        return finding is not None and not passes(finding)

    def is_kept_up_to_horizon(self, number: int) -> bool:
        """Return whether the limit is kept at the bound of the forecast up to the horizon."""
        facts = self._lost_with(number)
        context = context_of(facts, self._pair)
        return not fails_on_bound(context, self._pair, facts, Standard.limit)

    def is_ok_up_to_horizon(self, number: int) -> bool:
        """Return whether what-if finds it OK, today and up to the horizon."""
        facts = self._lost_with(number)
        context = context_of(facts, self._pair)
        return not fails_on_bound(context, self._pair, facts, Standard.ok) and not fails_proof(
            context, self._pair, facts
        )

    def lasts_until(self, number: int) -> date | None:
        """Return the last day on which the limit is kept; ``None``: as far as it is forecast."""
        facts = self._lost_with(number)
        context = context_of(facts, self._pair)
        first = kept(context, self._pair, facts, Standard.limit).fails_from
        return None if first is None else first - timedelta(days=1)

    def _lost_with(self, number: int) -> DayFacts:
        if number not in self._loaded:
            leaving = [_moving(self._chinit, number)] if number else []
            moved = self._in_force.with_changes([*self._left, *leaving])
            self._loaded[number] = loss_of(moved, self._lost).facts
        return self._loaded[number]


def _leaving(moves: Iterable[LeavingChannels]) -> list[PlanChange]:
    return [_moving(each.subject, each.needed) for each in moves if each.needed]


def _moving(chinit: str, number: int) -> PlanChange:
    return PlanChange(subject=chinit, text="", typed="", settings={MOVED: number})


def _least(numbers: Sequence[int], is_enough: Callable[[int], bool]) -> int | None:
    """Return the first of rising numbers that is enough; ``None`` where none is."""
    if not is_enough(numbers[-1]):
        return None
    return numbers[
        bisect_left(range(len(numbers) - 1), True, key=lambda at: is_enough(numbers[at]))
    ]


def _chinits(loss: Loss, in_force: PlannedFacts, facts: DayFacts, survivor: str) -> list[str]:
    """Return the channel initiators that channels can leave, in the order of preference."""
    both = (chinit_of(survivor), chinit_of(loss.lost))
    return sorted(
        (each for each in both if _channels(facts, each) >= 1),
        key=lambda each: (_moved_by_plans(in_force, each), _channels(facts, each)),
        reverse=True,
    )


def _channels(facts: DayFacts, chinit: str) -> float:
    return highest(facts, (COUNTS[0], chinit), Statistic.peak)


def _moved_by_plans(in_force: PlannedFacts, chinit: str) -> int:
    return sum(
        int(change.settings[MOVED])
        for plan in in_force.plans
        for change in changes_in_force(plan)
        if MOVED in change.settings and chinit_of(change.subject) == chinit
    )


def _changes(
    facts: DayFacts, move: LeavingChannels, most: int, rule: Rule, lasts_until: date | None
) -> SurvivorChanges:
    """Return the change that moves all of the channels, and what it costs beside the plan."""
    settings = facts.settings.plan
    resource = rule.resource_of(move.subject)
    hours = (move.needed - move.planned) * settings.channel_hours
    cost = PlanCost(work_hours=round(hours + (0 if move.planned else settings.change_hours), 2))
    own = f", {figure(move.planned)} of them by its plan" if move.planned else ""
    return SurvivorChanges(
        resource=resource.path,
        label=resource.label,
        owner=facts.settings.alerts.owner_of(resource.owner_subject),
        changes=(
            PlanChange(
                subject=move.subject,
                text=(
                    f"Move {figure(move.needed)} of the {figure(most)} channels of today "
                    f"({percent(move.needed / most)}) to another queue manager, outside of the "
                    f"group{own}; they take their growth along."
                ),
                typed=TypedAmount.of(TypedKind.channels, move.needed).text,
                settings={MOVED: move.needed},
                before={MOVED: move.planned},
                is_structural=move.needed > STRUCTURAL_SHARE * most,
            ),
        ),
        cost=weighted(cost, settings.cost),
        lasts_until=lasts_until,
    )
