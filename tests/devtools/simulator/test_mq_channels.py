"""Records of a simulated channel initiator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from devtools.simulator.mq_channels import channel_records, chinit_records
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import ChannelPartner
from devtools.simulator.spec import ChannelInitiator, sample_spec
from tests.devtools.simulator.builders import part_of, queue_manager, steady
from tests.devtools.simulator.reading import records_in, text


def part(**changed: Any) -> Slice:
    return part_of(queue_manager(1, **{"channels": steady(2_000), **changed}))


def test_storage_and_channels_are_those_of_the_queue_manager() -> None:
    complete = part()
    control = [record.sections(1)[0] for record in records_in(chinit_records(complete))]
    assert [
        int(row["qcctstus"]) for row in control
    ] == complete.qmgr.storage.used_31bit_mib.tolist()
    assert [
        int(row["qcctstab"]) for row in control
    ] == complete.qmgr.storage.used_64bit_mib.tolist()
    assert [int(row["qcctnocc"]) for row in control] == complete.qmgr.channels.tolist()
    assert (text(control[0]["qcctjobn"]), text(control[0]["qcctqsgn"])) == ("MQA1CHIN", "QSGA")


@pytest.mark.parametrize(("limit_mib", "written"), [(2_048, 2_048), (None, 17_592_186_040_320)])
def test_no_limit_above_the_bar_is_written_as_the_largest(
    limit_mib: float | None, written: int
) -> None:
    chinit = ChannelInitiator(limit_64bit_mib=limit_mib)
    [first, *_] = records_in(chinit_records(part(chinit=chinit)))
    assert first.sections(1)[0]["qcctslim"] == written


def test_every_task_is_busy_or_waiting_for_all_of_its_interval() -> None:
    chinit = ChannelInitiator(dispatchers=3, adapters=4)
    for record in records_in(chinit_records(part(chinit=chinit))):
        assert [record.triplet(number)[2] for number in (1, 2, 3, 4, 5)] == [1, 3, 4, 0, 1]
        length_us = record.interval_us[1]
        for number in (2, 3, 5):
            tasks = record.sections(number)
            total = tasks["qcteltm"].astype(np.float64) + tasks["qctwttm"]
            assert (total / (4096 if tasks.dtype["qcteltm"].kind == "u" else 1)).tolist() == (
                [length_us] * len(tasks)
            )


def test_channels_are_shared_among_the_dispatchers() -> None:
    complete = part(chinit=ChannelInitiator(dispatchers=3))
    for record, channels in zip(
        records_in(chinit_records(complete)), complete.qmgr.channels.tolist(), strict=True
    ):
        assert record.sections(2)["qctchln"].tolist() == [channels // 3] * 3


@pytest.mark.parametrize(("unused", "busy"), [(0, 3), (1, 2), (3, 0)])
def test_unused_adapters_have_no_requests(unused: int, busy: int) -> None:
    chinit = ChannelInitiator(adapters=3, adapters_unused=unused)
    for record in records_in(chinit_records(part(chinit=chinit))):
        requests = record.sections(3)["qctreqn"]
        assert (requests > 0).tolist() == [True] * busy + [False] * unused


@pytest.mark.parametrize("count", [0, 3])
def test_tls_tasks_have_sections_where_there_are_any(count: int) -> None:
    chinit = ChannelInitiator(tls_tasks=count)
    first, *_ = records_in(chinit_records(part(chinit=chinit)))
    assert first.triplet(4)[2] == count
    if count:
        assert (first.sections(4)["qcteltm"] > 0).tolist() == [True] * count


def test_a_task_is_busier_with_more_channels_but_never_all_of_the_time() -> None:
    few, many, most = (
        int(records_in(chinit_records(part(channels=steady(count))))[10].sections(2)["qctreqn"][0])
        for count in (1_000, 2_000, 9_999)
    )
    assert many == pytest.approx(2 * few, rel=0.01)
    assert most * 180 < 3_600_000_000 * 0.99


def test_the_busiest_channels_have_their_names_and_the_interval_as_their_time() -> None:
    complete = part()
    records = records_in(channel_records(complete))
    assert len(records) == len(complete)
    sections = records[10].sections(1)
    assert [text(name) for name in sections["qcstchnm"]] == [
        f"MQA1.TO.PARTNER{number:02d}" for number in range(12)
    ]
    channels = int(complete.qmgr.channels[10])
    assert sections["qcstnmsg"].tolist() == [channels * 900 // (1 + place) for place in range(12)]
    assert (sections["qcstnpmg"] <= sections["qcstnmsg"]).all()


def test_the_busiest_channels_lead_to_the_partners_of_the_specification() -> None:
    partners = (
        ChannelPartner(qmgr="MQA2"),
        ChannelPartner(qmgr="MQA3", message_bytes=65_536, persistent_pct=50),
    )
    sections = records_in(channel_records(part(partners=partners)))[10].sections(1)[:3]
    assert [text(row["qcstchnm"]) for row in sections] == [
        "MQA1.TO.MQA2", "MQA1.TO.MQA3", "MQA1.TO.PARTNER02",
    ]  # fmt: skip
    assert [text(row["qcstrqmn"]) for row in sections] == ["MQA2", "MQA3", "PARTNER02"]
    sizes = [int(row["qcstnbyt"]) / int(row["qcstnmsg"]) for row in sections]
    assert sizes == [2_048, 65_536, 2_048]
    shares = [int(row["qcstnpmg"]) / int(row["qcstnmsg"]) for row in sections]
    assert shares == pytest.approx([0, 0.5, 0.2])


def test_channels_of_the_sample_lead_there_and_back_within_its_sysplex() -> None:
    [plex, *_] = sample_spec().sysplexes
    pairs = {(qmgr.name, each.qmgr) for qmgr in plex.qmgrs for each in qmgr.partners}
    assert {("CSQ1", "CSQ2"), ("CSQ2", "CSQ1")} <= pairs
    assert {name for pair in pairs for name in pair} <= {qmgr.name for qmgr in plex.qmgrs}
