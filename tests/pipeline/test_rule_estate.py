from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from domain.errors import ConfigurationError
from domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from domain.metric import SubjectKind
from pipeline.estate_discover import discover
from settings import Settings, load_settings
from store.database import Store
from tests.pipeline.rule_builders import days, new_store, observe, run, settings_of, url_of


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    made = new_store(tmp_path)
    facility = {"kind": SubjectKind.coupling_facility, "unit": "count"}
    observe(made, "log_growth_mib_per_s", "PLEX1/CSQ1", days(3, 1.0))
    observe(made, "log_growth_mib_per_s", "PLEX1/NO", days(3, 1.0))
    observe(made, "cf_engine_count", "PLEX1/CF01", days(3, 2.0), **facility)  # type: ignore[arg-type]
    observe(made, "cf_busy_pct", "PLEX2/CF11", days(3, 2.0), **facility)  # type: ignore[arg-type]
    lake = tmp_path / "lake"
    (lake / "manifest").mkdir(parents=True)
    manifest = {"smfids": ["SYS1", "SYSX"], "sysplex_by_smfid": {"SYS1": "PLEX1"}}
    (lake / "manifest" / "a.json").write_text(json.dumps(manifest), encoding="utf-8")
    folder = lake / "section_qjst" / "received_date=2026-10-15"
    folder.mkdir(parents=True)
    rows = {"smfid": ["SYS1", "SYS1"], "qmgr": ["CSQ1", "NO"], "qsg": ["QSG1", None]}
    pq.write_table(pa.table(rows), folder / "a.parquet")
    return made


def settings(folder: Path, *estate: Sysplex) -> Settings:
    return load_settings(estate=estate, lake=str(folder / "lake"), store={"url": url_of(folder)})


def discovered(folder: Path, engine: Store, *estate: Sysplex) -> dict[str, Sysplex]:
    document = yaml.safe_load(discover(settings(folder, *estate), engine))
    made = Estate(sysplexes=document["estate"])
    return {plex.sysplex: plex for plex in made.sysplexes}


def test_what_the_data_shows_is_a_valid_estate(engine: Store, tmp_path: Path) -> None:
    found = discovered(tmp_path, engine)
    assert found["PLEX1"].smfids == ("SYS1",)
    assert found["PLEX1"].cfs == (CouplingFacility(name="CF01", engines=2),)
    assert {one.name: one.qsg for one in found["PLEX1"].qmgrs} == {"CSQ1": "QSG1", "NO": None}
    assert found["PLEX2"].cfs == (CouplingFacility(name="CF11"),)


def test_a_system_that_nothing_places_is_set_apart(engine: Store, tmp_path: Path) -> None:
    assert discovered(tmp_path, engine)["UNKNOWN"].smfids == ("SYSX",)


def test_what_is_configured_stays_as_it_is(engine: Store, tmp_path: Path) -> None:
    configured = Sysplex(
        sysplex="PLEX1",
        timezone="Europe/Copenhagen",
        holidays="DK",
        smfids=("SYS1", "SYSX"),
        qmgrs=(QueueManager(name="CSQ1", active_log_size_mib=2_048, dual_logging=True),),
        cfs=(CouplingFacility(name="CF01", engines=3),),
    )
    found = discovered(tmp_path, engine, configured)
    kept = found["PLEX1"]
    assert (kept.timezone, kept.holidays) == ("Europe/Copenhagen", "DK")
    assert kept.smfids == configured.smfids
    assert kept.cfs == configured.cfs
    assert kept.qmgrs[0] == configured.qmgrs[0].model_copy(update={"qsg": "QSG1"})
    assert "UNKNOWN" not in found


def test_what_no_record_carries_is_left_to_be_completed(engine: Store, tmp_path: Path) -> None:
    text = discover(settings(tmp_path), engine)
    assert text.count("# active_log_size_mib:   (DISPLAY LOG") == 2


def test_the_command_prints_it(engine: Store, tmp_path: Path) -> None:
    result = run(tmp_path, settings_of(tmp_path), "estate", "discover")
    assert result.exit_code == 0, result.output
    assert "estate:" in yaml.safe_dump(yaml.safe_load(result.output))


def test_an_empty_store_has_nothing_to_show(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to discover"):
        discover(settings(tmp_path), new_store(tmp_path))
