"""Survivors of a group share the work of a lost member."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.whatif.losses.lose import loss_of
from mqcap.whatif.losses.shares import shares_of
from tests.mqcap.whatif.sharing_group import CSQ1, CSQ2, estate, facts_of, member, peak_of

CSQ3 = "PLEX1/CSQ3"
CHANNELS = "channels_current_count"


@pytest.mark.parametrize(
    ("spread", "ratios", "how"),
    [
        ((None, None), {CSQ1: 0.5, CSQ3: 0.5}, "in equal parts"),
        ((3.0, 1.0), {CSQ1: 0.75, CSQ3: 0.25}, "as qsg_spread of the estate says"),
        ((1.0, None), {CSQ1: 1.0}, ""),
    ],
)
def test_as_the_estate_says_else_equally_where_free_storage_is_not_known(
    tmp_path: Path, spread: tuple[float | None, ...], ratios: dict[str, float], how: str
) -> None:
    members = {
        name: member(name[6:], qsg_spread=weight)
        for name, weight in zip((CSQ1, CSQ3), spread, strict=True)
    }
    found = shares_of(facts_of(tmp_path), CSQ2, members)
    assert found.ratios == pytest.approx(ratios)
    assert how in found.how


def test_each_gets_its_share_and_together_they_get_all_but_in_the_worst_case(
    tmp_path: Path,
) -> None:
    """CSQ2 has 6,000 channels, CSQ1 3,000 of its own."""
    members = (member("CSQ1", qsg_spread=1), member("CSQ2"), member("CSQ3", qsg_spread=2))
    facts = facts_of(tmp_path, configured=estate(qmgrs=members))
    shared = loss_of(facts, CSQ2)
    assert (shared.survivors, shared.is_any_enough) == ((CSQ1, CSQ3), False)
    assert peak_of(shared.facts, CHANNELS, f"{CSQ1}/CHINIT") == pytest.approx(5_000)
    assert "The survivors share the work of PLEX1/CSQ2: CSQ1 33.33 %, CSQ3 66.67 %" in " ".join(
        shared.assumptions
    )
    alone = loss_of(facts, CSQ2, CSQ1)
    assert alone.survivors == (CSQ1,)
    assert peak_of(alone.facts, CHANNELS, f"{CSQ1}/CHINIT") == pytest.approx(9_000)
