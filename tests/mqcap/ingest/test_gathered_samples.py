"""Samples gathered by figure."""

from __future__ import annotations

from datetime import UTC, datetime

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.ingest.gathered_samples import GatheredSamples
from mqcap.ingest.samples import SampleKey

MIDNIGHT = int(datetime(2026, 7, 9, tzinfo=UTC).timestamp())
KEY = SampleKey("QM1", QmgrFigure.connection_count, SampleReading.gauge)


def test_gathered_samples_come_by_figure_in_order_of_time() -> None:
    gathered: GatheredSamples[SampleKey] = GatheredSamples()
    other = KEY._replace(object="B")
    for key, time, value in ((KEY, 3, 30.0), (other, 1, 10.0), (KEY, 2, 20.0)):
        gathered.add(key, time, value, seconds=value / 10)
    first, second = gathered.figures()
    assert (first.key, list(first.reported_us), list(first.values)) == (KEY, [2, 3], [20, 30])
    assert list(first.seconds) == [2, 3]
    assert (second.key, list(second.values)) == (other, [10])


def test_a_figure_that_is_not_admitted_takes_no_memory() -> None:
    asked: list[str] = []

    def admits(key: SampleKey) -> bool:
        asked.append(key.object)
        return key.object != "B"

    gathered = GatheredSamples(admits)
    for name in "ABAB":
        gathered.add(KEY._replace(object=name), 1, 1.0)
    assert [figure.key.object for figure in gathered.figures()] == ["A"]
    assert asked == ["A", "B", "B"]
