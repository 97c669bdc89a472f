"""Places of distributed queue managers and z/TPF systems in the estate."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import Estate, Sysplex, SystemClass
from mqcap.domain.estate.configured import ZtpfSystem
from mqcap.domain.estate.entries import guests_of
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import SubjectKind

EAST = Place.model_validate(
    {
        "site": "EAST",
        "timezone": "Asia/Kolkata",
        "hosts": [{"name": "mq-1"}],
        "qmgrs": [{"name": "QM/1", "class": "test"}, {"name": "qm/1", "class": "test"}],
        "ztpf": [{"name": "TPF1"}],
    }
)
WEST = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "QM/1"}]})
ESTATE = Estate(sysplexes=(Sysplex(sysplex="PLEX1"),), places=(EAST, WEST))


def test_a_place_has_its_own_zone() -> None:
    assert ESTATE.zones() == {"PLEX1": "UTC", "EAST": "Asia/Kolkata", "WEST": "UTC"}
    assert ESTATE.timezone_of("EAST") == "Asia/Kolkata"


def test_names_differ_by_case_and_one_name_may_be_in_two_places() -> None:
    assert ESTATE.sites_of_qmgrs() == {"QM/1": ("EAST", "WEST"), "qm/1": ("EAST",)}


def test_the_class_is_found_by_the_escaped_name() -> None:
    assert ESTATE.class_of("EAST/QM%2F1/APP.IN") is SystemClass.test
    assert ESTATE.class_of("WEST/QM%2F1") is SystemClass.production


def test_a_host_has_the_class_of_the_most_important_queue_manager_of_its_place() -> None:
    assert ESTATE.class_of("EAST/mq-1") is SystemClass.test
    assert ESTATE.class_of("NOWHERE/mq-1") is SystemClass.production


def test_a_system_of_a_place_is_a_subject() -> None:
    assert guests_of(ESTATE, SubjectKind.ztpf_system) == {"EAST/TPF1"}


def test_a_system_belongs_to_what_lists_it_and_has_its_zone() -> None:
    both = WEST.model_copy(update={"ztpf": (ZtpfSystem(name="TPF1"), ZtpfSystem(name="TPF2"))})
    plex = Sysplex(sysplex="PLEX1", timezone="America/Chicago", ztpf=(ZtpfSystem(name="tpf2"),))
    estate = Estate(sysplexes=(plex,), places=(EAST, both))
    expected = {"tpf2": ("PLEX1",), "TPF1": ("EAST", "WEST"), "TPF2": ("WEST",)}
    assert estate.sites_of_ztpf() == expected
    zones = estate.zone_by_system()
    assert (zones["ztpf tpf2"], zones["ztpf TPF2"]) == ("America/Chicago", "UTC")
    assert "ztpf TPF1" not in zones


def test_deltas_cover_a_minute_unless_configured() -> None:
    assert WEST.scrape_seconds == 60


@pytest.mark.parametrize("seconds", [0, 3_601])
def test_a_scrape_interval_is_some_seconds_up_to_an_hour(seconds: float) -> None:
    with pytest.raises(ValidationError):
        Place(site="EAST", scrape_seconds=seconds)


def test_a_site_needs_a_name_of_its_own() -> None:
    with pytest.raises(ValidationError, match="PLEX1"):
        Estate(sysplexes=(Sysplex(sysplex="PLEX1"),), places=(Place(site="PLEX1"),))


def test_a_queue_manager_is_listed_once_in_a_place() -> None:
    twice = [{"name": "QM1"}, {"name": "QM1"}]
    with pytest.raises(ValidationError, match="listed twice: QM1"):
        Place.model_validate({"site": "EAST", "qmgrs": twice})


def test_a_queue_is_listed_once_in_a_queue_manager() -> None:
    twice = [{"name": "QM1", "queues": [{"name": "A"}, {"name": "B"}, {"name": "A"}]}]
    with pytest.raises(ValidationError, match="queues of QM1 are listed twice: A"):
        Place.model_validate({"site": "EAST", "qmgrs": twice})
