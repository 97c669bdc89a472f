"""Channel initiator storage below and above the bar, and its scavenger."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
both_rules = pytest.mark.parametrize("rule_id", ["CHI-80-31BIT", "CHI-80-64BIT"])


@both_rules
def test_exactly_80_percent_of_the_storage_may_be_used(rule_id: str) -> None:
    assert severities(rule_id, "used_pct", 67.9, 68.1, 80, 80.1) == [OK, WATCH, WATCH, ACT]
    assert finding(rule_id, used_pct=80).breach is False
    assert finding(rule_id, used_pct=80, used_mib=800).changes == ()


@both_rules
def test_the_storage_available_follows_from_what_is_used_and_its_share(rule_id: str) -> None:
    judged = finding(rule_id, used_pct=90, used_mib=900)
    assert "(900 of 1,000 MiB)" in judged.summary
    assert judged.arithmetic[1:] == (
        "available = 100 x 900 MiB / 90 % = 1,000 MiB",
        "80 % x 1,000 MiB = 800 MiB",
    )


@both_rules
@pytest.mark.parametrize("inputs", [{"used_pct": 90}, {"used_pct": 0, "used_mib": 0}])
def test_without_the_size_the_percentage_alone_is_shown(
    rule_id: str, inputs: dict[str, float]
) -> None:
    judged = finding(rule_id, **inputs)
    assert "MiB" not in judged.summary
    assert len(judged.arithmetic) == 1
    assert judged.changes == ()


def test_channels_move_away_until_the_scavenger_rests_and_no_watch_remains() -> None:
    judged = finding("CHI-80-31BIT", used_pct=90, used_mib=900, mq_version="9.4.0")
    [change] = judged.changes
    assert change.typed == "1,707 channels"  # 150 MiB x 1,024 / 90 KB = 1,706.7
    assert change.effect is Effect.enough
    after = after_advice("CHI-80-31BIT", used_pct=90, used_mib=900)
    assert after.observed == pytest.approx(75, abs=0.01)
    assert after.breach is False
    assert severities("CHI-SCAV-75", "used_pct", float(after.observed or 100)) == [OK]
    assert any("message channels of MP16's 90 KB are assumed" in text for text in judged.caveats)


def test_channels_of_a_learnt_size_move_by_that_size_beside_that_of_mp16() -> None:
    learnt: dict[str, float] = {"used_pct": 90, "used_mib": 900, "channel_kib": 107.0}
    judged = finding("CHI-80-31BIT", mq_version="9.4.0", **learnt)
    [change] = judged.changes
    assert change.typed == "1,436 channels"  # 150 MiB x 1,024 / 107 KiB = 1,435.5
    assert "at 107 KiB each as learnt here (MP16: 90 KB)" in change.action
    assert after_advice("CHI-80-31BIT", **learnt).observed == pytest.approx(75, abs=0.01)
    assert any("learnt from its storage" in text for text in judged.caveats)
    assert not any("message channels of MP16's 90 KB" in text for text in judged.caveats)


def test_a_full_number_of_channels_is_one_more_so_that_75_percent_are_not_reached() -> None:
    judged = finding("CHI-80-31BIT", used_pct=100, used_mib=360)
    assert typed(judged) == ["1,025 channels"]  # 90 MiB x 1,024 / 90 KB = 1,024
    left = after_advice("CHI-80-31BIT", used_pct=100, used_mib=360).observed
    assert severities("CHI-SCAV-75", "used_pct", float(left or 100)) == [OK]


def test_a_use_of_169_percent_leaves_what_is_available_as_it_is() -> None:
    judged = finding("CHI-80-31BIT", used_pct=169.2, used_mib=2_538)
    assert "available = 100 x 2,538 MiB / 169.2 % = 1,500 MiB" in judged.arithmetic
    assert typed(judged) == ["16,077 channels"]  # (2,538 - 1,125) MiB x 1,024 / 90 KB = 16,076.8


@pytest.mark.parametrize(
    ("version", "first"),
    [("9.2.0", True), ("9.3.5", True), ("9.4", False), ("9.4.0", False), ("10.0.0", False)],
)
def test_before_9_4_another_release_comes_first(version: str, first: bool) -> None:
    judged = finding("CHI-80-31BIT", used_pct=90, used_mib=900, mq_version=version)
    *newer, moved = judged.changes
    assert bool(newer) is first
    assert judged.advice.startswith("Decide on MQ 9.4 first") is first
    assert moved.typed == "1,707 channels"
    if newer:
        assert newer[0].action.startswith(f"Move the queue manager from MQ {version} to 9.4")
        assert newer[0].effect is Effect.relief


def test_without_a_known_release_the_advice_names_9_4_and_no_change_does() -> None:
    judged = finding("CHI-80-31BIT", used_pct=90, used_mib=900)
    assert "if this is an earlier release" in judged.advice
    assert typed(judged) == ["1,707 channels"]
    assert finding("CHI-80-31BIT", used_pct=80, mq_version="9.3.5").changes == ()


@pytest.mark.parametrize(
    ("used_pct", "used_mib", "gib"),
    [
        (90, 3_600, 5),  # 87.9 % of 4 GiB, 70.3 % of 5
        (90, 450, 2),  # MEMLIMIT is 2 GiB at least
        (100, 1_638, 2),  # 79.98 % of 2 GiB
        (100, 1_639, 3),  # 80.03 % of 2 GiB
    ],
)
def test_memlimit_is_the_least_number_of_gibibytes_that_leaves_a_fifth_free(
    used_pct: float, used_mib: float, gib: int
) -> None:
    inputs = {"used_pct": used_pct, "used_mib": used_mib}
    assert typed(finding("CHI-80-64BIT", **inputs)) == [f"MEMLIMIT={gib}G"]
    after = after_advice("CHI-80-64BIT", **inputs)
    assert after.observed == pytest.approx(100 * used_mib / (gib * 1_024))
    assert after.breach is False


@both_rules
@pytest.mark.parametrize(("used", "breach"), [(799, False), (800, False), (801, True)])
def test_the_figures_of_one_message_are_compared_exactly(
    rule_id: str, used: float, breach: bool
) -> None:
    answer = RULES[rule_id].answer({"used_mb": used, "free_mb": 1_000 - used})
    assert answer["breach"] is breach
    assert answer["available_mb"] == 1_000
    assert answer["limit_mb"] == 800
    assert answer["used_pct"] == pytest.approx(used / 10)


def test_the_scavenger_runs_when_75_percent_are_reached_and_is_only_watched() -> None:
    assert severities("CHI-SCAV-75", "used_pct", 74.9, 75, 100) == [OK, WATCH, WATCH]
    assert RULES["CHI-SCAV-75"].answer({"used_pct": 74.9})["scavenger_runs"] is False
    assert RULES["CHI-SCAV-75"].answer({"used_pct": 75})["scavenger_runs"] is True
    assert RULES["CHI-SCAV-75"].traits.superseded_by == "CHI-80-31BIT"
    assert "Count CSQX068I" in finding("CHI-SCAV-75", used_pct=75).advice
    assert severities("CHI-80-31BIT", "used_pct", 75) == [WATCH], "it comes before the limit"
