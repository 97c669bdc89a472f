"""How busy the engines of a coupling facility may be."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_one_engine_may_be_30_percent_busy() -> None:
    assert severities("CF-BUSY-1", "busy_pct", 25.4, 25.6, 30, 30.1, engines=1) == [
        OK, WATCH, WATCH, ACT,
    ]  # fmt: skip
    at_limit = finding("CF-BUSY-1", busy_pct=30, engines=1)
    assert at_limit.breach is False
    assert at_limit.advice == "Nothing to change: the engines have room."
    assert at_limit.changes == ()


def test_an_unknown_number_of_engines_is_reported_as_missing_with_its_two_sources() -> None:
    unknown = finding("CF-BUSY-N", busy_pct=90)
    assert unknown.severity is Severity.unknown
    assert "D CF" in unknown.missing[0]
    assert "SMF 74 subtype 4" in unknown.missing[0]


@pytest.mark.parametrize(
    ("busy_pct", "engines", "wanted"),
    [
        (75, 4, 5),  # 75 x 4 / 60 = 5
        (60.1, 3, 4),  # 3.005
        (100, 9, 15),  # 15
        (61, 2, 3),  # 2.03
    ],
)
def test_engines_are_added_until_the_same_work_is_60_percent(
    busy_pct: float, engines: int, wanted: int
) -> None:
    load = {"busy_pct": busy_pct, "engines": engines}
    judged = finding("CF-BUSY-N", **load)
    assert typed(judged) == [f"ICF engines: {wanted}"]
    assert judged.changes[0].effect is Effect.enough
    assert after_advice("CF-BUSY-N", **load).breach is False


def test_a_second_engine_doubles_the_limit_as_well() -> None:
    judged = finding("CF-BUSY-1", busy_pct=40, engines=1)
    assert typed(judged) == ["ICF engines: 2"]
    assert finding("CF-BUSY-N", busy_pct=20, engines=2).severity is OK


def test_no_engines_are_typed_where_even_16_are_too_few() -> None:
    judged = finding("CF-BUSY-N", busy_pct=81, engines=12)  # 81 x 12 / 60 = 16.2
    assert judged.breach
    assert judged.changes == ()
    assert typed(finding("CF-BUSY-N", busy_pct=80, engines=12)) == ["ICF engines: 16"]


def test_the_estimate_with_one_more_engine_spreads_the_same_work() -> None:
    answer = RULES["CF-BUSY-1"].answer({"busy_pct": 40, "engines": 1})
    assert answer["busy_with_one_more_engine_pct"] == 20
    assert "1 engine: limit 30 %" in finding("CF-BUSY-1", busy_pct=40, engines=1).arithmetic[0]
