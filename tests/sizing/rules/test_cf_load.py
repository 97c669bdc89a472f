"""Load that a coupling facility may have to carry: of another one, or of queues that move."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OTHER: Final = {"engines": 2, "lost_busy_pct": 30, "lost_engines": 2}
"""With it, the surviving CF is 30 % busier."""
MOVE: Final = {"engines": 2, "transactions_per_s": 10_000}
"""100 x 10,000 x 48.01 us / (2 x 1,000,000 us) = 24.005 % more."""


def test_a_survivor_may_be_60_percent_busy_with_the_structures_of_both() -> None:
    assert severities("CF-SURVIVOR", "busy_pct", 20.9, 21.1, 30, 30.1, **OTHER) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.watch,
    ]  # fmt: skip
    full, over = (finding("CF-SURVIVOR", busy_pct=busy, **OTHER) for busy in (30, 30.1))
    assert (full.observed, full.breach, over.breach) == (60, False, True)
    assert over.series_limit == 30, "its own series is compared with what the other leaves"


def test_the_other_facility_is_named_where_the_estate_names_it() -> None:
    assert (
        "structures of CF02 it"
        in finding("CF-SURVIVOR", busy_pct=10, takes_over="CF02", **OTHER).summary
    )
    assert "structures of the other CF it" in finding("CF-SURVIVOR", busy_pct=10, **OTHER).summary
    assert not RULES["CF-SURVIVOR"].applies_to({"busy_pct": 10})
    assert RULES["CF-SURVIVOR"].applies_to({"takes_over": "CF02"})


def test_a_survivor_gets_engines_for_the_work_of_both() -> None:
    load = {"busy_pct": 50, "engines": 2, "lost_busy_pct": 40, "lost_engines": 2}
    assert typed(finding("CF-SURVIVOR", **load)) == ["ICF engines: 3"]  # (100 + 80) / 60
    assert after_advice("CF-SURVIVOR", **load).breach is False


def test_a_facility_may_be_60_percent_busy_after_a_move() -> None:
    room = 60 - 24.005
    figures = (room - 9.1, room - 8.9, room, room + 0.01)
    assert severities("SYS-CF-CHECK", "busy_pct", *figures, **MOVE) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.watch,
    ]  # fmt: skip
    breaches = [finding("SYS-CF-CHECK", busy_pct=busy, **MOVE).breach for busy in figures]
    assert breaches == [False, False, False, True]
    assert finding("SYS-CF-CHECK", busy_pct=10, **MOVE).series_limit == pytest.approx(room)


def test_engines_are_advised_before_a_move() -> None:
    load = {"busy_pct": 50, **MOVE}
    assert typed(finding("SYS-CF-CHECK", **load)) == ["ICF engines: 3"]  # 74.005 x 2 / 60 = 2.47
    assert after_advice("SYS-CF-CHECK", **load).breach is False


def test_no_engines_are_typed_where_16_do_not_carry_it() -> None:
    judged = finding("SYS-CF-CHECK", busy_pct=61, engines=16, transactions_per_s=0)
    assert judged.breach
    assert judged.changes == ()
    assert "SMC" in judged.advice
    most = finding("SYS-CF-CHECK", busy_pct=80, engines=12, transactions_per_s=0)
    assert typed(most) == ["ICF engines: 16"]  # 80 x 12 / 60
