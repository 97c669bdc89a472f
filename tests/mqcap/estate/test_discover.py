from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.metric import SubjectKind
from mqcap.estate.discover import Pasted, discover
from mqcap.lake.manifest import Manifest, write_manifest
from mqcap.settings import Settings, load_settings
from mqcap.store.database import Store
from tests.mqcap.ingest.display_output import samples
from tests.mqcap.rulebook.builders import days, new_store, observe, run, settings_of, url_of
from tests.spark_apps.manifests import manifest


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    made = new_store(tmp_path)
    facility = {"kind": SubjectKind.coupling_facility, "unit": "count"}
    observe(made, "log_growth_mib_per_s", "PLEX1/CSQ1", days(3, 1.0))
    observe(made, "log_growth_mib_per_s", "PLEX1/NO", days(3, 1.0))
    observe(made, "cf_engine_count", "PLEX1/CF01", days(3, 2.0), **facility)  # type: ignore[arg-type]
    observe(made, "cf_busy_pct", "PLEX2/CF11", days(3, 2.0), **facility)  # type: ignore[arg-type]
    lake = tmp_path / "lake"
    made_of_sys1 = Manifest(
        sha256="a",
        source="smf",
        name="a.smf",
        received_date=date(2026, 10, 15),
        decoder_version="7",
        smfids=("SYS1", "SYSX"),
        sysplex_by_smfid={"SYS1": "PLEX1"},
    )
    write_manifest(lake, made_of_sys1)
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
    discovery = discovered(tmp_path, engine)
    assert discovery["PLEX1"].smfids == ("SYS1",)
    assert discovery["PLEX1"].cfs == (CouplingFacility(name="CF01", engines=2),)
    assert {qmgr.name: qmgr.qsg for qmgr in discovery["PLEX1"].qmgrs} == {
        "CSQ1": "QSG1",
        "NO": None,
    }
    assert discovery["PLEX2"].cfs == (CouplingFacility(name="CF11"),)


