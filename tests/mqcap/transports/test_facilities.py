"""Room of coupling facilities for queues that move to them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from pytest import approx

from mqcap.domain.estate import CouplingFacility
from mqcap.domain.metric import SubjectKind
from mqcap.transports.channel_move import Transport
from mqcap.transports.moves import Facility, facilities, most_room, overload_text
from mqcap.unit_costs.learning_data import LearningData
from tests.mqcap.rulebook.builders import DAY, observe
from tests.mqcap.transports.builders import data_of, sysplex

KIND = SubjectKind.coupling_facility


def busy(data: LearningData, subject: str, *peaks: float, days_back: int = 0) -> None:
    days = {DAY - timedelta(days=days_back + back): peak for back, peak in enumerate(peaks)}
    observe(data.engine, "cf_busy_pct", subject, days, kind=KIND, unit="%")


def test_the_highest_load_of_the_days_and_the_engines_of_the_estate(tmp_path: Path) -> None:
    data = data_of(tmp_path, [])
    busy(data, "PLEX1/CF01", 20, 31, 25)
    busy(data, "PLEX2/CF11", 90)
    assert facilities(data, "PLEX1") == [Facility("CF01", 31, 2)]


def test_engines_are_measured_where_the_estate_has_none(tmp_path: Path) -> None:
    data = data_of(tmp_path, [], sysplex(cfs=(CouplingFacility(name="CF01"),)))
    busy(data, "PLEX1/CF01", 20)
    assert facilities(data, "PLEX1") == []
    engines = {DAY - timedelta(days=1): 2.0, DAY: 3.0}
    observe(data.engine, "cf_engine_count", "PLEX1/CF01", engines, kind=KIND, unit="count")
    assert facilities(data, "PLEX1") == [Facility("CF01", 20, 3)]


def test_a_facility_measured_long_ago_is_not_known(tmp_path: Path) -> None:
    data = data_of(tmp_path, [])
    busy(data, "PLEX1/CF01", 20, days_back=data.settings.rules.peak_days)
    assert facilities(data, "PLEX1") == []


@pytest.mark.parametrize(("rate", "breach"), [(4_150, False), (4_165, False), (4_180, True)])
def test_a_facility_with_one_engine_takes_queues_up_to_30_pct(rate: float, breach: bool) -> None:
    # 10 % + 100 x 4,165 x 48.01 us / 1,000,000 us = 29.996 %
    effect = most_room([Facility("CF01", 10, 1)], Transport.shared_queue, rate)
    assert effect is not None
    assert effect.after_pct == approx(10 + rate * 48.01e-4)
    assert (effect.limit_pct, effect.breach) == (30, breach)


def test_the_facility_farthest_below_its_limit_is_chosen() -> None:
    known = [Facility("CF01", 15, 1), Facility("CF02", 20, 3)]
    effect = most_room(known, Transport.igq, 100)
    assert effect is not None
    assert (effect.facility, effect.breach) == ("CF02", False)
    assert effect.after_pct == approx(20 + 100 * 100 * 51.1 / 3e6)
    assert most_room([], Transport.igq, 100) is None


def test_the_text_names_facility_load_and_limit() -> None:
    effect = most_room([Facility("CF01", 29, 1)], Transport.igq, 1_000)
    assert effect is not None
    assert "with 2 channels further up moved too; the limit" in overload_text(
        effect.model_copy(update={"counted_moves": 2})
    )
    assert overload_text(effect) == (
        "CF01, which has most room, would be 34.11 % busy in the busiest interval; the limit is "
        "30 % (SYS-CF-CHECK)"
    )
