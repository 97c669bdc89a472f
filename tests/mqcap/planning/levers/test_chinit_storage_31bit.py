from __future__ import annotations

import pytest

from mqcap.domain.finding import InputValue
from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.chinit_storage_31bit import (
    CHINIT_STORAGE_31BIT,
    STRUCTURAL_SHARE,
)
from tests.mqcap.planning.levers.conftest import ContextOf


def test_no_more_channels_move_than_there_are(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    today = CHINIT_STORAGE_31BIT.today(context)
    assert today == {"channels_moved": 0}
    values = CHINIT_STORAGE_31BIT.grids(context, today)["channels_moved"]
    assert list(values[:3]) == [0, 10, 11]
    assert values[-1] == 4_250


@pytest.mark.parametrize(
    ("moved", "is_structural"), [(2_124, False), (2_125, False), (2_126, True)]
)
def test_more_than_half_of_the_channels_are_another_queue_manager(
    context_of: ContextOf, moved: int, is_structural: bool
) -> None:
    assert STRUCTURAL_SHARE * 4_250 == 2_125
    context = context_of(ResourceKind.chinit_storage_31bit)
    before, after = {"channels_moved": 0}, {"channels_moved": moved}
    [change] = CHINIT_STORAGE_31BIT.changes(context, before, after)
    assert change.is_structural is is_structural
    assert change.typed == f"{moved} channels"
    lead = "No setting keeps this: another queue manager is needed, for 2,126 of the 4,250 channels"
    assert change.text.startswith(lead) is is_structural
    assert change.settings == after


def test_each_channel_takes_work(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    few, many = (
        CHINIT_STORAGE_31BIT.cost(context, {"channels_moved": 0}, {"channels_moved": count})
        for count in (10, 110)
    )
    assert many.work_hours - few.work_hours == 100 * context.facts.settings.plan.channel_hours


def test_a_release_is_no_way_out_where_none_is_known_to_be_older(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    before, after = {"channels_moved": 0}, {"channels_moved": 1_200}
    [change] = CHINIT_STORAGE_31BIT.changes(context, before, after)
    assert change.typed == "1200 channels"
    assert "1,200 message channels" in change.text
    assert CHINIT_STORAGE_31BIT.first(context) == ()


def test_before_mq_9_4_the_release_comes_first_and_changes_nothing_in_what_if(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    version = InputValue(name="mq_version", value="9.3.5")
    verdict = context.verdicts[0]
    finding = verdict.finding.model_copy(update={"inputs": (*verdict.finding.inputs, version)})
    older = context._replace(verdicts=(verdict._replace(finding=finding), *context.verdicts[1:]))
    before, after = {"channels_moved": 0}, {"channels_moved": 1_200}
    first, second = CHINIT_STORAGE_31BIT.changes(older, before, after)
    assert "from MQ 9.3.5 to 9.4" in first.text
    assert first.settings == {}
    assert CHINIT_STORAGE_31BIT.first(older) == (first,)
    assert second.typed == "1200 channels"
    lead, later = CHINIT_STORAGE_31BIT.changes(older, before, {"channels_moved": 4_000})
    assert (lead.is_structural, later) == (True, first)
    assert CHINIT_STORAGE_31BIT.parts(older, before, after) == [
        {"subject": "PLEX1/CSQ1/CHINIT", "channels_moved": 1_200}
    ]
