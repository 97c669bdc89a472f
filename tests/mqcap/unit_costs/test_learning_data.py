"""Days that several series have in common, and records of the newest days."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.estate import Sysplex
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.domain.unit_cost import NOT_MEASURABLE, UnitCostKind
from mqcap.lake.manifest import write_manifest
from mqcap.store.feeds import replace_feed_days
from mqcap.unit_costs.interval import Fitted
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost
from tests.factories import feed_day
from tests.mqcap.rulebook.builders import DAY, settings_of
from tests.mqcap.unit_costs.builders import CHINIT, MANAGER, data_in, measured, record, write_rows
from tests.spark_apps.manifests import manifest

DATASET = "section_qmst"


def rows_of(data: LearningData) -> list[int]:
    columns = ["qmgr", "record_hash", "section_index"]
    return [row["record_hash"] for row in data.records(DATASET, columns, "interval_end_utc")]


def test_only_days_with_all_series_are_paired_in_order(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, "channels_current_count", CHINIT, float, 3)
    measured(data.engine, "chinit_31bit_used_mib", CHINIT, lambda place: 10.0 * place, 2)
    series = [("channels_current_count", CHINIT, "peak"), ("chinit_31bit_used_mib", CHINIT, "mean")]
    dates, (channels, used) = data.paired_days(series)
    assert dates == (DAY - timedelta(days=1), DAY)
    assert (list(channels), list(used)) == ([1.0, 2.0], [0.0, 5.0])


@pytest.mark.parametrize(("look_back", "paired"), [(30, 30), (31, 31), (40, 31)])
def test_days_before_the_look_back_are_not_used(
    tmp_path: Path, look_back: int, paired: int
) -> None:
    data = data_in(tmp_path, look_back_days=look_back)
    measured(data.engine, "channels_current_count", CHINIT, float, 31)
    [column] = data.paired_days([("channels_current_count", CHINIT, "peak")]).columns
    assert len(column) == paired


def test_records_of_the_newest_days_are_read_once(tmp_path: Path) -> None:
    data = data_in(tmp_path, record_days=2)
    rows = [record(hours) for hours in (0, 43, 45, 70)]
    write_rows(Path(data.settings.lake), DATASET, rows)
    write_rows(Path(data.settings.lake), DATASET, rows[:1])
    assert rows_of(data) == [0, 43]


@pytest.mark.parametrize(
    ("subject", "hashes"),
    [("", [0, 1]), ("PLEX1", [0, 1]), ("PLEX1/CSQ1", [0]), ("PLEX1/CSQ2/CHINIT", [1])],
)
def test_records_of_other_queue_managers_than_the_subjects_are_not_read(
    tmp_path: Path, subject: str, hashes: list[int]
) -> None:
    data = replace(data_in(tmp_path), subject=subject)
    write_rows(Path(data.settings.lake), DATASET, [record(0), record(1, qmgr="CSQ2")])
    assert rows_of(data) == hashes


def test_files_that_arrived_before_the_first_day_are_not_opened(tmp_path: Path) -> None:
    data = data_in(tmp_path, record_days=2)
    folder = Path(data.settings.lake) / DATASET / f"received_date={DAY - timedelta(days=2)}"
    folder.mkdir(parents=True)
    (folder / f"{'0' * 64}.parquet").write_text("no Parquet at all", encoding="utf-8")
    assert rows_of(data) == []


def test_the_sysplex_of_a_record_is_that_of_its_file_else_of_its_queue_manager(
    tmp_path: Path,
) -> None:
    data = data_in(tmp_path)
    lake = Path(data.settings.lake)
    write_rows(
        lake, DATASET, [record(1), record(2, smfid="SYS9"), record(3, smfid="SYS9", qmgr="CSQ8")]
    )
    made = manifest("a" * 64, name="SYS1.smf", sysplex_by_smfid={"SYS1": "PLEX7"})
    write_manifest(lake, made)
    rows = data.records(DATASET, ["record_hash", "section_index"], "interval_end_utc")
    assert [row["sysplex"] for row in rows] == ["PLEX7", "PLEX1", UNKNOWN_SYSPLEX]


def test_limits_of_the_settings_are_part_of_a_cost(tmp_path: Path) -> None:
    data = data_in(tmp_path, half_width_max_ratio=0.5, confidence=0.9)
    sample = Sample(10, "archive", DAY, DAY, 4)
    kind = UnitCostKind.archive_mib_per_s
    cost = learnt_cost(kind, CHINIT, Fitted(2.0, 1.0, 3.0), sample, data, unit="MiB/s")
    assert (cost.unit, cost.half_width_max_ratio, cost.confidence) == ("MiB/s", 0.5, 0.9)
    assert cost.is_used


@pytest.mark.parametrize(
    ("configured", "recorded", "expected"),
    [("9.3.0", "9.4.0", "9.3.0"), (None, "9.4.0", "9.4.0"), (None, "", None), ("10.0", "", "10.0")],
)
def test_the_configured_version_outranks_the_recorded_one(
    tmp_path: Path, configured: str | None, recorded: str, expected: str | None
) -> None:
    data = data_in(tmp_path)
    replace_feed_days(data.engine, DAY, DAY, [feed_day(MANAGER, site_date=DAY, mq_level=recorded)])
    known = replace(data, settings=settings_of(tmp_path, mq_version=configured))
    assert known.mq_version(CHINIT) == known.mq_version(MANAGER) == expected
    assert known.mq_version("PLEX1/CSQ7/CHINIT") is None


def test_the_version_is_that_of_the_day(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    before = [DAY - timedelta(days=back) for back in range(3)]
    for day, version in zip(before, ("9.4.0", "9.3.5"), strict=False):
        stated = feed_day(MANAGER, site_date=day, mq_level=version)
        replace_feed_days(data.engine, day, day, [stated])
    days = [LearningData(data.settings, data.engine, day) for day in before]
    assert [day.mq_version(CHINIT) for day in days] == ["9.4.0", "9.3.5", None]


@pytest.mark.parametrize(("lower", "is_cost"), [(-0.1, False), (0.0, False), (0.1, True)])
def test_a_figure_whose_interval_reaches_nothing_is_no_cost_for_the_stated_reason_if_any(
    tmp_path: Path, lower: float, is_cost: bool
) -> None:
    kind, sample = UnitCostKind.cf_us_per_request, Sample(100, "day", DAY, DAY, 60)
    given = (kind, CHINIT, Fitted(0.2, lower, 0.22), sample, data_in(tmp_path))
    cost = learnt_cost(*given, unit="us")
    assert (not cost.not_measurable) is is_cost
    assert (cost.interval_text == NOT_MEASURABLE) is not is_cost
    stated = learnt_cost(*given, unit="us", not_measurable="before 9.4")
    assert stated.not_measurable == "before 9.4"


def test_equal_names_of_two_sysplexes_are_told_apart_by_their_files(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    lake = Path(data.settings.lake)
    plexes = (*data.settings.estate, Sysplex(sysplex="PLEX7", smfids=("SYS1",)))
    data = replace(data, settings=data.settings.model_copy(update={"estate": plexes}))
    for place, root in enumerate(("PLEX1", "PLEX7")):
        sha256 = f"{place:064d}"
        write_rows(lake, DATASET, [record(place, file_sha256=sha256)])
        write_manifest(lake, manifest(sha256, root=root))
    rows = data.records(DATASET, ["record_hash", "section_index"], "interval_end_utc")
    assert {row["record_hash"]: row["sysplex"] for row in rows} == {0: "PLEX1", 1: "PLEX7"}
