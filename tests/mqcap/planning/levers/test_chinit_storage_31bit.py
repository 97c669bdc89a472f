from __future__ import annotations

from dataclasses import replace

import pytest

from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Statistic, series_id
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
    ("moved", "share", "is_structural"),
    [(2_124, "49.98 %", False), (2_125, "50 %", False), (2_126, "50.02 %", True)],
)
def test_more_than_half_of_the_channels_are_another_queue_manager(
    context_of: ContextOf, moved: int, share: str, is_structural: bool
) -> None:
    assert STRUCTURAL_SHARE * 4_250 == 2_125
    context = context_of(ResourceKind.chinit_storage_31bit)
    before, after = {"channels_moved": 0}, {"channels_moved": moved}
    [change] = CHINIT_STORAGE_31BIT.changes(context, before, after)
    assert change.is_structural is is_structural
    assert change.typed == f"{moved:,} channels"
    lead = "No setting keeps this: another queue manager is needed, for "
    assert change.text.startswith(lead) is is_structural
    assert f"{moved:,} of the 4,250 channels of today ({share})" in change.text
    assert change.settings == after


@pytest.mark.parametrize(
    ("per_day", "last_day", "expected", "leave"),
    [(0.0, 1.0, 4_250, 425), (0.002, 1.0, 5_780, 578), (0.002, 0.5, 5_772, 577)],
)
def test_the_channels_of_the_horizon_leave_in_the_same_share(
    context_of: ContextOf, per_day: float, last_day: float, expected: int, leave: int
) -> None:
    """180 days of 0.2 % a day are 1.36 times the channels; a last day on a weekend has half."""
    context = context_of(ResourceKind.chinit_storage_31bit)
    key = (series_id("channels_current_count", "PLEX1/CSQ1/CHINIT"), Statistic.peak)
    forecast = context.facts.forecasts[key]
    points = tuple(
        replace(
            point,
            expected=4_250
            * (1 + per_day * place)
            * (last_day if point.site_date == context.horizon_date else 1.0),
        )
        for place, point in enumerate(forecast.points, start=1)
    )
    known = forecast.model_copy(update={"points": points, "after_horizon": ()})
    facts = context.facts._replace(forecasts={**context.facts.forecasts, key: known})
    [change] = CHINIT_STORAGE_31BIT.changes(
        context._replace(facts=facts), {"channels_moved": 0}, {"channels_moved": 425}
    )
    assert f"of {expected:,} expected on " in change.text
    assert change.text.endswith(f"{leave:,} leave.")


def test_without_a_forecast_of_the_channels_only_those_of_today_are_named(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    unknown = context._replace(facts=context.facts._replace(forecasts={}))
    [change] = CHINIT_STORAGE_31BIT.changes(unknown, {"channels_moved": 0}, {"channels_moved": 425})
    text = "Move 425 of the 4,250 channels of today (10 %) to another queue manager."
    assert change.text == text


def test_each_channel_takes_work(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    few, many = (
        CHINIT_STORAGE_31BIT.cost(context, {"channels_moved": 0}, {"channels_moved": count})
        for count in (10, 110)
    )
    assert many.work_hours - few.work_hours == 100 * context.facts.settings.plan.channel_hours


def test_a_newer_release_is_no_alternative_where_none_is_known_to_be_older(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    before, after = {"channels_moved": 0}, {"channels_moved": 1_200}
    [change] = CHINIT_STORAGE_31BIT.changes(context, before, after)
    assert change.typed == "1,200 channels"
    assert change.text.startswith("Move 1,200 of the 4,250 channels of today (28.24 %) to another")
    assert CHINIT_STORAGE_31BIT.alternatives(context) == ()


def test_before_mq_9_4_the_release_is_an_alternative_and_no_change_of_the_plan(
    context_of: ContextOf,
) -> None:
    context = context_of(ResourceKind.chinit_storage_31bit)
    version = InputValue(name="mq_version", value="9.3.5")
    verdict = context.verdicts[0]
    finding = verdict.finding.model_copy(update={"inputs": (*verdict.finding.inputs, version)})
    older = context._replace(verdicts=(verdict._replace(finding=finding), *context.verdicts[1:]))
    before, after = {"channels_moved": 0}, {"channels_moved": 1_200}
    [text] = CHINIT_STORAGE_31BIT.alternatives(older)
    assert "from MQ 9.3.5 to 9.4" in text
    [change] = CHINIT_STORAGE_31BIT.changes(older, before, after)
    assert change.typed == "1,200 channels"
    assert CHINIT_STORAGE_31BIT.parts(older, before, after) == [
        {"subject": "PLEX1/CSQ1/CHINIT", "channels_moved": 1_200}
    ]
