"""Which queue manager takes the channels that a plan moves."""

from collections.abc import Sequence

import pytest

from mqcap.domain.plan import ChangePlan, Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.make import plans_of_day, with_targets
from sizing.rulebook.registry import all_rules
from tests.mqcap.judging.observations import with_days
from tests.mqcap.planning.estates import Load, facts_of_many
from tests.mqcap.rulebook.builders import new_store

STORAGE = ResourceKind.chinit_storage_31bit
FULL, ROOMY, TIGHT = Load(0.1, 0.85, 0.0), Load(0.1, 0.2, 0.0), Load(0.1, 0.7, 0.0)


class Group:
    """The members of one group, with what is planned for their channel initiators."""

    def __init__(self, facts: DayFacts) -> None:
        self.facts = facts
        self.verdicts: list[Verdict] = [
            fact
            for fact in judge_facts(facts)
            if all_rules()[fact.finding.rule_id].traits.resource is STORAGE
        ]
        self.contexts: list[PlanContext] = list(contexts_of(facts, self.verdicts))
        self.plans = plans_of_day(facts, self.verdicts)

    def notes(self, plans: Sequence[Plan], facts: DayFacts | None = None) -> dict[str, str]:
        """The notes on targets by queue manager, made anew."""
        bare = [plan.model_copy(update={"notes": ()}) for plan in plans]
        noted = with_targets(facts or self.facts, self.contexts, bare)
        changed = (plan for plan in noted if isinstance(plan, ChangePlan) and plan.notes)
        return {plan.about.owner_subject: " ".join(plan.notes) for plan in changed}


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Group:
    """One that is full, one with room and one that is nearly at Watch."""
    engine = new_store(tmp_path_factory.mktemp("targets"))
    facts = facts_of_many([FULL, ROOMY, TIGHT], engine)
    days = [day for day in facts.observed.every_day() if day.subject.endswith("/CHINIT")]
    return Group(facts._replace(observed=with_days(facts.observed, days)))


def in_groups(facts: DayFacts, **groups: str | None) -> DayFacts:
    """The facts with other groups of some queue managers."""
    [plex] = facts.estate.sysplexes
    managers = tuple(
        qmgr.model_copy(update={"qsg": groups.get(qmgr.name, qmgr.qsg)}) for qmgr in plex.qmgrs
    )
    changed = plex.model_copy(update={"qmgrs": managers})
    return facts._replace(estate=facts.estate.model_copy(update={"sysplexes": (changed,)}))


def moving(group: Group) -> Plan:
    [plan] = (plan for plan in group.plans if plan.about.kind == STORAGE)
    assert plan.about.owner_subject == "PLEX1/Q001"
    return plan


def test_the_member_with_the_least_in_use_is_named_with_its_use_after_the_move(
    group: Group,
) -> None:
    plan = moving(group)
    assert isinstance(plan, ChangePlan)
    [note] = plan.notes
    assert note.startswith("To Q002, which has room for ")
    assert note.endswith(" %); check its log and buffer pools in what-if")


def test_without_room_in_the_group_it_is_a_new_one_whose_setting_up_is_not_counted(
    group: Group,
) -> None:
    elsewhere = in_groups(group.facts, Q002="QSG2")
    note = group.notes([moving(group)], elsewhere)["PLEX1/Q001"]
    assert note.startswith("To Q003")
    alone = in_groups(group.facts, Q002="QSG2", Q003="QSG3")
    note = group.notes([moving(group)], alone)["PLEX1/Q001"]
    assert note.startswith("No other queue manager of QSG1 has room for ")
    assert "a new one takes them, at a cost not in Takes" in note
    outside = in_groups(group.facts, Q001=None, Q002=None, Q003=None)
    note = group.notes([moving(group)], outside)["PLEX1/Q001"]
    assert note.startswith("It is in no group with room for ")


def test_plans_that_move_no_channels_stay_as_they_are(group: Group) -> None:
    others = [plan for plan in group.plans if plan.about.kind != STORAGE]
    assert with_targets(group.facts, group.contexts, others) == others
