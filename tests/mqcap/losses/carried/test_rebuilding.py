"""Why nothing is lost, and rebuilding at another facility."""

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.places import Place
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import (
    loss_of,
    parts_of_sites,
    parts_without_loss,
    reasons_without_loss,
)
from mqcap.losses.carried.rebuilding import Rebuilding, free_mib, rebuilding_of, storage_line
from mqcap.losses.make import losses_of_day
from tests.mqcap.judging.observations import with_series
from tests.mqcap.whatif.sharing_group import (
    APPL1,
    APPL2,
    CF01,
    CF02,
    CF03,
    CSQ1,
    LOCK,
    estate,
    facility,
    facts_of,
    member,
)

ONE, TWO, THREE = facility("CF01", 1), facility("CF02", 3), facility("CF03", 2)
EAST = Place.model_validate(
    {
        "site": "EAST",
        "qmgrs": [{"name": "QM/1"}],
        "hosts": [{"name": "mq1"}],
        "ztpf": [{"name": "TPF1"}],
    }
)
PARTS = {"EAST", "EAST/QM%2F1", "EAST/mq1", "EAST/TPF1"}


def listed(*names: str, structure: str = "QSG1APPL2", **configured: object) -> object:
    """CF02 with the preference list of one of its structures."""
    entry = {"name": structure, "preference_list": list(names)} | configured
    return facility("CF02", 3, structures=[entry])


def rebuilt(folder: Path, *facilities: object) -> Rebuilding:
    """What becomes of CF02 with these facilities in the estate."""
    return rebuilding_of(facts_of(folder, configured=estate(facilities)), CF02)


def test_without_any_list_each_survivor_receives_everything_alone(sample: DayFacts) -> None:
    found = rebuilding_of(sample, CF02)
    assert [(arrival.survivor, arrival.structures) for arrival in found.arrivals] == [
        (CF01, (APPL2, LOCK)),
        (CF03, (APPL2, LOCK)),
    ]
    assert [arrival.load_ratio for arrival in found.arrivals] == [1, 1]
    assert "as though it alone received all of these structures" in found.assumptions[0]


def test_the_facility_that_takes_over_receives_everything(tmp_path: Path) -> None:
    found = rebuilt(tmp_path, facility("CF01", 1, takes_over="CF02"), TWO, THREE)
    assert [arrival.survivor for arrival in found.arrivals] == [CF01]
    assert not any("preference list" in line for line in found.assumptions)


def test_a_preference_list_decides_before_the_facility_that_takes_over(tmp_path: Path) -> None:
    found = rebuilt(tmp_path, facility("CF01", 1, takes_over="CF02"), listed("CF02", "CF03"), THREE)
    arrivals = [(to.survivor, to.structures, to.load_ratio) for to in found.arrivals]
    assert sorted(arrivals) == [(CF01, (LOCK,), 0.25), (CF03, (APPL2,), 0.75)]


@pytest.mark.parametrize(("storage_mib", "target"), [(8_192, CF01), (8_191, CF03)])
def test_a_structure_goes_to_the_first_of_its_list_with_room(
    tmp_path: Path, storage_mib: float, target: str
) -> None:
    one = facility("CF01", 1, storage_mib)
    facts = facts_of(
        tmp_path,
        configured=estate((one, listed("CF02", "CF01", "CF03"), THREE)),
        changed={("cf_storage_used_pct", CF01): 0.0},
    )
    found = rebuilding_of(facts, CF02)
    assert [to.survivor for to in found.arrivals if APPL2 in to.structures] == [target]


def test_without_a_surviving_facility_no_structure_has_a_place(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, configured=estate((facility("CF02", 3),)))
    alone = facts._replace(observed=facts.observed.without(CF01).without(CF03))
    found = rebuilding_of(alone, CF02)
    assert (found.arrivals, found.homeless) == ((), (APPL2, LOCK))
    assert found.is_only_facility
    assert not rebuilding_of(facts, CF02).is_only_facility


def test_a_facility_that_cannot_be_evaluated_is_named_and_may_take_structures(
    tmp_path: Path,
) -> None:
    """CF01 and CF03 are in the estate, but nothing of them was measured."""
    lock = listed("CF01", structure="ISGLOCK")
    facts = facts_of(tmp_path, configured=estate((ONE, lock, THREE)))
    alone = facts._replace(observed=facts.observed.without(CF01).without(CF03))
    found = rebuilding_of(alone, CF02)
    assert (found.arrivals, found.homeless, found.is_only_facility) == ((), (), False)
    assert found.assumptions[0].startswith("PLEX1/CF01 PLEX1/CF03 cannot be evaluated: no busy")


def test_a_structure_with_another_copy_or_no_survivor_in_its_list_is_not_rebuilt(
    tmp_path: Path,
) -> None:
    found = rebuilt(tmp_path / "none", ONE, listed("CF02"), THREE)
    assert (found.homeless, found.duplexed) == ((APPL2,), ())
    assert all(APPL2 not in arrival.structures for arrival in found.arrivals)
    found = rebuilt(tmp_path, ONE, listed(duplexed=True), THREE)
    assert (found.homeless, found.duplexed) == ((), (APPL2,))
    assert [(to.structures, to.load_ratio) for to in found.arrivals] == [((LOCK,), 0.25)] * 2


