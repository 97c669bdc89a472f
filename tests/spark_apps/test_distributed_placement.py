"""Where distributed queue managers belong."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.manifest import SettingFact
from spark_apps.distributed_placement import DistributedPlacement, distributed_placement
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from tests.spark_apps.manifests import manifest

EAST = Place.model_validate(
    {
        "site": "EAST",
        "scrape_seconds": 300,
        "hosts": [{"name": "mq-1"}],
        "qmgrs": [{"name": "QM1"}, {"name": "BOTH"}],
    }
)
WEST = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "BOTH"}]})
JUNE = datetime(2026, 6, 1, tzinfo=UTC)
PERIODS = (
    SettingPeriod("EAST", "QM1", EPOCH, JUNE, 3, 2, None),
    SettingPeriod("EAST", "QM1", JUNE, FOREVER, 9, 2, None),
)


def test_a_queue_manager_of_two_places_belongs_to_none() -> None:
    place = distributed_placement(Estate(places=(EAST, WEST)), [])
    assert place.site_by_qmgr == {"QM1": "EAST"}
    assert place.scrape_seconds == {"EAST": 300, "WEST": 60}


def test_a_host_is_found_by_its_label() -> None:
    place = distributed_placement(Estate(places=(EAST,)), [])
    assert place.hosts == {("EAST", "mq.1"): "mq-1"}


def test_the_facts_of_a_date_change_only_with_what_its_figures_need() -> None:
    before = DistributedPlacement({"QM1": "EAST"}, {"EAST": 300}, {}, PERIODS[:1])
    after = DistributedPlacement({"QM1": "EAST", "QM2": "EAST"}, {"EAST": 300}, {}, PERIODS)
    assert before.facts_of("QM1", date(2026, 5, 31)) == after.facts_of("QM1", date(2026, 5, 31))
    assert before.facts_of("QM1", date(2026, 6, 1)) != after.facts_of("QM1", date(2026, 6, 1))
    assert before.facts_of("QM2", date(2026, 5, 31)) != after.facts_of("QM2", date(2026, 5, 31))


def test_a_system_of_two_places_belongs_to_none() -> None:
    east = Place.model_validate({"site": "EAST", "ztpf": [{"name": "TPF1"}, {"name": "TPF2"}]})
    west = Place.model_validate({"site": "WEST", "ztpf": [{"name": "TPF2"}]})
    place = distributed_placement(Estate(places=(east, west)), [])
    assert place.site_by_ztpf == {"TPF1": "EAST"}


def test_a_file_of_a_site_has_the_queue_managers_and_systems_that_the_site_lists() -> None:
    tpf = {"ztpf": [{"name": "TPF1"}]}
    west = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "BOTH"}], **tpf})
    plex = Sysplex.model_validate({"sysplex": "PLEXA", **tpf})
    estate = Estate(sysplexes=(plex,), places=(EAST, west))
    every = distributed_placement(estate, [])
    assert every.site_by_ztpf == {}
    of_west, of_plex = every.of_root("WEST", estate), every.of_root("PLEXA", estate)
    assert of_west.site_by_qmgr == {"BOTH": "WEST"}
    assert of_west.site_by_ztpf == {"TPF1": "WEST"}
    assert of_plex.site_by_qmgr == {"QM1": "EAST"}
    assert of_plex.site_by_ztpf == {"TPF1": "PLEXA"}


@pytest.mark.parametrize(
    ("root", "sites"), [("", [""]), ("EAST", ["EAST"]), ("WEST", ["WEST"]), ("NONE", [""])]
)
def test_captured_settings_are_of_the_site_of_their_input(root: str, sites: list[str]) -> None:
    fact = SettingFact(qmgr="BOTH", from_utc=JUNE, key="log.logprimaryfiles", value="3")
    place = distributed_placement(
        Estate(places=(EAST, WEST)), [manifest("a", root=root, settings=(fact,))]
    )
    assert [period.site for period in place.periods] == sites
