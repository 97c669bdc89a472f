"""Answers about z/OS are read, and tell pages and buffers as SMF does."""

from __future__ import annotations

from pathlib import Path

from devtools.simulator.monitor.monitor_files import zos_answer
from devtools.simulator.mq_statistics import buffer_pool_records, page_set_records
from tests.devtools.simulator.monitor.builders import sampled, samples_of
from tests.devtools.simulator.reading import records_in


def test_the_samples_of_an_interval_are_the_counts_of_its_records(tmp_path: Path) -> None:
    part = sampled()
    found = samples_of(zos_answer(part), tmp_path)
    pools = [record.sections(1)[0] for record in records_in(buffer_pool_records(part))]
    assert found["BP00", "buffers_free_count"][3::4] == [pool["qpstcbs"] for pool in pools]
    assert set(found["BP00", "buffers_total_count"]) == {pools[0]["qpstnbuf"]}
    sets = [record.sections(1)[1] for record in records_in(page_set_records(part))]
    assert found["PS03", "pages_unused_count"][::4] == [item["qis1unpg"] for item in sets]
    assert set(found["PS03", "pages_total_count"]) == {sets[0]["qis1topg"]}
    assert len(found) == 6
