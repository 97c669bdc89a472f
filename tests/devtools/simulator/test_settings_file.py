"""The settings file of an estate is read back as that estate."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from devtools.simulator.settings_file import write_settings
from devtools.simulator.spec import EstateSpec, sample_spec, small_spec
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.settings import Settings, load_settings
from mqcap.settings.loader import DEFAULT_FILE, FILE_VARIABLE


@pytest.fixture
def written(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Return the settings that were written for the estate of the parameter."""
    file = tmp_path / "platform.yaml"
    write_settings(request.param, file)
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    return load_settings()


small = pytest.mark.parametrize("written", [small_spec()], indirect=True, ids=["small"])


@pytest.mark.parametrize(
    ("written", "spec"),
    [(small_spec(), small_spec()), (sample_spec(), sample_spec())],
    indirect=["written"],
    ids=["small", "sample"],
)
def test_every_sysplex_system_facility_and_queue_manager_is_in_the_file(
    written: Settings, spec: EstateSpec
) -> None:
    names = [
        (
            plex.sysplex,
            plex.timezone,
            plex.smfids,
            [(facility.name, facility.engines, facility.takes_over) for facility in plex.cfs],
            [(qmgr.name, qmgr.qsg, qmgr.active_logs) for qmgr in plex.qmgrs],
        )
        for plex in written.complete_estate().sysplexes
    ]
    assert names == [
        (
            plex.name,
            plex.timezone,
            tuple(system.smfid for system in plex.systems),
            [(facility.name, facility.engines, facility.takes_over) for facility in plex.cfs],
            [(qmgr.name, qmgr.qsg, qmgr.active_logs) for qmgr in plex.qmgrs],
        )
        for plex in spec.sysplexes
    ]


@small
def test_logs_storage_and_configured_facts_are_those_of_the_queue_manager(
    written: Settings,
) -> None:
    qmgr = written.complete_estate().sysplexes[0].qmgrs[0]
    assert (qmgr.active_log_size_mib, qmgr.dual_logging, qmgr.archive_minutes) == (1024, True, 8)
    assert (qmgr.chinit_31bit_limit_mib, qmgr.maxarch, qmgr.page_set_backup_hours) == (
        1588, 500, 168,
    )  # fmt: skip


@small
def test_the_site_has_the_time_zone_of_its_first_sysplex(written: Settings) -> None:
    assert (written.site.name, written.site.timezone) == ("Sample site", "Europe/Copenhagen")


def test_all_other_settings_are_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "platform.yaml"
    write_settings(small_spec(), file)
    made, default = (yaml.safe_load(path.read_text("utf-8")) for path in (file, DEFAULT_FILE))
    assert {key: made[key] for key in made if key not in {"site", "estate"}} == {
        key: default[key] for key in default if key not in {"site", "estate"}
    }


sample = pytest.mark.parametrize("written", [sample_spec()], indirect=True, ids=["sample"])


@sample
def test_production_has_names_of_its_logs_and_everything_an_owner(written: Settings) -> None:
    estate = written.complete_estate()
    double, test = estate.queue_manager("PLEX1", "CSQ2"), estate.queue_manager("PLEX1", "CSQ4")
    assert double is not None
    assert test is not None
    assert test.active_log_names == ()
    assert len(double.active_log_names) == 2 * (double.active_logs or 0)
    assert double.active_log_names[0] == "MQM.CSQ2.LOGCOPY1.DS01"
    assert double.active_log_names[-1] == "MQM.CSQ2.LOGCOPY2.DS06"
    parts = [
        f"{plex.sysplex}/{part.name}"
        for plex in written.complete_estate().sysplexes
        for part in plex.qmgrs
    ]
    parts += [
        f"{plex.sysplex}/{part.name}"
        for plex in written.complete_estate().sysplexes
        for part in plex.cfs
    ]
    for place in written.complete_estate().places:
        parts += [subject_of(place.site, qmgr.name) for qmgr in place.qmgrs]
        parts += [subject_of(place.site, host.name) for host in place.hosts]
        parts += [subject_of(place.site, system.name) for system in place.ztpf]
    assert [part for part in parts if not written.alerts.owner_of(part)] == []


@sample
def test_every_site_is_in_the_file_with_the_interval_of_its_scrapes(written: Settings) -> None:
    [place] = written.complete_estate().places
    [site] = sample_spec().sites
    assert (place.site, place.timezone) == (site.name, site.timezone)
    assert place.scrape_seconds == 60 * site.step_minutes
    assert [(qmgr.name, qmgr.system_class) for qmgr in place.qmgrs] == [
        (qmgr.name, qmgr.system_class) for qmgr in site.qmgrs
    ]
    assert [host.name for host in place.hosts] == [host.name for host in site.hosts]


def test_a_site_without_systems_of_a_kind_has_no_key_of_it(tmp_path: Path) -> None:
    site = sample_spec().sites[0].model_copy(update={"qmgrs": (), "hosts": ()})
    file = tmp_path / "platform.yaml"
    write_settings(small_spec().model_copy(update={"sites": (site,)}), file)
    entry = yaml.safe_load(file.read_text("utf-8"))["estate"][-1]
    assert "site" in entry
    assert {"qmgrs", "hosts"} & set(entry) == set()


@small
def test_an_estate_without_owners_has_none(written: Settings) -> None:
    assert written.alerts.owners == {}


def test_a_system_with_a_machine_is_in_the_file_and_one_without_is_not(tmp_path: Path) -> None:
    file = tmp_path / "platform.yaml"
    write_settings(small_spec(), file)
    assert "systems" not in yaml.safe_load(file.read_text("utf-8"))["estate"][0]
    plex = small_spec().sysplexes[0]
    first, *others = plex.systems
    placed = plex.model_copy(
        update={"systems": (first.model_copy(update={"cpc": "CPC1"}), *others)}
    )
    write_settings(small_spec().model_copy(update={"sysplexes": (placed,)}), file)
    entry = yaml.safe_load(file.read_text("utf-8"))["estate"][0]
    assert entry["systems"] == [{"smfid": first.smfid, "cpc": "CPC1"}]
