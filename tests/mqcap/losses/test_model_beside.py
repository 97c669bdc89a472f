"""Changes for losses together with plans."""

from __future__ import annotations

from typing import Any

from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.losses.model import SurvivorChanges, needed_changes, with_plans
from tests.plan_factories import loss, plan, plan_change

CSQ1, CSQ2, CHINIT = "PLEX1/CSQ1", "PLEX1/CSQ2", "PLEX1/CSQ1/CHINIT"


def changes(**settings: Any) -> PlanVariant:
    """A variant with these settings of CSQ1."""
    return PlanVariant(changes=(plan_change(subject=CSQ1, settings=settings),))


def logs(count: int, weighted: float) -> SurvivorChanges:
    """So many active logs of CSQ1."""
    return SurvivorChanges(
        resource=f"{CSQ1}/active_log",
        label="CSQ1 active logs",
        changes=changes(active_logs=count).changes,
        cost=PlanCost(weighted=weighted),
    )


def settings_of(*made: Any, **found: Any) -> dict[str, dict[str, Any]]:
    """Settings by subject of the loss of CSQ2, which CSQ1 carries, beside these plans."""
    lost = loss(lost=CSQ2, survivors=(CSQ1, "PLEX1/CSQ3"), **found)
    return {change.subject: change.settings for change in with_plans(lost, made)}


def test_the_loss_replaces_the_value_of_the_plan_and_keeps_its_other_settings() -> None:
    planned = plan(
        changes=(
            plan_change(subject=CSQ1, settings={"active_logs": 21, "active_log_size_mib": 4_095}),
        )
    )
    assert settings_of(planned, changes=changes(active_logs=23)) == {
        CSQ1: {"active_logs": 23, "active_log_size_mib": 4_095}
    }


def test_plans_of_all_survivors_and_of_what_is_lost_are_in_force_and_no_others() -> None:
    made = [
        plan(changes=(plan_change(subject=subject, settings={"maxarch": 900}),))
        for subject in (CSQ2, "PLEX1/CSQ22", "PLEX1/CSQ3", "PLEX1/CSQ4")
    ]
    assert set(settings_of(*made)) == {CSQ2, "PLEX1/CSQ3"}


def test_a_plan_that_cannot_be_applied_is_not_typed() -> None:
    done = plan(label="CSQ1 recovery", changes=(plan_change(subject=CSQ1, settings={"a": 1}),))
    refused = plan(label="CSQ1 archive", changes=(plan_change(subject=CSQ1, settings={"b": 1}),))
    assert settings_of(done, refused, left_out=("CSQ1 archive",)) == {CSQ1: {"a": 1}}


def test_a_change_without_settings_is_nothing_to_type() -> None:
    release = plan(changes=(plan_change(subject=CSQ1, settings={}),))
    assert settings_of(release) == {}


def test_what_several_losses_need_of_one_resource_counts_once() -> None:
    found = [
        loss(lost=CSQ2, by_resource=(logs(22, 100.0),)),
        loss(lost="PLEX1/CSQ3", by_resource=(logs(23, 200.0),)),
        loss(lost="PLEX1/CSQ4", by_resource=(logs(22, 100.0),)),
    ]
    [needed] = needed_changes(found)
    assert needed.changes[0].settings == {"active_logs": 23}
    assert needed.lost == (CSQ2, "PLEX1/CSQ3", "PLEX1/CSQ4")
    assert needed.cost.weighted == 200


def test_losses_without_changes_need_nothing() -> None:
    assert needed_changes([loss()]) == []
