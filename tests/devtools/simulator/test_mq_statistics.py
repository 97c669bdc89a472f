"""Statistics records of a simulated queue manager agree with it and with themselves."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.simulator import SimulationResult
from devtools.simulator.events import Outage, Upgrade
from devtools.simulator.mq_statistics import (
    Slice,
    buffer_pool_records,
    log_records,
    message_records,
    page_set_records,
)
from devtools.simulator.spec import BufferPool, PageSet
from tests.devtools.simulator.builders import part_of, queue_manager, steady
from tests.devtools.simulator.reading import records_in, records_of_kind, text


def test_a_slice_is_a_part_of_the_queue_manager_under_its_names() -> None:
    made = queue_manager(restart_every_days=None)
    part = Slice(made, 24, 30)
    assert len(part) == len(part.intervals) == len(part.seconds) == 6
    assert part.intervals.start_us[0] == made.grid.intervals.start_us[24]
    identity = part.identity
    assert (identity.smfid, identity.qmgr, identity.mq_level, identity.qsg) == (
        "TST1", "MQA1", "9.4.5", "QSGA",
    )  # fmt: skip


def test_a_slice_has_the_version_of_its_first_interval() -> None:
    made = queue_manager(
        outages=(Outage(day_offset=-5),),
        restart_every_days=None,
        upgrade=Upgrade(day_offset=-5, from_level="9.3.5"),
    )
    before, after = made.upgraded_at - 1, made.upgraded_at
    assert [Slice(made, low, low + 1).mq_level for low in (before, after)] == ["9.3.5", "9.4.5"]


@pytest.mark.parametrize(
    ("level", "length"), [("9.2.0", 596), ("9.3.5", 596), ("9.4.0", 720), ("9.4.5", 720)]
)
def test_the_length_of_a_section_is_that_of_the_version(level: str, length: int) -> None:
    [record, *_] = records_in(log_records(part_of(queue_manager(1, mq_level=level, upgrade=None))))
    assert record.triplet(11)[1:] == (length, 1)
    assert record.sections(11)[0]["qjstll"] == length


def test_log_records_agree_with_themselves(estate: SimulationResult) -> None:
    for record in records_of_kind(list(estate.dumps), (115, 1), "MQA1"):
        log = record.sections(11)[0]
        names = [f"qjstio_{copy}_qjstiotype_{kind}_qjstio" for copy in (0, 1) for kind in (0, 1)]
        assert log["qjstciwr"] == sum(int(log[f"{name}ci"]) for name in names)
        assert log["qjstlogw"] == sum(int(log[f"{name}count"]) for name in names)


@pytest.mark.parametrize(("dual", "copies"), [(True, 2), (False, 1)])
def test_a_single_log_is_written_once(dual: bool, copies: int) -> None:
    records = records_in(log_records(part_of(queue_manager(1, dual_logging=dual))))
    for record in records:
        log = record.sections(11)[0]
        single, multi = (
            log["qjstio_0_qjstiotype_0_qjstiocount"],
            log["qjstio_0_qjstiotype_1_qjstiocount"],
        )
        assert log["qjstlogw"] == copies * (int(single) + int(multi))
        assert log["qjstcp2n"] == (log["qjstcp1n"] if dual else 0)


@pytest.mark.parametrize(
    ("rate", "waits"), [(1.5, False), (1.6, False), (1.7, True)], ids=["below", "at", "above"]
)
def test_transactions_wait_for_log_buffers_above_the_rate_of_a_shortage(
    rate: float, waits: bool
) -> None:
    made = queue_manager(1, log_mib_per_s=steady(rate), restart_every_days=None)
    wait_counts = [
        int(record.sections(11)[0]["qjstwtb"]) for record in records_in(log_records(part_of(made)))
    ]
    assert (max(wait_counts) > 0) is waits


def test_log_growth_and_switches_are_those_of_the_queue_manager() -> None:
    made = queue_manager(1, log_mib_per_s=steady(2.0), active_log_size_mib=1024)
    logs = [record.sections(11)[0] for record in records_in(log_records(part_of(made)))]
    assert [int(log["qjstbffl"]) for log in logs] == made.log_ci.tolist()
    size = 1024 * 2**20
    passed = int(made.rba_end[-1]) // size - int(made.rba_start[0]) // size
    assert sum(int(log["qjstllcp"]) for log in logs) == passed
    assert passed > 10


def test_every_persistent_message_is_put_and_got() -> None:
    for record in records_in(message_records(part_of(queue_manager(1)))):
        messages = record.sections(1)[0]
        assert messages["qmstput"] == messages["qmstget"] == record.sections(2)[0]["qistmput"]
        assert int(messages["qmstspp"]) + int(messages["qmstsnp"]) <= int(messages["qmstput"])


@pytest.mark.parametrize(("qsg", "names"), [("QSGA", ["APPL1", "CSQ_ADMIN"]), (None, ["", ""])])
def test_only_a_member_of_a_group_reports_structures(qsg: str | None, names: list[str]) -> None:
    [record, *_] = records_in(message_records(part_of(queue_manager(1, qsg=qsg))))
    shared = record.sections(6)[0]
    structures = [shared[f"qeststuc_{slot}_qeststr"] for slot in (0, 1)]
    assert [text(name).strip("\0") for name in structures] == names


@pytest.mark.parametrize(("level", "written"), [("8.0.0", False), ("9.0.0", True), ("9.1.0", True)])
def test_page_sets_have_a_record_from_9_0_0_on(level: str, written: bool) -> None:
    part = part_of(queue_manager(1, mq_level=level, upgrade=None))
    assert (page_set_records(part) is not None) is written


def test_each_page_set_has_its_section_and_its_pages_add_up() -> None:
    items = (
        PageSet(number=0, pages=1_000, used_pct=steady(50)),
        PageSet(number=3, buffer_pool=2, pages=2_000, used_pct=steady(100)),
    )
    records = records_in(page_set_records(part_of(queue_manager(1, page_sets=items))))
    assert len(records) == 24
    for record in records:
        sections = record.sections(1)
        assert sections["qis1psno"].tolist() == [0, 3]
        assert sections["qis1bpno"].tolist() == [0, 2]
        parts = (sections[f"qis1{name}"].astype(np.int64) for name in ("unpg", "ppg", "nppg"))
        assert sum(parts).tolist() == [1_000, 2_000]
    fewest = np.min([record.sections(1)["qis1unpg"] for record in records], axis=0)
    assert fewest.tolist() == [500, 0]


@pytest.mark.parametrize(
    ("used_pct", "asynchronous", "synchronous"),
    [(85, 0, 0), (86, 5, 0), (95, 5, 0), (96, 5, 2)],
)
def test_writes_to_page_sets_begin_below_15_and_5_percent_of_free_buffers(
    used_pct: float, asynchronous: int, synchronous: int
) -> None:
    pools = (BufferPool(number=2, buffers=1_000, used_pct=steady(used_pct)),)
    made = queue_manager(1, buffer_pools=pools, restart_every_days=None)
    records = records_in(buffer_pool_records(part_of(made)))
    busiest = records[int(np.flatnonzero(made.grid.local_hour == 10)[0])].sections(1)[0]
    assert (busiest["qpstpool"], busiest["qpstnbuf"]) == (2, 1_000)
    assert busiest["qpstcbsl"] == 1_000 - used_pct * 10
    assert (busiest["qpstdwt"], busiest["qpstdmc"]) == (asynchronous, synchronous)
