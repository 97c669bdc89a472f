"""zHyperLink of the log: tokens, paths, and how much of it is synchronous."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


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


def test_a_fall_of_the_synchronous_share_is_watched() -> None:
    assert severities("ZHL-SYNC-PCT", "recent", 85, 84.9, 0, usual=90) == [OK, WATCH, WATCH]
    assert "ZHL-TOKENS" in finding("ZHL-SYNC-PCT", recent=84.9, usual=90).advice
    assert RULES["ZHL-SYNC-PCT"].traits.superseded_by == "ZHL-PFID-BUSY"


def test_paths_are_evaluated_where_records_count_synchronous_writes() -> None:
    assert RULES["ZHL-PFID-BUSY"].applies_to({"busy_pct": 3.0})
    unknown = finding("ZHL-PFID-BUSY", busy_pct=3)
    assert unknown.severity is Severity.unknown
    assert "RMF Synchronous I/O report" in unknown.missing[0]