@pytest.mark.parametrize(
    ("storage_mib", "fits"), [(15_075, False), (15_076.4, True), (16_384, True)]
)
def test_what_arrives_is_compared_with_the_least_free_storage(
    tmp_path: Path, storage_mib: float, fits: bool
) -> None:
    """8,292 MiB are 55 % of 15,076.4 MiB."""
    configured = estate((facility("CF01", 1, storage_mib), TWO, THREE))
    arrival = rebuilding_of(facts_of(tmp_path, configured=configured), CF02).arrivals[0]
    assert (arrival.needed_mib, arrival.fits) == (8_292, fits)
    assert storage_line(arrival).startswith("2 structures of 8,292 MiB against ")


def test_storage_that_is_not_known_is_said_and_not_guessed(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, None), TWO, THREE))
    facts = facts_of(tmp_path, configured=configured)
    found = rebuilding_of(facts, CF02)
    assert (free_mib(facts, CF01), found.arrivals[0].fits) == (None, None)
    assert "storage of PLEX1/CF01 is not known: set storage_mib" in found.assumptions[1]
    assert storage_line(found.arrivals[0]).endswith("against unknown free")


def test_a_facility_whose_engines_are_not_known_is_no_survivor(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, configured=estate((ONE, TWO)))
    unknown = with_series(facts.observed, {("cf_engine_count", CF03): []})
    found = rebuilding_of(facts._replace(observed=unknown), CF02)
    assert [arrival.survivor for arrival in found.arrivals] == [CF01]


def test_the_lost_facility_is_no_survivor_and_without_structures_leaves_its_load_alone(
    sample: DayFacts,
) -> None:
    found = rebuilding_of(sample, CF01)
    assert [arrival.survivor for arrival in found.arrivals] == [CF02, CF03]
    assert {arrival.structures for arrival in found.arrivals} == {(APPL1,)}
    found = rebuilding_of(sample, CF03)
    assert [(to.survivor, to.load_ratio) for to in found.arrivals] == [(CF01, 1), (CF02, 1)]
    assert "No structure of PLEX1/CF03 was measured" in found.assumptions[0]


@pytest.fixture
def facts(tmp_path: Path) -> DayFacts:
    """CF01 without engines, CF09 not measured; CSQ1 alone in its group, CSQ2 not in the estate."""
    cfs = (facility("CF02", 3), facility("CF03", 2), facility("CF09", 1))
    members = (member("CSQ1"), member("CSQ8", qsg=None))
    facts = facts_of(tmp_path, configured=estate(cfs, members))
    observed = with_series(facts.observed, {("cf_engine_count", CF01): []})
    return facts._replace(observed=observed)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("CF01", "the number of its engines is not known; set engines"),
        ("CF03", "no structure of MQ is in it"),
        ("CF09", "no busy time of it was measured (SMF 74.4)"),
        ("CSQ1", "it is the only member of QSG1 in the estate"),
        ("CSQ2", "it is not in the estate, so its queue sharing group is not known"),
        ("CSQ8", "it is in no queue sharing group"),
    ],
)
def test_each_part_without_a_loss_has_its_reason(facts: DayFacts, part: str, words: str) -> None:
    [reason] = reasons_without_loss(facts, part)
    assert reason.startswith(f"PLEX1/{part}: {words}")


def test_a_part_is_found_in_any_case_and_each_of_them_is_named(facts: DayFacts) -> None:
    assert reasons_without_loss(facts, "csq8") == reasons_without_loss(facts, "CSQ8") != []
    assert {CF01, CF03, CSQ1, "PLEX1/CSQ8"} <= set(parts_without_loss(facts))
    assert reasons_without_loss(facts, "CSQ77") == []


def test_every_part_has_a_loss_or_a_reason(facts: DayFacts) -> None:
    lost = {loss.lost for loss in losses_of_day(facts)}
    explained = {reason.partition(":")[0] for reason in reasons_without_loss(facts, "PLEX1/")}
    assert {CF01, CF03, CSQ1} <= explained
    assert not lost & explained


def test_parts_of_a_site_have_a_reason_and_share_its_sentence(facts: DayFacts) -> None:
    place = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "QM1"}, {"name": "QM2"}]})
    there = facts._replace(estate=facts.estate.model_copy(update={"places": (place,)}))
    [every] = reasons_without_loss(there, "EAST")
    assert every.startswith("EAST, EAST/QM1, EAST/QM2: nothing else takes its work")
    assert reasons_without_loss(there, "QM1")[0].startswith("EAST/QM1: nothing else takes")


@pytest.fixture(name="of_places")
def facts_of_places(tmp_path: Path) -> DayFacts:
    facts = facts_of(tmp_path)
    return facts._replace(estate=facts.estate.model_copy(update={"places": (EAST,)}))


@pytest.mark.parametrize("subject", sorted(PARTS))
def test_what_if_says_why_a_part_of_a_site_cannot_be_lost(
    of_places: DayFacts, subject: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        loss_of(of_places, subject)
    assert f"{subject} cannot be lost: nothing else takes its work" in str(refused.value)
    assert "expected PLEX1/CF01, PLEX1/CF02" in str(refused.value)
    assert parts_of_sites(of_places) == PARTS
