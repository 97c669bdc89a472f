"""Records of senders and of groups of channels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.traffic import traffic_records
from mqcap.ingest.smf.encode import write_dump
from tests.devtools.simulator.builders import part_of, queue_manager
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


def test_without_accounting_senders_have_queue_statistics_alone(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, accounting=False))
    found = tables(part, 1, tmp_path)
    assert "qqst" in found
    assert not {"wtas", "wtid", "wqst"} & found.keys()


@pytest.mark.parametrize(("level", "written"), [("9.3.1", False), ("9.3.3", True)])
def test_queue_statistics_begin_with_a_version(tmp_path: Path, level: str, written: bool) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, mq_level=level))
    assert ("qqst" in tables(part, 1, tmp_path)) is written


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
