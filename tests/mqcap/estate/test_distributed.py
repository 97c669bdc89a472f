"""Queue managers that are not on z/OS, as files show them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import SystemClass
from mqcap.estate.distributed import (
    Seen,
    add_input,
    add_lake,
    add_name_list,
    distributed_input,
    is_name_list,
    new_seen,
)
from tests.mqcap.ingest.distributed_inputs import INPUTS
from tests.mqcap.ingest.prometheus.answers import answer, series, written

DISPLAY = (
    "QMNAME(PAY.QM)  STATUS(RUNNING)\nAMQ8705I: x\n   QMNAME(PAY.QM) HOSTNAME(mq-pay)\n"
    "QMNAME(QM2)  STATUS(ENDED NORMALLY)\nQMNAME(not a name)  STATUS(RUNNING)\n"
)


def of_file(path: Path) -> Seen:
    source = distributed_input(path)
    assert source is not None
    seen = new_seen()
    add_input(seen, path, source)
    return seen


@pytest.mark.parametrize(
    "name",
    [
        "prometheus",
        "exposition",
        "mq_json",
        "mq_display",
        "amqsrua",
        "mq_statistics",
        "error_log",
        "qm_ini",
    ],
)
def test_every_input_shows_its_queue_manager(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(INPUTS[name], encoding="utf-8")
    assert [each.sources for each in of_file(path).values()] == [["input"]]


def test_a_file_about_something_else_is_none(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(INPUTS["site_figures"], encoding="utf-8")
    assert distributed_input(path) is None
    assert not is_name_list(path)


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
    ("label", "hosts", "labels"),
    [("mq1", {"mq1"}, set()), ("mq.1", set(), {"mq.1"})],
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
    seen = new_seen()
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
    assert is_name_list(path)
    seen = new_seen()
    add_name_list(seen, path)
    assert (seen["QM1"].sites, seen["QM1"].hosts) == ({"EAST"}, {"mq1"})
    assert seen["QM1"].system_class is SystemClass.test
    assert (seen["QM2"].sites, seen["QM2"].hosts, seen["QM2"].system_class) == (set(), set(), None)


@pytest.mark.parametrize(
    ("row", "problem"), [("EAST,Q M", "'Q M'"), ("EAST,", "''"), ("EAST,QM1,mq1,prod", "'prod'")]
)
def test_a_wrong_line_of_a_list_is_named(row: str, problem: str, tmp_path: Path) -> None:
    path = names(tmp_path, f"site,qmgr,host,class\n{row}\n")
    with pytest.raises(InputError, match=f"names.csv.*line 2.*{problem}|line 2.*{problem}"):
        add_name_list(new_seen(), path)
