"""zHyperLink of the log: tokens, paths, and how much of it is synchronous."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
MIRRORED: Final = {"log_stripes": 4, "log_mirrored": True}
"""2 copies x 4 stripes x 2 = 16 tokens."""


def test_the_users_of_a_box_share_64_tokens() -> None:
    others = (38, 39, 48, 49)  # 54, 55, 64 and 65 tokens
    assert severities("ZHL-TOKENS", "other_tokens", *others, **MIRRORED) == [
        OK, WATCH, WATCH, ACT,
    ]  # fmt: skip
    full = finding("ZHL-TOKENS", other_tokens=48, **MIRRORED)
    assert (full.observed, full.breach) == (64, False)


@pytest.mark.parametrize(
    ("dual_logging", "log_mirrored", "tokens"),
    [
        (None, None, 8),  # two copies are assumed, and no mirror
        (True, None, 8),
        (False, None, 4),
        (False, True, 8),
        (True, True, 16),
    ],
)
def test_each_open_data_set_of_the_log_takes_a_token_for_each_stripe(
    dual_logging: bool | None, log_mirrored: bool | None, tokens: int
) -> None:
    judged = finding(
        "ZHL-TOKENS", log_stripes=4, dual_logging=dual_logging, log_mirrored=log_mirrored
    )
    assert judged.observed == tokens


def test_a_path_may_be_25_percent_busy() -> None:
    busy = (85, 85.1, 100, 100.1)  # of one path; four may be 100 % busy together
    assert severities("ZHL-PFID-BUSY", "busy_pct", *busy, pfids=4) == [OK, WATCH, WATCH, WATCH]
    breaches = [finding("ZHL-PFID-BUSY", busy_pct=figure, pfids=4).breach for figure in busy]
    assert breaches == [False, False, False, True]
    assert (
        "each path = 100 % / 4 = 25 %" in finding("ZHL-PFID-BUSY", busy_pct=100, pfids=4).arithmetic
    )


@pytest.mark.parametrize(("busy_pct", "pfids", "wanted"), [(130, 4, 6), (125, 4, 5), (26, 1, 2)])
def test_paths_are_added_until_each_is_25_percent_busy(
    busy_pct: float, pfids: int, wanted: int
) -> None:
    inputs = {"busy_pct": busy_pct, "pfids": pfids}
    judged = finding("ZHL-PFID-BUSY", **inputs)
    assert typed(judged) == [f"{wanted} PFIDs"]
    assert judged.changes[0].effect is Effect.enough
    assert after_advice("ZHL-PFID-BUSY", **inputs).breach is False


@pytest.mark.parametrize(
    ("usual", "limit"),
    [
        (90, 85),  # 100 - 1.5 x 10
        (100, 100),
        (40, 10),
        (30, 0),  # 100 - 1.5 x 70 is below nothing
    ],
)
def test_the_asynchronous_share_may_grow_by_half(usual: float, limit: float) -> None:
    judged = finding("ZHL-SYNC-PCT", recent=100, usual=usual)
    assert judged.limit_value == limit
    assert judged.severity is OK
    assert finding("ZHL-SYNC-PCT", recent=limit, usual=usual).severity is OK


def test_a_fall_of_the_synchronous_share_is_watched() -> None:
    assert severities("ZHL-SYNC-PCT", "recent", 85, 84.9, 0, usual=90) == [OK, WATCH, WATCH]
    assert "ZHL-TOKENS" in finding("ZHL-SYNC-PCT", recent=84.9, usual=90).advice
    assert RULES["ZHL-SYNC-PCT"].traits.superseded_by == "ZHL-PFID-BUSY"


def test_the_spin_time_is_watched_above_one_and_a_half_times_the_usual() -> None:
    assert severities("ZHL-CPU", "recent", 0, 15, 15.1, usual=10) == [OK, OK, WATCH]
    assert RULES["ZHL-CPU"].traits.superseded_by == "ZHL-PFID-BUSY"


@pytest.mark.parametrize("value", ["no", None])
def test_a_site_without_zhyperlink_is_asked_for_nothing(value: str | None) -> None:
    for rule_id in ("ZHL-TOKENS", "ZHL-PFID-BUSY", "ZHL-SYNC-PCT", "ZHL-CPU"):
        assert not RULES[rule_id].applies_to({"zhyperlink": value, "log_stripes": 4})


def test_paths_are_evaluated_where_records_count_synchronous_writes() -> None:
    assert RULES["ZHL-PFID-BUSY"].applies_to({"busy_pct": 3.0})
    unknown = finding("ZHL-PFID-BUSY", busy_pct=3)
    assert unknown.severity is Severity.unknown
    assert "RMF Synchronous I/O report" in unknown.missing[0]
