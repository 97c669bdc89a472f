"""Records of senders and of groups of channels."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.shares import group_instances, sender_log_bytes, sender_messages
from devtools.simulator.traffic import QUEUES_PER_RECORD, traffic_records
from mqcap.ingest.smf.encode import write_dump
from tests.devtools.simulator.builders import part_of, queue_manager, steady
from tests.mqcap.ingest.dumps import with_markers
from tests.mqcap.ingest.reading import is_accounted, read_all

SENDERS = (
    Sender(queue="PAY.IN", application="PAYAPP", user="PAY", weight=3, buffer_pool=1),
    Sender(queue="CSQ.", application="CSQ1CHIN", channel="A.SVRCONN", is_dynamic=True),
)


def tables(part: Slice, days: int, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows of all sections, read by the product."""
    rows = [row.tobytes() for _, records in traffic_records(part, days) for row in records]
    path = folder / "traffic.smf"
    write_dump(path, with_markers(rows), "rdw")
    read = read_all(path)
    return {name.removeprefix("section_"): t.to_pylist() for name, t in read.tables.items()}


def test_queues_and_tasks_have_the_messages_and_log_bytes_of_their_senders(
    tmp_path: Path,
) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None))
    found = tables(part, 1, tmp_path)
    messages, log_bytes = sender_messages(part.qmgr), sender_log_bytes(part.qmgr)
    pay = [row for row in found["qqst"] if row["qqstqnam"] == "PAY.IN"]
    assert [row["qqstppt"] for row in pay] == messages[0].tolist()
    assert {row["qqstbpid"] for row in pay} == {1}
    dynamic = [row["qqstqnam"] for row in found["qqst"] if row["qqstqnam"] != "PAY.IN"]
    assert len(set(dynamic)) == len(pay)
    written = sorted(row["wtasjwb"] for row in found["wtas"])
    assert written == sorted(log_bytes.ravel().tolist())
    assert sum(row["putn"] for row in found["wqst"]) == messages.sum()
    assert {(row["wtidccn"], row["wtidchl"]) for row in found["wtid"]} == {
        ("PAYAPP", ""),
        ("CSQ1CHIN", "A.SVRCONN"),
    }
    assert {row["qwhcaid"] for row in found["qwhc"]} == {"PAY", "MQUSER"}


@pytest.mark.parametrize(
    ("count", "records"),
    [(QUEUES_PER_RECORD - 1, 1), (QUEUES_PER_RECORD, 1), (QUEUES_PER_RECORD + 1, 2)],
)
def test_queues_that_do_not_fit_into_a_record_are_in_the_next_one(
    tmp_path: Path, count: int, records: int
) -> None:
    senders = tuple(Sender(queue=f"APP.{each:03}", application="APP") for each in range(count))
    part = part_of(queue_manager(1, senders=senders, upgrade=None, accounting=False))
    written = [len(batch) for _, batch in traffic_records(part, 1)]
    assert written == [len(part)] * records
    found = tables(part, 1, tmp_path)
    assert {"wtas", "wqst"}.isdisjoint(found)
    puts = {row["qqstqnam"]: 0 for row in found["qqst"]}
    for row in found["qqst"]:
        puts[row["qqstqnam"]] += row["qqstppt"]
    assert list(puts.values()) == sender_messages(part.qmgr).sum(axis=1).tolist()


def test_tasks_have_the_intervals_of_the_statistics(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None))
    found = tables(part, 1, tmp_path)
    spans = {
        name: {(row["interval_start_utc"], row["interval_end_utc"]) for row in found[name]}
        for name in ("qqst", "wtas", "wqst")
    }
    assert spans["qqst"] == spans["wtas"] == spans["wqst"]


def test_each_instance_of_a_channel_has_its_section(tmp_path: Path) -> None:
    groups = (ChannelGroup(name="A.TO.B", weight=2), ChannelGroup(name="C.SVRCONN"))
    part = part_of(
        queue_manager(1, channels=steady(90), channel_groups=groups, restart_every_days=None)
    )
    rows = tables(part, 1, tmp_path)["qcst"]
    names = [(row["qcstchnm"], row["qcstcnnm"], row["interval_start_utc"]) for row in rows]
    assert len(set(names)) == len(names)
    by_hour = [row for row in rows if row["interval_start_utc"].hour == 10]
    assert sum(row["qcstchnm"] == "A.TO.B" for row in by_hour) == pytest.approx(60, abs=10)


def test_accounting_of_longer_intervals_has_the_mean_of_their_instances(tmp_path: Path) -> None:
    part = part_of(
        queue_manager(
            1,
            channels=steady(90).model_copy(update={"profile": "steady"}),
            channel_groups=(ChannelGroup(name="A.TO.B"),),
            restart_every_days=None,
            accounting_hours=12,
        )
    )
    rows = tables(part, 1, tmp_path)["qcst"]
    spans = {(row["interval_start_utc"], row["interval_end_utc"]) for row in rows}
    assert {end - start for start, end in spans} == {timedelta(hours=12)}
    assert len(spans) == 2
    for first, last in ((0, 12), (12, 24)):
        [instances] = group_instances(part.qmgr)[:, first:last]
        assert set(instances) == {round(part.qmgr.channels[first:last].mean() / 10) * 10}


