"""What a member of a queue sharing group leaves to a survivor."""

from pathlib import Path

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.carried.members import loads_of_member, shares_of
from mqcap.losses.carried.taken_load import TakenLoad
from mqcap.store.models import WindowDay
from tests.factories import unit_cost
from tests.mqcap.judging.observations import with_series
from tests.mqcap.whatif.builders import learning
from tests.mqcap.whatif.sharing_group import (
    CSQ1,
    CSQ2,
    CSQ4,
    DAY,
    LOG,
    estate,
    facts_of,
    member,
    peak_of,
)

CHINIT, OTHER = f"{CSQ1}/CHINIT", f"{CSQ2}/CHINIT"
BELOW, ABOVE = (
    UnitCostKind.chinit_31bit_kib_per_channel,
    UnitCostKind.chinit_64bit_kib_per_channel,
)


@pytest.fixture
def loads(tmp_path: Path) -> dict[tuple[str, str], TakenLoad]:
    return {load.series: load for load in loads_of_member(facts_of(tmp_path), CSQ2, CSQ1)}


def test_the_log_of_the_lost_member_is_added_by_the_hour(
    loads: dict[tuple[str, str], TakenLoad],
) -> None:
    load = loads[LOG, CSQ1]
    assert (load.source, load.factor, load.by_hour) == ((LOG, CSQ2), 1.0, True)


def test_channels_bring_the_storage_of_a_message_channel_and_not_that_of_the_base(
    loads: dict[tuple[str, str], TakenLoad],
) -> None:
    """90 KB each (CHI-FOOTPRINT-MCA); 600 MiB are 40 % of 1,500 MiB."""
    assert loads["channels_current_count", CHINIT].factor == 1
    mib = loads["chinit_31bit_used_mib", CHINIT]
    assert (mib.source, mib.factor) == (("channels_current_count", OTHER), 90 / 1_024)
    share = loads["chinit_31bit_used_pct", CHINIT]
    assert share.factor == pytest.approx(100 * 90 / 1_024 / 1_500)
    assert "6,000 channels x 90 KB / 1024 = 527.3 MiB" in share.lines[1]


def share(facts: DayFacts, storage: str) -> list[TakenLoad]:
    """What the share of storage of CSQ1 gets of CSQ2; nothing or one load."""
    series = f"chinit_{storage}_used_pct", CHINIT
    return [load for load in loads_of_member(facts, CSQ2, CSQ1) if load.series == series]


def test_channels_that_arrive_take_what_those_of_the_survivor_take(sample: DayFacts) -> None:
    """1,024 MiB are 50 % of 2,048 MiB; 6,000 channels of 64 KiB are 375 MiB, 18.3 points."""
    costs = [
        unit_cost(kind=kind, subject=subject, value=kib, lower=kib - 2, upper=kib + 2)
        for kind in (BELOW, ABOVE)
        for subject, kib in ((CHINIT, 64.0), (OTHER, 200.0))
    ]
    facts = learning(sample, *costs)
    [below], [above] = (share(facts, storage) for storage in ("31bit", "64bit"))
    assert below.factor == pytest.approx(100 * 64 / 1_024 / 1_500)
    assert above.factor == pytest.approx(100 * 64 / 1_024 / 2_048)
    assert "6,000 channels x 64 KB / 1024 = 375 MiB" in above.lines[1]


@pytest.mark.parametrize(
    ("own_lower", "lost_lower", "kib", "source"),
    [
        (120.0, 49.0, 128, "of PLEX1/CSQ1/CHINIT, learnt"),
        (1.0, 49.0, 50, "of PLEX1/CSQ2/CHINIT, learnt"),
        (1.0, 1.0, 8, "of PLEX1/CSQ1/CHINIT, by MP16: 8 KiB"),
    ],
)
def test_where_none_is_certain_at_the_survivor_channels_bring_their_own_cost_else_that_of_mp16(
    sample: DayFacts, own_lower: float, lost_lower: float, kib: float, source: str
) -> None:
    own = unit_cost(kind=ABOVE, subject=CHINIT, value=128.0, lower=own_lower, upper=140, book=None)
    of_lost = unit_cost(kind=ABOVE, subject=OTHER, value=50.0, lower=lost_lower, upper=51.0)
    [above] = share(learning(sample, own, of_lost), "64bit")
    assert above.factor == pytest.approx(100 * kib / 1_024 / 2_048)
    assert source in above.lines[0]
    assert ("brought along; without it" in above.lines[0]) is (kib == 50)


def test_a_pool_takes_the_pages_of_the_pool_of_the_same_number(
    loads: dict[tuple[str, str], TakenLoad],
) -> None:
    pools = [load for load in loads.values() if load.series[0] == "buffer_pool_used_pct"]
    assert [(pool.series[1], pool.factor) for pool in pools] == [(f"{CSQ1}/BP01", 0.5)]


def test_what_is_not_measured_of_the_survivor_gets_nothing(sample: DayFacts) -> None:
    assert list(loads_of_member(sample, CSQ2, CSQ4)) == []


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
    sample: DayFacts, spread: tuple[float | None, ...], ratios: dict[str, float], how: str
) -> None:
    members = {
        name: member(name[6:], qsg_spread=weight)
        for name, weight in zip((CSQ1, CSQ3), spread, strict=True)
    }
    found = shares_of(sample, CSQ2, members)
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


def of_day(metric: str, subject: str, value: float) -> WindowDay:
    return WindowDay(metric, subject, SubjectKind.channel_initiator, "", DAY, value, value, value)


@pytest.mark.parametrize(
    ("used_pct", "ratios"),
    [
        ((50.0, 70.0), {CSQ1: 0.75, CSQ3: 0.25}),
        ((70.0, 90.0), {CSQ1: 0.75, CSQ3: 0.25}),
        ((78.0, 60.0), {CSQ1: 2 / 22, CSQ3: 20 / 22}),
    ],
)
def test_survivors_share_by_their_room_up_to_the_limit_where_all_fits_else_by_all_that_is_free(
    sample: DayFacts, used_pct: tuple[float, float], ratios: dict[str, float]
) -> None:
    """80 % are the limit: 30 and 10 points to it; 30 and 10 that are free; 2 and 20 to it."""
    most = 6_000.0 if used_pct == (70.0, 90.0) else 100.0
    series = {(CHANNELS, OTHER): [of_day(CHANNELS, OTHER, most)]}
    for name, used in zip((CSQ1, CSQ3), used_pct, strict=True):
        values = {
            CHANNELS: 3_000.0,
            "channels_current_limit_count": 99_999.0,
            "chinit_31bit_used_mib": 16 * used,
            "chinit_31bit_used_pct": used,
        }
        chinit = f"{name}/CHINIT"
        series |= {(key, chinit): [of_day(key, chinit, value)] for key, value in values.items()}
    measured = sample._replace(observed=with_series(sample.observed, series))
    members = {name: member(name[6:]) for name in (CSQ1, CSQ3)}
    assert shares_of(measured, CSQ2, members).ratios == pytest.approx(ratios, rel=0.01)
