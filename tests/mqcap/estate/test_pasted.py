"""Values of queue managers from pasted displays, and the sites of an estate."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from mqcap.domain.errors import InputError
from mqcap.domain.estate import Estate
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.estate.places import Place
from mqcap.estate.discover import site_lines
from mqcap.estate.distributed import Seen, SeenManager, add_file, add_lake
from mqcap.estate.pasted import lines_of, sourced_values
from mqcap.ingest.display_output.reading import LOG_NAME, Fact, Value
from tests.mqcap.ingest.distributed_inputs import INPUTS
from tests.mqcap.ingest.prometheus.answers import answer, series, written


def fact(key: str, value: Value, *, thing: str = "", qmgr: str = "CSQ1", line: int = 1) -> Fact:
    return Fact(
        queue_manager=qmgr,
        thing=thing,
        key=key,
        value=value,
        command="DISPLAY LOG",
        file="log.txt",
        line=line,
    )


def lines(*facts: Fact, group: str | None = None, **configured: Any) -> list[str]:
    sourced = sourced_values(facts, configured, group)
    return [line.strip() for line in lines_of(facts, configured, sourced)]


def test_an_agreed_value_names_the_displays_it_was_read_from_and_no_settings_or_records() -> None:
    assert lines(fact("maxarch", 500)) == ["maxarch: 500   # DISPLAY LOG, log.txt line 1"]
    assert lines(group="QSG1", maxarch=500) == ["maxarch: 500", 'qsg: "QSG1"']
    [line] = lines(fact("maxarch", 500), fact("maxarch", 500, line=7), maxarch=500)
    assert line == "maxarch: 500   # DISPLAY LOG, log.txt line 1; DISPLAY LOG, log.txt line 7"


def test_values_that_differ_are_listed_and_the_configured_one_stays_if_there_is_one() -> None:
    assert lines(fact("maxarch", 500), maxarch=1_000) == [
        "# CONTRADICTION about maxarch:",
        "#   1000   (settings)",
        "#   500   (DISPLAY LOG, log.txt line 1)",
        "maxarch: 1000   # of the settings",
    ]
    messages = lines(fact("maxarch", 500), fact("maxarch", 600, line=2))
    assert messages[-1] == "# maxarch:   (left out until you decide)"


def test_logs_of_all_copies_count_only_where_there_is_one_copy() -> None:
    single = lines(fact("active_logs_all_copies", 8), fact("dual_logging", False))
    dual = lines(fact("active_logs_all_copies", 8), fact("dual_logging", True))
    assert single[0] == "active_logs: 8   # DISPLAY LOG, log.txt line 1"
    assert "all copies together" in dual[-1]
    assert not any(line.startswith("active_logs:") for line in dual)


def test_a_value_of_another_object_is_a_comment() -> None:
    [comment] = lines(fact("total_pages", 268_542, thing="page set 3"))
    assert comment == (
        "# not an estate key: page set 3: total_pages = 268542 (DISPLAY LOG, log.txt line 1)"
    )


def log_name(number: int, copy: int = 1) -> Fact:
    name = f"MQM.CSQ1.LOGCOPY{copy}.DS0{number}"
    return fact(LOG_NAME, name, thing=f"copy {copy}", line=number)


def test_names_of_active_logs_are_listed_once_each_copy_1_first() -> None:
    assert lines(log_name(3, copy=2), log_name(2), log_name(1), log_name(2)) == [
        "active_log_names:   # DISPLAY LOG, log.txt line 2",
        '- "MQM.CSQ1.LOGCOPY1.DS02"',
        '- "MQM.CSQ1.LOGCOPY1.DS01"',
        '- "MQM.CSQ1.LOGCOPY2.DS03"',
    ]


def test_configured_names_stay_where_all_that_is_pasted_is_among_them() -> None:
    names = ["MQM.CSQ1.LOGCOPY1.DS01", "MQM.CSQ1.LOGCOPY1.DS02"]
    assert lines(log_name(1), active_log_names=names) == [
        'active_log_names: ["MQM.CSQ1.LOGCOPY1.DS01", "MQM.CSQ1.LOGCOPY1.DS02"]   # settings'
    ]
    assert lines(log_name(3), active_log_names=names) == [
        "active_log_names:   # DISPLAY LOG, log.txt line 3",
        '- "MQM.CSQ1.LOGCOPY1.DS03"',
        f"# active_log_names of the settings: {json.dumps(names)}",
    ]


DISPLAY = (
    "QMNAME(PAY.QM)  STATUS(RUNNING)\nAMQ8705I: x\n   QMNAME(PAY.QM) HOSTNAME(mq-pay)\n"
    "QMNAME(QM2)  STATUS(ENDED NORMALLY)\nQMNAME(not a name)  STATUS(RUNNING)\n"
)


def of_file(path: Path) -> Seen:
    seen = Seen(SeenManager)
    assert add_file(seen, path)
    return seen


DISTRIBUTED = "prometheus exposition mq_json mq_display amqsrua mq_statistics error_log qm_ini"


@pytest.mark.parametrize("name", DISTRIBUTED.split())
def test_every_input_shows_its_queue_manager(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(INPUTS[name], encoding="utf-8")
    assert [each.sources for each in of_file(path).values()] == [["input"]]


def test_a_file_about_something_else_is_none(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(INPUTS["site_figures"], encoding="utf-8")
    assert not add_file(Seen(SeenManager), path)


def test_displays_without_a_time_name_queue_managers_and_hosts(tmp_path: Path) -> None:
    path = tmp_path / "display.txt.gz"
    path.write_bytes(gzip.compress(DISPLAY.encode()))
    seen = of_file(path)
    assert {name: manager.hosts for name, manager in seen.items()} == {
        "PAY.QM": {"mq-pay"},
        "QM2": set(),
    }
    assert seen["QM2"].sources == ["display.txt.gz"]


def test_displays_that_name_nobody_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "display.txt"
    path.write_text("AMQ8450I: x\n   QUEUE(A) CURDEPTH(1)\n")
    with pytest.raises(InputError, match=r"name no queue manager.*display\.txt|display\.txt"):
        of_file(path)


@pytest.mark.parametrize(
    ("label", "hosts", "labels"), [("mq1", {"mq1"}, set()), ("mq.1", set(), {"mq.1"})]
)
def test_a_label_with_a_full_stop_is_not_taken_for_the_name(
    label: str, hosts: set[str], labels: set[str], tmp_path: Path
) -> None:
    seen = of_file(written(tmp_path, answer(series(hostname=label))))["QM1"]
    assert (seen.hosts, seen.host_labels) == (hosts, labels)


def test_the_lake_shows_those_that_were_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "qmgr_sample" / "received_date=2026-07-09"
    folder.mkdir(parents=True)
    rows = {"qmgr": ["QM1", "QM1", "QM2"], "host": ["mq1", "mq1", None]}
    pq.write_table(pa.table(rows), folder / "a.parquet")
    seen = Seen(SeenManager)
    add_lake(seen, tmp_path)
    assert {name: (each.hosts, each.sources) for name, each in seen.items()} == {
        "QM1": ({"mq1"}, ["the data"]),
        "QM2": (set(), ["the data"]),
    }


def names(folder: Path, text: str) -> Path:
    path = folder / "names.csv"
    path.write_text(text, encoding="utf-8-sig")
    return path


def test_a_list_of_names_tells_site_host_and_class(tmp_path: Path) -> None:
    path = names(tmp_path, "Site,QMGR,host,class\nEAST,QM1,mq1,test\n,QM2,,\n")
    seen = of_file(path)
    assert (seen["QM1"].sites, seen["QM1"].hosts) == ({"EAST"}, {"mq1"})
    assert seen["QM1"].system_class is SystemClass.test
    assert (seen["QM2"].sites, seen["QM2"].hosts, seen["QM2"].system_class) == (set(), set(), None)


@pytest.mark.parametrize(
    ("row", "problem"), [("EAST,Q M", "'Q M'"), ("EAST,", "''"), ("EAST,QM1,mq1,prod", "'prod'")]
)
def test_a_wrong_line_of_a_list_is_named(row: str, problem: str, tmp_path: Path) -> None:
    path = names(tmp_path, f"site,qmgr,host,class\n{row}\n")
    with pytest.raises(InputError, match=f"names.csv.*line 2.*{problem}|line 2.*{problem}"):
        add_file(Seen(SeenManager), path)


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
