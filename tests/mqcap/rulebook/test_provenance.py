"""From a measured input back to the files with its records."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mqcap.domain.estate import Sysplex
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Statistic
from mqcap.lake.manifest import Manifest, write_manifest
from mqcap.rulebook.provenance import SourceFiles
from mqcap.settings import Settings
from mqcap.store.database import Store
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    landed,
    new_store,
    observe,
    settings_of,
)

NOON = datetime(DAY.year, DAY.month, DAY.day, 12, tzinfo=UTC)
SOURCE = MeasuredDaySource(
    metric="log_growth_mib_per_s", subject=QUEUE_MANAGER, statistic=Statistic.peak, site_date=DAY
)


@pytest.fixture
def site(tmp_path: Path) -> tuple[Store, Settings]:
    return new_store(tmp_path), settings_of(tmp_path)


def described(settings: Settings, name: str, **changed: object) -> None:
    """A manifest beside the landed file."""
    values: dict[str, object] = {
        "sha256": name.ljust(64, "0"),
        "source": "smf",
        "name": name,
        "received_date": DAY,
        "decoder_version": "7",
        "smfids": ("SYS1",),
        "sysplex_by_smfid": {"SYS1": "PLEX1"},
        "rows": {"section_qjst": 24},
    }
    write_manifest(Path(settings.lake), Manifest.model_validate(values | changed))


def names(site: tuple[Store, Settings]) -> list[str]:
    return [file.name for file in SourceFiles(*site).of_hour(LOG, NOON)]


def test_the_files_of_an_hour_are_those_with_an_interval_in_it(
    site: tuple[Store, Settings],
) -> None:
    for name, begin in (("before", -3), ("into", -1), ("inside", 0), ("after", 1)):
        landed(site[0], name, NOON + timedelta(hours=begin))
    assert names(site) == ["inside", "into"]


def test_the_files_of_a_day_are_those_of_the_site_date(site: tuple[Store, Settings]) -> None:
    for name, hour in (("yesterday", -14), ("midnight", -12), ("evening", 11), ("tomorrow", 12)):
        landed(site[0], name, NOON + timedelta(hours=hour))
    result = [file.name for file in SourceFiles(*site).of_day(SOURCE)]
    assert sorted(result) == ["evening", "midnight"]


@pytest.mark.parametrize(
    ("changed", "holds"),
    [
        ({}, True),
        ({"rows": {"section_qjst": 0, "section_qpst": 3}}, False),
        ({"sysplex_by_smfid": {"SYS1": "PLEX9"}}, False),
        ({"sysplex_by_smfid": {}}, True),
    ],
    ids=["its records", "other sections", "another sysplex", "sysplex not known"],
)
def test_a_described_file_counts_where_its_records_can_be_behind_the_figure(
    site: tuple[Store, Settings], changed: dict[str, object], holds: bool
) -> None:
    lake = Path(site[1].lake)
    lake.mkdir(exist_ok=True)
    catalogue = [{"name": "log_growth_mib_per_s", "reads": ["section_qjst"], "description": ""}]
    (lake / "metric_catalogue.json").write_text(json.dumps(catalogue), encoding="utf-8")
    landed(site[0], "file", NOON)
    described(site[1], "file", **changed)
    assert bool(names(site)) is holds


@pytest.mark.parametrize(("root", "holds"), [("", True), ("PLEX1", True), ("PLEX9", False)])
def test_a_file_of_an_input_of_another_sysplex_does_not_count(
    site: tuple[Store, Settings], root: str, holds: bool
) -> None:
    engine, settings = site
    plexes = (Sysplex(sysplex="PLEX1", smfids=("SYS1",)), Sysplex(sysplex="PLEX9"))
    settings = settings.model_copy(update={"estate": plexes})
    landed(engine, "file", NOON)
    described(settings, "file", root=root)
    assert bool(names((engine, settings))) is holds


SITE_FACT = {"root": "EAST", "figure": "disk_pct", "unit": "%", "has_step": True}


@pytest.mark.parametrize(
    ("series", "changed", "holds"),
    [
        ("tpf_system_sweep_count/EAST/TPF1", {"ztpf_systems": ("TPF1",)}, True),
        ("tpf_sweep_count/EAST/TPF1/RES.IN", {"ztpf_systems": ("TPF2", "TPF1")}, True),
        ("tpf_system_sweep_count/EAST/TPF1", {"ztpf_systems": ("TPF2",)}, False),
        ("mq_log_used_pct/EAST/QM%2F1", {"qmgrs": ("QM/1",)}, True),
        ("mq_log_used_pct/EAST/QM2", {"qmgrs": ("QM/1",)}, False),
        ("host_cpu_pct/EAST/host1", {"qmgrs": ("QM/1",)}, True),
        ("disk_pct/EAST/host1", {"site_figures": (SITE_FACT,)}, True),
        ("disk_pct/WEST/host1", {"site_figures": (SITE_FACT,)}, False),
        ("disk_pct/EAST/QM2", {"site_figures": (SITE_FACT,), "qmgrs": ("QM/1",)}, True),
    ],
)
def test_a_file_of_a_site_counts_for_what_it_names(
    site: tuple[Store, Settings], series: str, changed: dict[str, object], holds: bool
) -> None:
    landed(site[0], "file", NOON)
    described(site[1], "file", **{"smfids": (), "sysplex_by_smfid": {}, **changed})
    others = {"qmgrs": ("QM2",), "ztpf_systems": ("TPF1",)}
    described(site[1], "other", smfids=(), sysplex_by_smfid={}, **others)
    found = SourceFiles(*site).of_hour(series, NOON)
    assert [file.name for file in found] == (["file"] if holds else [])


def test_an_observation_is_that_of_the_day_or_absent(site: tuple[Store, Settings]) -> None:
    observe(site[0], "log_growth_mib_per_s", QUEUE_MANAGER, days(1, 3.0))
    files = SourceFiles(*site)
    stored = files.observation(SOURCE)
    assert stored is not None
    assert stored.peak == 3.0
    earlier = SOURCE.model_copy(update={"site_date": DAY - timedelta(days=1)})
    assert files.observation(earlier) is None


def test_the_zone_is_that_of_the_sysplex_else_of_the_site(site: tuple[Store, Settings]) -> None:
    files = SourceFiles(*site)
    assert files.zone(LOG) == "UTC"
    assert files.zone("log_growth_mib_per_s/OTHER/CSQ1") == site[1].site.timezone
