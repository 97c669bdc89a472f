from dataclasses import replace

import pytest

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.resource import ResourceKind
from mqcap.judging.known import Known
from mqcap.planning.context import PlanContext
from mqcap.planning.evaluation import facts_with
from mqcap.planning.levers import chinit_storage_31bit
from mqcap.planning.levers.chinit_storage_31bit import CHINIT_STORAGE_31BIT as STORAGE
from mqcap.unit_costs.channel_cost import ChannelCost
from tests.mqcap.planning.levers.conftest import ContextOf

TODAY = {"channels_moved": 0}


@pytest.fixture
def context(context_of: ContextOf) -> PlanContext:
    return context_of(ResourceKind.chinit_storage_31bit)


def test_no_more_channels_move_than_there_are(context: PlanContext) -> None:
    assert STORAGE.today(context) == TODAY
    values = STORAGE.grids(context, TODAY)["channels_moved"]
    assert list(values[:3]) == [0, 10, 11]
    assert values[-1] == 4_250


@pytest.mark.parametrize(
    ("per_day", "last_day", "leave"),
    [(0.0, 1.0, 425), (0.002, 1.0, 578), (0.002, 0.5, 577)],
)
def test_the_channels_of_the_horizon_leave_in_the_same_share(
    context: PlanContext, per_day: float, last_day: float, leave: int
) -> None:
    """180 days of 0.2 % a day are 1.36 times the channels; a last day on a weekend has half."""
    key = (series_id("channels_current_count", "PLEX1/CSQ1/CHINIT"), Statistic.peak)
    forecast = context.facts.forecasts[key]
    shares = {context.horizon_date: last_day}
    points = tuple(
        replace(point, expected=4_250 * (1 + per_day * place) * shares.get(point.site_date, 1.0))
        for place, point in enumerate(forecast.points, start=1)
    )
    known = forecast.model_copy(update={"points": points, "after_horizon": ()})
    facts = context.facts._replace(forecasts={**context.facts.forecasts, key: known})
    [change] = STORAGE.changes(context._replace(facts=facts), TODAY, {"channels_moved": 425})
    assert f"they take their growth along: {leave:,} by " in change.text


def test_without_a_forecast_of_the_channels_only_those_of_today_are_named(
    context: PlanContext,
) -> None:
    unknown = context._replace(facts=context.facts._replace(forecasts={}))
    [change] = STORAGE.changes(unknown, TODAY, {"channels_moved": 425})
    assert change.text.endswith("CCDT or VIPA; they take their growth along.")


def test_work_is_that_of_a_change_and_of_the_definition_that_moves(context: PlanContext) -> None:
    plan = context.facts.settings.plan
    few, many = (STORAGE.cost(context, TODAY, {"channels_moved": count}) for count in (10, 110))
    assert few.work_hours == many.work_hours == plan.change_hours + plan.definition_hours


def with_parts(
    context: PlanContext, monkeypatch: pytest.MonkeyPatch, store: float = 2_000.0
) -> PlanContext:
    """The records name three definitions with 50, 30 and 20 per cent of the channels.

    With more than these of ``store``, its share is above that of both others.
    """
    rest = 4_000.0 - store
    day = context.site_date
    rows = [PartDay(day, "", PartKind.whole, "", 4_000.0, 900.0)]
    rows += [
        PartDay(day, PartKind.channel, PartKind.channel, name, value, 900.0)
        for name, value in (("STORE", store), ("BATCH", 0.6 * rest), ("ADMIN", 0.4 * rest))
    ]
    monkeypatch.setattr(chinit_storage_31bit, "part_days", lambda *_: rows)
    return context._replace(facts=context.facts._replace(known=Known()))


