"""Records of kinds of limits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.console.ledger import Ledger, LedgerForecast, LimitRecord, limit_records
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.score import RuleReliability
from tests.factories import DAY

DUE = LedgerForecast(
    basis=ForecastBasis.hold_out, resource="PLEX1/CSQ1/active_log", rule_id="LOG-FILL-30MIN",
    stated_on=DAY - timedelta(days=60), expected_date=DAY - timedelta(days=20),
)  # fmt: skip
STATED = RuleReliability(
    rule_id="LOG-FILL-30MIN", basis=ForecastBasis.hold_out, count=3, stated=0.4, came=0.5
)


def came(days_off: int) -> LedgerForecast:
    return DUE.model_copy(update={"measured_on": DUE.expected_date + timedelta(days=days_off)})


def test_the_error_is_the_median_distance_of_the_dates_that_came() -> None:
    ledger = Ledger(forecasts=(DUE, came(-9), came(2), came(4)))
    [record] = limit_records(ledger, [STATED])
    assert (record.due_count, record.came_count, record.error_days) == (4, 3, 4)
    assert (record.probability_count, record.stated_ratio, record.came_ratio) == (3, 0.4, 0.5)


def test_dates_of_which_none_came_have_no_error() -> None:
    [record] = limit_records(Ledger(forecasts=(DUE,)), [])
    assert (record.came_count, record.error_days, record.stated_ratio) == (0, None, None)


def test_live_and_hold_out_stand_apart_by_rule_live_first() -> None:
    live = STATED.model_copy(update={"basis": ForecastBasis.live})
    other = STATED.model_copy(update={"rule_id": "A"})
    records = limit_records(Ledger(forecasts=(DUE,)), [STATED, live, other])
    assert [(one.rule_id, one.basis.value, one.due_count) for one in records] == [
        ("A", "hold_out", 0),
        ("LOG-FILL-30MIN", "live", 0),
        ("LOG-FILL-30MIN", "hold_out", 1),
    ]


@pytest.mark.parametrize(
    ("due", "stated", "share", "is_quiet"),
    [
        (0, 0.0, 0.0, True),
        (0, 0.009, 0.0, True),
        (0, 0.01, 0.0, False),
        (0, 0.0, 0.1, False),
        (1, 0.0, 0.0, False),
        (0, None, None, True),
    ],
)
def test_a_rule_is_quiet_without_dates_likely_crossings_and_outcomes(
    due: int, stated: float | None, share: float | None, is_quiet: bool
) -> None:
    record = LimitRecord(
        rule_id="A", basis=ForecastBasis.live, due_count=due, stated_ratio=stated, came_ratio=share
    )
    assert record.is_quiet == is_quiet