@pytest.mark.thorough
@pytest.mark.parametrize(("weekday", "count"), [(6, 2), (0, 2), (1, 0)])
def test_accounting_on_one_day_of_the_week_has_no_other_days(
    tmp_path: Path, weekday: int, count: int
) -> None:
    part = part_of(
        queue_manager(
            2,  # a Sunday and a Monday
            channel_groups=(ChannelGroup(name="A.TO.B"),),
            restart_every_days=None,
            accounting_hours=12,
            accounting_weekday=weekday,
        )
    )
    found = tables(part, 2, tmp_path)
    assert len({row["interval_start_utc"] for row in found.get("qcst", [])}) == count


@pytest.mark.thorough
def test_queues_and_channels_have_days_of_their_own_and_tasks_those_of_the_estate(
    tmp_path: Path,
) -> None:
    groups = (ChannelGroup(name="A.TO.B"),)
    made = queue_manager(5, senders=SENDERS, channel_groups=groups, upgrade=None, part_days=3)
    found = tables(part_of(made), 1, tmp_path)
    days = {
        name: len({row["interval_start_utc"] + timedelta(hours=2) for row in found[name]}) / 24
        for name in ("qqst", "qcst", "wtas")
    }
    assert days == pytest.approx({"qqst": 3, "qcst": 3, "wtas": 1}, abs=0.1)


def test_without_accounting_senders_have_queue_statistics_alone(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, accounting=False))
    found = tables(part, 1, tmp_path)
    assert "qqst" in found
    assert not {"wtas", "wtid", "wqst"} & found.keys()


@pytest.mark.parametrize(("level", "written"), [("9.3.1", False), ("9.3.3", True)])
def test_queue_statistics_begin_with_a_version(tmp_path: Path, level: str, written: bool) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, mq_level=level))
    assert ("qqst" in tables(part, 1, tmp_path)) is written


@pytest.mark.parametrize(("days", "written"), [(0, 0), (1, 1), (2, 2)])
def test_records_are_written_for_the_last_days(tmp_path: Path, days: int, written: int) -> None:
    part = part_of(queue_manager(5, senders=SENDERS, upgrade=None))
    if not days:
        assert list(traffic_records(part, days)) == []
        return
    starts = {row["interval_start_utc"].date() for row in tables(part, days, tmp_path)["qqst"]}
    assert written <= len(starts) <= written + 1  # site days begin before those of UTC


def test_a_queue_manager_without_senders_writes_nothing_of_them() -> None:
    assert list(traffic_records(part_of(queue_manager(1)), 1)) == []


def test_a_shared_queue_has_its_structure_depth_and_requests_of_opens(tmp_path: Path) -> None:
    shared = Sender(
        queue="PAY.SHARED",
        application="PAYAPP",
        structure="APPL1",
        depth=700,
        skips_per_get=3,
        messages_per_commit=20,
    )
    part = part_of(queue_manager(1, senders=(shared, SENDERS[0]), upgrade=None))
    found = tables(part, 1, tmp_path)
    queue, private = (
        [row for row in found["qqst"] if row["qqstqnam"] == name]
        for name in ("PAY.SHARED", "PAY.IN")
    )
    assert {(row["qqstcfst"], row["qqstqsgn"], row["qqstdphi"]) for row in queue} == {
        ("APPL1", "QSGA", 700)
    }
    assert {(row["qqstcfst"], row["qqstbpid"], row["qqstnmag"]) for row in private} == {("", 1, 0)}
    of_structure = [row for row in found["wqst"] if row["cfstrucname"] == "APPL1"]
    busiest = max(of_structure, key=lambda row: int(row["getn"]))
    words = [int(busiest["mqcfreq"][place : place + 8], 16) for place in range(0, 4_000, 8)]
    asked, sent = words[:2]
    assert asked == busiest["openn"] - busiest["opencf0"] > 0
    assert sent == round(asked / 0.95)
    assert sum(words[2:]) == 0
    assert busiest["getsmsg"] == 3 * busiest["getn"]
    of_task = {row["record_hash"]: row["wtascmn"] for row in found["wtas"]}
    assert of_task[busiest["record_hash"]] == 2 * busiest["putn"] // 20


def test_accounting_that_is_cut_off_in_a_record_is_read_up_to_it(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None))
    [_, (_, records), *_] = traffic_records(part, 1)
    path = tmp_path / "cut.smf"
    write_dump(path, with_markers([row.tobytes() for row in records]), "rdw")
    content, length = path.read_bytes(), records.shape[1]
    begin = 18 + 9 * length  # of the tenth task, behind the header of the dump
    path.write_bytes(content[: begin + length // 2])
    read = read_all(path)
    for name in ("wtid", "wtas", "wqst"):
        assert read.tables[f"section_{name}"].num_rows == 9
    assert is_accounted(read.summary)
    [problem] = read.summary.problems
    assert str(begin) in problem.replace(",", "")
