from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.lake.layout import Manifest, partition_files, remove_untouched
from spark_apps.digests import NOTHING, Placement, digests, placement, record, recorded, stale_dates
from spark_apps.registry import all_metrics
from spark_apps.transforms.overlap import may_repeat

DAY = date(2025, 3, 10)
NEXT = date(2025, 3, 11)
ESTATE = Estate(
    sysplexes=(
        Sysplex(
            sysplex="PLEX1",
            smfids=("SYS1",),
            qmgrs=(QueueManager(name="CSQ1", chinit_31bit_limit_mib=1_588),),
        ),
        Sysplex(sysplex="PLEX2", qmgrs=(QueueManager(name="CSQ9"),)),
        Sysplex(sysplex="PLEX3", qmgrs=(QueueManager(name="CSQ9"),)),
    )
)


def manifest(sha256: str = "a", **changed: Any) -> Manifest:
    facts: dict[str, Any] = {
        "sha256": sha256,
        "source": "smf",
        "name": f"{sha256}.smf",
        "received_date": NEXT,
        "decoder_version": "1",
        "rows": {"section_qjst": 1},
        "first_interval_utc": datetime(2025, 3, 10, tzinfo=UTC),
        "last_interval_utc": datetime(2025, 3, 11, tzinfo=UTC),
        "hour_dates": (DAY,),
        "smfids": ("SYS1",),
    }
    return Manifest(**{**facts, **changed})


def of_day(*sources: Manifest, place: Placement | None = None) -> str:
    return digests(sources, place or Placement(), all_metrics())[DAY]


def test_a_digest_depends_on_the_files_and_not_on_their_order() -> None:
    one, two = manifest("a"), manifest("b")
    assert of_day(one, two) == of_day(two, one) != of_day(one)


def test_another_place_of_its_system_makes_a_date_stale() -> None:
    moved = Placement(sysplex_by_smfid={"SYS1": "PLEX1"})
    other = Placement(sysplex_by_smfid={"SYS2": "PLEX1"})
    assert of_day(manifest(), place=moved) != of_day(manifest())
    assert of_day(manifest(), place=other) == of_day(manifest())


def test_a_date_without_files_is_rewritten_once(tmp_path: Path) -> None:
    record(tmp_path, DAY, "old")
    assert stale_dates({NEXT: "new"}, recorded(tmp_path)) == {DAY: NOTHING, NEXT: "new"}
    record(tmp_path, DAY, NOTHING)
    record(tmp_path, NEXT, "new")
    assert stale_dates({NEXT: "new"}, recorded(tmp_path)) == {}


def test_the_settings_place_systems_before_the_records() -> None:
    told = manifest(sysplex_by_smfid={"SYS1": "OTHER", "SYS2": "PLEX2"})
    place = placement(ESTATE, [told])
    assert place.sysplex_by_smfid == {"SYS1": "PLEX1", "SYS2": "PLEX2"}
    assert place.sysplex_by_qmgr == {"CSQ1": "PLEX1"}
    assert place.chinit_31bit_limits_mib == {"PLEX1/CSQ1": 1_588}


MIDNIGHT = datetime(2025, 3, 11, tzinfo=UTC)
LATER = {"first_interval_utc": MIDNIGHT, "last_interval_utc": datetime(2025, 3, 12, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ({}, True),
        (LATER, False),
        ({"smfids": ("SYS2",)}, False),
        ({"rows": {"section_qpst": 1}}, False),
        ({**LATER, "repeated": ("section_qjst",)}, True),
        ({"first_interval_utc": None}, True),
    ],
)
def test_rows_are_compared_only_where_files_can_overlap(
    second: dict[str, Any], expected: bool
) -> None:
    assert may_repeat("section_qjst", [manifest("a"), manifest("b", **second)]) is expected


def test_logs_that_meet_in_one_instant_can_share_a_message() -> None:
    rows = {"console_event": 1}
    pair = [manifest("a", rows=rows), manifest("b", rows=rows, **LATER)]
    assert may_repeat("console_event", pair)


def test_a_partition_that_was_not_replaced_has_nothing_left(tmp_path: Path) -> None:
    for name in ("hour_date=1", "hour_date=2", "hour_date=3"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "old.parquet").touch()
    before = partition_files(tmp_path)
    (tmp_path / "hour_date=1" / "old.parquet").rename(tmp_path / "hour_date=1" / "new.parquet")
    assert remove_untouched(tmp_path, before, ["hour_date=1", "hour_date=2"]) == 1
    assert sorted(partition_files(tmp_path)) == ["hour_date=1", "hour_date=3"]