def test_a_system_of_two_sysplexes_is_in_both_and_their_files_have_their_groups(
    engine: Store, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    plexes = [Sysplex(sysplex=name, smfids=("SYS1",)) for name in ("PLEX1", "PLEX2")]
    made = manifest("b", root="PLEX2", received_date=date(2026, 10, 15))
    write_manifest(lake, made)
    rows = {"smfid": ["SYS1"], "qmgr": ["CSQ1"], "qsg": ["QSG2"]}
    path = lake / "section_qjst" / "received_date=2026-10-15" / "b.parquet"
    pq.write_table(pa.table(rows), path)
    write_manifest(lake, manifest("a", root="PLEX1", received_date=date(2026, 10, 15)))
    of_both = settings(tmp_path).model_copy(update={"estate": tuple(plexes)})
    document = yaml.safe_load(discover(of_both, engine))
    found = {plex.sysplex: plex for plex in Estate(sysplexes=document["estate"]).sysplexes}
    assert found["PLEX1"].smfids == found["PLEX2"].smfids == ("SYS1",)
    assert {name: found[name].qmgrs[0].qsg for name in ("PLEX1", "PLEX2")} == {
        "PLEX1": "QSG1",
        "PLEX2": "QSG2",
    }


def test_a_system_that_nothing_places_is_set_apart(engine: Store, tmp_path: Path) -> None:
    assert discovered(tmp_path, engine)["UNKNOWN"].smfids == ("SYSX",)


@pytest.fixture
def unplaced(tmp_path: Path) -> Store:
    """Data of one queue manager of a system that no input places."""
    made = new_store(tmp_path)
    observe(made, "log_growth_mib_per_s", "UNKNOWN/CSQ9", days(3, 1.0))
    write_manifest(tmp_path / "lake", manifest("a", smfids=("SYS9",), sysplex_by_smfid={}))
    return made


def test_the_only_sysplex_of_the_settings_is_proposed_while_it_has_no_systems(
    unplaced: Store, tmp_path: Path
) -> None:
    alone = Sysplex(sysplex="PLEX1", timezone="Europe/Copenhagen")
    text = discover(settings(tmp_path, alone), unplaced)
    assert "PLEX1, the only one of the settings, is proposed" in text
    [entry] = yaml.safe_load(text)["estate"]
    assert (entry["sysplex"], entry["timezone"]) == ("PLEX1", "Europe/Copenhagen")
    assert entry["smfids"] == ["SYS9"]
    assert [manager["name"] for manager in entry["qmgrs"]] == ["CSQ9"]


@pytest.mark.parametrize(
    "plexes",
    [
        (),
        (Sysplex(sysplex="PLEX1", smfids=("SYS2",)),),
        (Sysplex(sysplex="PLEX1"), Sysplex(sysplex="PLEX2")),
    ],
)
def test_where_no_sysplex_can_be_proposed_the_site_is_asked_to_name_it(
    unplaced: Store, tmp_path: Path, plexes: tuple[Sysplex, ...]
) -> None:
    text = discover(settings(tmp_path, *plexes), unplaced)
    assert "# UNKNOWN: no input says in which sysplex these systems are." in text
    assert "UNKNOWN" in [entry["sysplex"] for entry in yaml.safe_load(text)["estate"]]


def test_what_is_configured_stays_as_it_is(engine: Store, tmp_path: Path) -> None:
    configured = Sysplex(
        sysplex="PLEX1",
        timezone="Europe/Copenhagen",
        holidays="DK",
        smfids=("SYS1", "SYSX"),
        qmgrs=(QueueManager(name="CSQ1", active_log_size_mib=2_048, dual_logging=True),),
        cfs=(CouplingFacility(name="CF01", engines=3),),
    )
    discovery = discovered(tmp_path, engine, configured)
    kept = discovery["PLEX1"]
    assert (kept.timezone, kept.holidays) == ("Europe/Copenhagen", "DK")
    assert kept.smfids == configured.smfids
    assert kept.cfs == configured.cfs
    assert kept.qmgrs[0] == configured.qmgrs[0].model_copy(update={"qsg": "QSG1"})
    assert "UNKNOWN" not in discovery


def test_what_no_record_carries_is_left_to_be_completed(engine: Store, tmp_path: Path) -> None:
    text = discover(settings(tmp_path), engine)
    assert text.count("# active_log_size_mib:   (DISPLAY LOG") == 2


def pasted(folder: Path, *names: str, **options: str) -> Pasted:
    files = []
    for name in names:
        file = folder / f"{name}.txt"
        file.write_text(samples.ALL[name], encoding="utf-8")
        files.append(file)
    return Pasted(tuple(files), options.get("qmgr"), options.get("sysplex"))


def test_pasted_answers_fill_the_estate_with_their_sources(engine: Store, tmp_path: Path) -> None:
    given = pasted(tmp_path, "log", "system", "bsds", "storage", "usage")
    text = discover(settings(tmp_path), engine, given)
    [plex] = [item for item in yaml.safe_load(text)["estate"] if item["sysplex"] == "PLEX1"]
    manager = QueueManager.model_validate(plex["qmgrs"][0])
    settings_of_manager = {"maxarch": 500, "outbuff_kb": 4_000, "logload": 4_000_000}
    assert manager == QueueManager(
        name="CSQ1",
        qsg="QSG1",
        active_log_size_mib=2_048,
        active_logs=3,
        active_log_names=(
            "MQM.CSQ1.LOGCOPY1.DS03",
            "MQM.CSQ1.LOGCOPY1.DS01",
            "MQM.CSQ1.LOGCOPY1.DS02",
            "MQM.CSQ1.LOGCOPY2.DS03",
            "MQM.CSQ1.LOGCOPY2.DS01",
            "MQM.CSQ1.LOGCOPY2.DS02",
        ),
        dual_logging=True,
        chinit_31bit_limit_mib=1_588,
        interval_minutes=30,
        **settings_of_manager,
    )
    assert "active_log_size_mib: 2048   # print log map, bsds.txt line 7" in text
    assert (
        "not an estate key: page set 3: total_pages = 268542 (CSQI010I, usage.txt line 5)" in text
    )


def test_what_is_printed_can_be_loaded_as_settings(
    engine: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "seeded.yaml"
    text = discover(settings(tmp_path), engine, pasted(tmp_path, *samples.ALL))
    file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    loaded = load_settings().complete_estate().queue_manager("PLEX1", "CSQ1")
    assert loaded is not None
    assert loaded.active_logs == 3


def test_answers_alone_are_enough(tmp_path: Path) -> None:
    given = pasted(tmp_path, "bsds", sysplex="PLEX7")
    text = discover(settings(tmp_path), new_store(tmp_path), given)
    [plex] = yaml.safe_load(text)["estate"]
    assert (plex["sysplex"], plex["qmgrs"][0]["active_logs"]) == ("PLEX7", 3)


def test_an_answer_without_a_name_belongs_to_the_one_given(tmp_path: Path) -> None:
    file = tmp_path / "bsds.txt"
    file.write_text(samples.BSDS_PRINT.replace("BELONGING TO 'CSQ1 '", ""), encoding="utf-8")
    empty = new_store(tmp_path)
    named = discover(settings(tmp_path), empty, Pasted((file,), "CSQ5", "PLEX1"))
    assert '- name: "CSQ5"' in named
    nameless = discover(settings(tmp_path), empty, Pasted((file,)))
    assert "give it as --qmgr" in nameless
    assert "#   active_logs = 3 (print log map, bsds.txt line 7)" in nameless


def test_the_command_takes_files(engine: Store, tmp_path: Path) -> None:
    file = pasted(tmp_path, "bsds").files[0]
    result = run(tmp_path, settings_of(tmp_path), "estate", "discover", str(file))
    assert result.exit_code == 0, result.output
    assert "CONTRADICTION about active_logs:" in result.output


@pytest.mark.parametrize(
    ("metric", "subject", "kind"),
    [
        ("mq_connection_count", "EAST/QM1", SubjectKind.distributed_queue_manager),
        ("tpf_sweep_count", "EAST/TPF1/RES.IN", SubjectKind.ztpf_queue),
    ],
)
def test_what_is_not_on_z_os_is_neither_member_nor_facility(
    engine: Store, tmp_path: Path, metric: str, subject: str, kind: SubjectKind
) -> None:
    observe(engine, metric, subject, days(3, 1.0), kind=kind, unit="count")
    document = yaml.safe_load(discover(settings(tmp_path), engine))
    assert "EAST" not in [entry.get("sysplex") for entry in document["estate"]]


def test_inputs_and_lists_of_names_fill_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qm_ini = tmp_path / "qm.ini"
    stamp = "# mqcap qm.ini QMGR(QM1) HOST(mq-1) NOW(2026-03-14T00:00:00Z)"
    qm_ini.write_text(f"{stamp}\nLog:\n   LogPrimaryFiles=3\n")
    names = tmp_path / "names.csv"
    names.write_text("site,qmgr\nWEST,QM2\n")
    given = Pasted((qm_ini, names), site="EAST")
    text = discover(settings(tmp_path), new_store(tmp_path), given)
    file = tmp_path / "seeded.yaml"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    places = load_settings().complete_estate().places
    assert [(place.site, [qmgr.name for qmgr in place.qmgrs]) for place in places] == [
        ("EAST", ["QM1"]),
        ("WEST", ["QM2"]),
    ]
    assert [host.name for host in places[0].hosts] == ["mq-1"]


def test_a_queue_sharing_group_is_found_in_records_of_any_kind_else_said_to_be_unknown(
    engine: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "lake" / "section_wtid" / "received_date=2026-10-15"
    folder.mkdir(parents=True)
    rows = {"smfid": ["SYS1", "SYS1"], "qmgr": ["CSQ5", "CSQ6"], "qsg": ["QSG2", ""]}
    pq.write_table(pa.table(rows), folder / "a.parquet")
    lines = [line.strip() for line in discover(settings(tmp_path), engine).splitlines()]
    after = {
        name: lines[lines.index(f'- name: "{name}"') + 1] for name in ("NO", "CSQ1", "CSQ5", "CSQ6")
    }
    assert after["CSQ1"].startswith('qsg: "QSG1"')
    assert after["CSQ5"].startswith('qsg: "QSG2"')
    assert after["CSQ6"] == "# qsg:   (in no queue sharing group, by its records)"
    assert after["NO"] == (
        "# qsg:   (no record names its queue sharing group; DISPLAY QMGR QSGNAME)"
    )
