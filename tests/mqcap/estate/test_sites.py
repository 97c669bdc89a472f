"""Sites with the queue managers that inputs show."""

from __future__ import annotations

from typing import Any

import yaml

from mqcap.domain.estate import Estate, SystemClass
from mqcap.domain.estate.places import Place
from mqcap.estate.discover import site_lines
from mqcap.estate.distributed import SeenManager

EAST: dict[str, Any] = {
    "site": "EAST",
    "timezone": "Asia/Kolkata",
    "scrape_seconds": 300,
    "hosts": [{"name": "mq-1", "network_gigabits": 10}],
    "qmgrs": [{"name": "QM1", "class": "test"}],
    "ztpf": [{"name": "TPF1"}],
}
ESTATE = Estate(places=(Place.model_validate(EAST),))


def manager(**facts: Any) -> SeenManager:
    return SeenManager(sources=["a.txt"], **facts)


def printed(seen: dict[str, SeenManager], site: str | None = None) -> tuple[list[Any], list[str]]:
    """The entries, and the comments without indentation."""
    lines = list(site_lines(ESTATE, seen, site))
    entries = yaml.safe_load("\n".join(["estate:", *lines]))["estate"]
    return entries, [line.strip() for line in lines if line.strip().startswith("#")]


def test_what_is_configured_stays_as_it_is() -> None:
    [entry], comments = printed({"QM1": manager(hosts={"mq-1"})})
    assert Place.model_validate(entry) == ESTATE.places[0]
    assert comments == []


def test_a_queue_manager_that_nothing_places_is_a_comment() -> None:
    [entry], comments = printed({"1.0": manager(hosts={"mq9"}), "QM3": manager()})
    assert [qmgr["name"] for qmgr in entry["qmgrs"]] == ["QM1"]
    assert comments[-2:] == ["#   1.0 (host mq9; from a.txt)", "#   QM3 (from a.txt)"]


def test_a_list_of_names_places_before_the_site_that_was_given() -> None:
    seen = {
        "1.0": manager(sites={"WEST"}, system_class=SystemClass.disaster_recovery),
        "QM3": manager(hosts={"mq-3"}, host_labels={"mq.3", "mq.4", "mq.1"}),
    }
    entries, comments = printed(seen, "EAST")
    east, west = (Place.model_validate(entry) for entry in entries)
    assert [qmgr.name for qmgr in east.qmgrs] == ["QM1", "QM3"]
    assert [host.name for host in east.hosts] == ["mq-1", "mq-3"]
    assert [(qmgr.name, qmgr.system_class) for qmgr in west.qmgrs] == [
        ("1.0", SystemClass.disaster_recovery)
    ]
    assert any(comment.endswith("disaster_recovery: QM3") for comment in comments)
    [label] = [comment for comment in comments if "the label" in comment]
    assert label.startswith("# hosts: the label mq.4 may be a name with hyphens")


def test_who_is_said_to_be_in_two_sites_is_placed_in_none() -> None:
    [entry], comments = printed({"QM1": manager(sites={"WEST"})}, "EAST")
    assert Place.model_validate(entry) == ESTATE.places[0]
    assert comments[-1] == "#   QM1 is in EAST and WEST (from a.txt)"


def test_a_new_site_is_to_be_completed() -> None:
    _, comments = printed({"QM9": manager(sites={"WEST"})})
    assert any(comment.startswith("# timezone:") for comment in comments)
    assert any(comment.startswith("# scrape_seconds:") for comment in comments)