def test_channels_move_by_definition_where_the_records_name_them(
    context: PlanContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = with_parts(context, monkeypatch)
    values = list(STORAGE.grids(context, TODAY)["channels_moved"])
    assert values == [0, 850, 1_275, 2_125, 2_975, 3_400, 4_250]
    [change] = STORAGE.changes(context, TODAY, {"channels_moved": 2_975})
    assert change.typed == "STORE and ADMIN"
    plan = context.facts.settings.plan
    cost = STORAGE.cost(context, TODAY, {"channels_moved": 2_975})
    assert cost.work_hours == plan.change_hours + 2 * plan.definition_hours


def test_one_definition_moves_and_not_two_that_have_fewer_connections_together(
    context: PlanContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = with_parts(context, monkeypatch, 2_400.0)
    values = list(STORAGE.grids(context, TODAY)["channels_moved"])
    assert values == [0, 680, 1_020, 2_550, 3_230, 3_570, 4_250]
    assert STORAGE.dearer(context) == [1_700]  # BATCH and ADMIN
    [change] = STORAGE.changes(context, TODAY, {"channels_moved": 2_550})
    assert change.typed == "STORE"


def test_sharecnv_0_is_offered_with_its_condition_and_counts_the_channels_that_stay(
    context: PlanContext,
) -> None:
    today = {"sharecnv": 1, "channels_moved": 0}
    after = {"sharecnv": 0, "channels_moved": 0}
    [change] = STORAGE.changes(context, today, after)
    assert change.typed == "SHARECNV(0)"
    assert change.settings == {
        "sharecnv_from": 1, "sharecnv": 0, "client_conversations": 4_200, "message_bytes": 1_024,
    }  # fmt: skip
    assert STORAGE.condition(context, after).startswith("its clients have SHARECNV(1)")
    assert STORAGE.condition(context, today) == ""


def test_a_newer_release_is_no_alternative_where_none_is_known_to_be_older(
    context: PlanContext,
) -> None:
    [change] = STORAGE.changes(context, TODAY, {"channels_moved": 1_200})
    assert change.typed == "1,200 channels"
    assert change.text.startswith("Move 1,200 of the 4,250 channels of today (28.24 %) to another")
    assert STORAGE.alternatives(context, {}) == ()


def at_9_3_5(context: PlanContext) -> PlanContext:
    version = InputValue(name="mq_version", value="9.3.5")
    verdict = context.verdicts[0]
    finding = verdict.finding.model_copy(update={"inputs": (*verdict.finding.inputs, version)})
    return context._replace(verdicts=(verdict._replace(finding=finding), *context.verdicts[1:]))


def test_mq_9_4_is_only_named_where_the_storage_of_a_channel_is_not_that_of_a_client(
    context: PlanContext,
) -> None:
    older = at_9_3_5(context)
    assert STORAGE.today(older) == TODAY
    [other] = STORAGE.alternatives(older, {})
    [change] = other.changes
    assert "from MQ 9.3.5 to 9.4" in change.text
    assert (change.typed, change.settings) == ("MQ 9.4", {})


def test_mq_9_4_is_a_setting_for_clients_with_the_messages_that_their_storage_says(
    context: PlanContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """210 KB are between 205 (16 KB messages) and 245 (32 KB); with 9.4 these take 182."""
    cost = ChannelCost(210.0, "learnt")
    monkeypatch.setattr(chinit_storage_31bit, "todays_channel", lambda *_: cost)
    older = at_9_3_5(context)
    today = STORAGE.today(older)
    assert today == {"sharecnv": 1, "mq_level": "pre-9.4", "channels_moved": 0}
    assert STORAGE.alternatives(older, {}) == ()
    after = {**today, "mq_level": "9.4"}
    [change] = STORAGE.changes(older, today, after)
    assert (change.typed, change.settings["message_bytes"]) == ("MQ 9.4", 16 * 1_024)
    assert "takes 181.9 KB instead of 205.3, with messages of 16 KB" in change.text
    assert "messages of about 16 KB" in STORAGE.condition(older, after)
    plan = older.facts.settings.plan
    hours = STORAGE.cost(older, today, after).work_hours
    assert hours == plan.change_hours + plan.release_hours
    before, then = (
        facts.observed.days("chinit_31bit_used_pct", "PLEX1/CSQ1/CHINIT")[-1].peak
        for facts in (older.facts, facts_with(older, change.scenario_parts))
    )
    assert before == 85.0
    assert then == pytest.approx(85 - 100 * 4_200 * 23.4 / 1_024 / 1_500, abs=0.1)
    both = STORAGE.changes(older, today, {**after, "sharecnv": 0})
    assert [each.typed for each in both] == ["MQ 9.4", "SHARECNV(0)"]
    assert both[0].settings["sharecnv"] == 0
