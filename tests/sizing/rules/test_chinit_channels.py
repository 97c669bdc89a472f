"""Channels against the number that the channel initiator allows."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice


def test_reaching_maxchl_is_the_breach_because_no_further_channel_starts() -> None:
    assert severities("CHI-MAXCHL", "channels", 170, 171, 199, 200, 201, maxchl=200) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act, Severity.act,
    ]  # fmt: skip
    below, reached = (finding("CHI-MAXCHL", channels=n, maxchl=200) for n in (199, 200))
    assert (below.breach, reached.breach) == (False, True)
    assert below.advice == "Nothing to change: more channels can start."


def test_maxchl_is_raised_until_the_channels_are_80_percent_of_it() -> None:
    judged = finding("CHI-MAXCHL", channels=200, maxchl=200)
    assert typed(judged) == ["MAXCHL(250)"]  # 200 / 0.8
    assert judged.advice.startswith("Raise MAXCHL if 31-bit storage allows")
    [change] = judged.changes
    assert change.effect is Effect.enough
    assert change.side_effects.startswith("up to 4 MiB of 31-bit storage")  # 50 x 90 / 1,024
    after = after_advice("CHI-MAXCHL", channels=200, maxchl=200)
    assert after.headroom_ratio == pytest.approx(0.2)
    assert after.severity is Severity.ok


def test_the_room_is_smaller_near_9999_but_the_channels_start() -> None:
    judged = finding("CHI-MAXCHL", channels=9_000, maxchl=9_000)  # 9,000 / 0.8 = 11,250
    assert typed(judged) == ["MAXCHL(9999)"]
    after = after_advice("CHI-MAXCHL", channels=9_000, maxchl=9_000)
    assert after.breach is False
    assert after.severity is Severity.watch


def test_more_channels_than_9999_are_spread_as_well() -> None:
    load = {"channels": 10_000, "maxchl": 5_000}
    assert typed(finding("CHI-MAXCHL", **load)) == ["MAXCHL(9999)", "2 queue managers"]
    after = after_advice("CHI-MAXCHL", **load)
    assert after.observed == pytest.approx(5_000)
    assert after.severity is Severity.ok


@pytest.mark.parametrize(
    ("channels", "managers"),
    [(9_999, 2), (15_998, 2), (15_999, 3)],  # 0.8 x 9,999 = 7,999.2 each
)
def test_at_its_maximum_maxchl_is_not_raised_but_the_channels_are_spread(
    channels: float, managers: int
) -> None:
    judged = finding("CHI-MAXCHL", channels=channels, maxchl=9_999)
    assert typed(judged) == [f"{managers} queue managers"]
    assert judged.advice.startswith("MAXCHL is at its maximum")
    after = after_advice("CHI-MAXCHL", channels=channels, maxchl=9_999)
    assert after.severity is Severity.ok
