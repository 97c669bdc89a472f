from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.lake.aggregated import source_digests, write_source_digest
from mqcap.lake.manifest import Manifest
from spark_apps.digests import (
    NO_SOURCES,
    DistributedPlacement,
    Placement,
    date_digests,
    placement,
    stale_dates,
)
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from spark_apps.registry import all_metrics
from tests.spark_apps.manifests import DAY, NEXT, manifest

CSQ1 = QueueManager(name="CSQ1", chinit_31bit_limit_mib=1_588)
ESTATE = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEX1", smfids=("SYS1",), qmgrs=(CSQ1,)),
        *(Sysplex(sysplex=name, qmgrs=(QueueManager(name="CSQ9"),)) for name in ("PLEX2", "PLEX3")),
    )
)


def of_day(*sources: Manifest, place: Placement | None = None) -> str:
    return date_digests(sources, place or Placement(), all_metrics())[DAY]


def test_a_digest_depends_on_the_files_and_not_on_their_order() -> None:
    first, second = manifest("a"), manifest("b")
    assert of_day(first, second) == of_day(second, first) != of_day(first)


def test_another_place_of_its_system_makes_a_date_stale() -> None:
    for smfid, is_same in (("SYS1", False), ("SYS2", True)):
        moved = Placement(sysplex_by_smfid={smfid: "PLEX1"})
        assert (of_day(manifest(), place=moved) == of_day(manifest())) is is_same


def test_a_date_without_files_is_rewritten_once(tmp_path: Path) -> None:
    write_source_digest(tmp_path, DAY, "old")
    assert stale_dates({NEXT: "new"}, source_digests(tmp_path)) == {DAY: NO_SOURCES, NEXT: "new"}
    write_source_digest(tmp_path, DAY, NO_SOURCES)
    write_source_digest(tmp_path, NEXT, "new")
    assert stale_dates({NEXT: "new"}, source_digests(tmp_path)) == {}


def test_the_settings_place_systems_before_the_records() -> None:
    delivered = manifest(sysplex_by_smfid={"SYS1": "OTHER", "SYS2": "PLEX2"})
    place = placement(ESTATE, [delivered])
    assert place.sysplex_by_smfid == {"SYS1": "PLEX1", "SYS2": "PLEX2"}
    assert place.sysplex_by_qmgr == {"CSQ1": "PLEX1"}
    assert place.chinit_31bit_limits_mib == {"PLEX1/CSQ1": 1_588}


METRIC = Metric(
    name="log_growth_mib_per_s",
    label="Log growth mib per s",
    unit="MiB/s",
    subject_kind=SubjectKind.queue_manager,
    description="Growth of the log.",
    reads=("section_qjst",),
    forecast=True,
)


def test_digests_change_with_the_version_of_the_aggregation_alone() -> None:
    place = Placement(sysplex_by_smfid={"SYS1": "PLEX1"})
    assert date_digests([manifest()], place, [METRIC]) == {
        DAY: "99f9d63b3284e63b9657675c3d94421ba0e3d106e0d71f1679c1c75d13269dcc"
    }


def test_a_date_is_stale_by_what_makes_a_figure_and_not_by_what_presents_or_traces_it() -> None:
    presented = {"label": "Log, growth", "fields": ("QJSTBFFL",)}
    before, other_unit, other_label = (
        date_digests([manifest()], Placement(), [METRIC.model_copy(update=changed)])
        for changed in ({}, {"unit": "KiB/s"}, presented)
    )
    assert before == other_label != other_unit


@pytest.mark.parametrize(
    ("key", "named", "placed_as"),
    [
        ("ims_bridge_queues", ("IMS.A",), "bridge_queues"),
        ("log_volumes", ("MQL001", "MQL002"), "log_volumes"),
    ],
)
def test_named_queues_and_volumes_are_placed_and_make_every_date_stale(
    key: str, named: tuple[str, ...], placed_as: str
) -> None:
    qmgr = QueueManager.model_validate({"name": "CSQ1", key: named})
    place = placement(Estate(sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(qmgr,)),)), [])
    assert getattr(place, placed_as) == {"PLEX1/CSQ1": named}
    nothing: dict[str, Any] = {placed_as: {}}
    without = replace(place, **nothing)
    assert of_day(manifest(), place=place) != of_day(manifest(), place=without)


def place_of(*qmgrs: str, periods: tuple[SettingPeriod, ...] = ()) -> Placement:
    return Placement(
        distributed=DistributedPlacement(dict.fromkeys(qmgrs, "EAST"), {"EAST": 60.0}, {}, periods)
    )


def test_a_date_of_a_distributed_queue_manager_depends_on_its_own_settings_only() -> None:
    source = manifest(smfids=(), qmgrs=("QM1",))
    base = of_day(source, place=place_of("QM1"))
    files = SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None)
    assert of_day(source, place=place_of("QM1", "QM2")) == base
    assert of_day(source, place=place_of("QM2")) != base
    assert of_day(source, place=place_of("QM1", periods=(files,))) != base
    other = files._replace(qmgr="QM2")
    assert of_day(source, place=place_of("QM1", periods=(other,))) == base
    assert of_day(manifest(), place=place_of("QM1", periods=(files,))) == of_day(manifest())


PLACED = Estate(
    sysplexes=tuple(Sysplex(sysplex=name, smfids=("SYS1",)) for name in ("PLEXA", "PLEXB"))
)


def test_a_file_sees_the_sysplex_of_its_input() -> None:
    files = [manifest("a", root="PLEXA"), manifest("b", root="PLEXB"), manifest("c")]
    place = placement(PLACED, files)
    assert [place.for_file(name).sysplex for name in "abc"] == ["PLEXA", "PLEXB", ""]
    assert place.sysplex_by_smfid == {}
    assert place.shared_smfids == {"SYS1"}


def test_a_file_of_a_site_has_its_systems_of_zos_as_others() -> None:
    estate = PLACED.model_copy(update={"places": (Place(site="EAST"),)})
    assert placement(estate, [manifest("a", root="EAST")]).for_file("a").sysplex == ""


def digest_in(*files: Manifest) -> str:
    return date_digests(files, placement(PLACED, files), [METRIC])[DAY]


def test_another_sysplex_of_its_input_makes_a_date_stale() -> None:
    first, other = manifest("a", root="PLEXA"), manifest("b", root="PLEXB")
    assert digest_in(first, other) == digest_in(other, first)
    moved = other.model_copy(update={"root": "PLEXA"})
    assert len({digest_in(first, other), digest_in(first, moved), digest_in(first)}) == 3
    assert digest_in(manifest("a")) != digest_in(first)
