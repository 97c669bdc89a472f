"""Where distributed queue managers belong."""

from __future__ import annotations

from datetime import UTC, date, datetime

from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place
from spark_apps.distributed_placement import DistributedPlacement, distributed_placement
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod

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
    SettingPeriod("QM1", EPOCH, JUNE, 3, 2, None),
    SettingPeriod("QM1", JUNE, FOREVER, 9, 2, None),
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
