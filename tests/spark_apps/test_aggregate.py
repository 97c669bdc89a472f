"""Which dates are aggregated, from which files, and which intervals are kept."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.lake.aggregated import write_source_digest
from mqcap.lake.layout import rows_path
from mqcap.lake.location import below
from mqcap.lake.manifest import Manifest, write_manifest
from mqcap.lake.retention_state import RetentionState
from spark_apps import aggregate as module
from spark_apps import decode, decode_and_aggregate
from spark_apps.aggregate import INTERVAL_DAYS, aggregation_plan, main, unfinished
from spark_apps.measure import Aggregation
from spark_apps.registry import all_metrics
from tests.spark_apps.manifests import DAY, NEXT, manifest

DAYS: Final = [DAY + timedelta(days=number) for number in range(INTERVAL_DAYS + 1)]


def plan_of(lake: Path, *sources: Manifest, estate: Estate | None = None) -> Aggregation:
    for source in sources:
        write_manifest(lake, source)
    return aggregation_plan(lake, estate or Estate())


def record(lake: Path, plan: Aggregation) -> None:
    """Note the dates of a plan as done."""
    for day, digest in plan.stale.items():
        write_source_digest(lake, day, digest)


def names(sources: tuple[Manifest, ...]) -> list[str]:
    return [source.sha256 for source in sources]


def test_a_new_file_makes_its_dates_stale_and_brings_the_others_of_those_dates(
    tmp_path: Path,
) -> None:
    first = plan_of(tmp_path, manifest("a"), manifest("b", hour_dates=(NEXT,)))
    assert (set(first.stale), names(first.sources)) == ({DAY, NEXT}, ["a", "b"])
    record(tmp_path, first)
    assert plan_of(tmp_path).stale == {}
    late = plan_of(tmp_path, manifest("c"))
    assert (set(late.stale), names(late.sources)) == ({DAY}, ["a", "c"])


def test_dates_stay_as_they_are_once_records_of_them_were_removed(tmp_path: Path) -> None:
    rows, later = (rows_path(tmp_path, "section_qjst", NEXT, name) for name in "ac")
    rows.parent.mkdir(parents=True)
    rows.touch()
    later.touch()
    for interval_from, stale in ((DAY, {DAY}), (NEXT, {DAY}), (NEXT, set())):
        RetentionState(interval_from=interval_from).save(tmp_path)
        if not stale:
            rows.unlink()
        assert set(plan_of(tmp_path, manifest("a")).stale) == stale
    early = DAY - timedelta(days=300)
    late = plan_of(tmp_path, manifest("c", hour_dates=(early, DAY)))
    assert set(late.stale) == {early}


def test_a_date_whose_rows_are_damaged_is_made_again_and_said_so(tmp_path: Path) -> None:
    first = plan_of(tmp_path, manifest("a"))
    record(tmp_path, first)
    (tmp_path / "metric_sources" / f"hour_date={DAY}.json").write_bytes(b"")
    again = plan_of(tmp_path)
    assert (again.stale, again.damaged, first.damaged) == (first.stale, (DAY,), ())


def test_another_limit_in_the_estate_makes_every_date_stale(tmp_path: Path) -> None:
    record(tmp_path, plan_of(tmp_path, manifest("a")))
    qmgr = QueueManager(name="CSQ1", chinit_31bit_limit_mib=1_588)
    estate = Estate(sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(qmgr,)),))
    plan = plan_of(tmp_path, estate=estate)
    assert set(plan.stale) == {DAY}
    assert plan.place.chinit_31bit_limits_mib == {"PLEX1/CSQ1": 1_588}


def test_intervals_are_kept_of_the_newest_35_dates_of_all_files_stale_or_not(
    tmp_path: Path,
) -> None:
    record(tmp_path, plan_of(tmp_path, manifest("a", hour_dates=(DAYS[-1],))))
    late = plan_of(tmp_path, manifest("b", hour_dates=(DAYS[0],)))
    assert (set(late.stale), late.intervals_from) == ({DAYS[0]}, DAYS[1])


def test_what_a_killed_aggregation_left_is_found(tmp_path: Path) -> None:
    left = (
        ".metric_catalogue.json.77",
        "metric_sources/.hour_date=2025-03-10.json.77",
        "metric_hourly/.hour_date=2025-03-10.77",
        "conflict/.hour_date=2025-03-10.78",
    )
    for name in (*left, "metric_hourly/hour_date=2025-03-10", "metric_catalogue.json"):
        (tmp_path / name).mkdir(parents=True)
    assert {str(below(path, tmp_path)) for path in unfinished(tmp_path)} == set(left)


def test_without_new_files_and_stale_dates_no_session_is_started_and_the_catalogue_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for app in (module, decode):
        monkeypatch.setattr(app, "spark_session", None)
    arguments = ["--lake", str(tmp_path)]
    decoded, aggregated = decode.main(arguments), main(arguments)
    assert decoded == {"files": 0, "problems": 0, "records": 0}
    assert aggregated == {"hour_dates": 0, "removed": 0}
    assert decode_and_aggregate.main(arguments) == decoded | aggregated
    catalogue = json.loads((tmp_path / "metric_catalogue.json").read_text("utf-8"))
    assert [entry["name"] for entry in catalogue] == [metric.name for metric in all_metrics()]
