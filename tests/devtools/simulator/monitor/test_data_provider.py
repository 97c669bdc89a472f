"""Lines of Data Provider are read, and tell what SMF tells of the same intervals."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from devtools.simulator.monitor.data_provider import OTHER_CONNECTIONS, data_provider_lines
from devtools.simulator.mq_statistics import buffer_pool_records, page_set_records
from mqcap.ingest.omegamon.lines import known_fields
from tests.devtools.simulator.monitor.builders import sampled, samples_of
from tests.devtools.simulator.reading import records_in


def test_every_line_has_only_fields_of_its_table() -> None:
    rows = [json.loads(line) for line in data_provider_lines(sampled()).splitlines()]
    assert len(rows) == 96 * 5
    for row in rows:
        assert row.keys() <= known_fields()[row["table_name"]]
    assert rows[0]["write_time"] == "2026-03-16T00:15:00.000000000+01:00"
    assert rows[-1]["write_time"] == "2026-03-17T00:00:00.000000000+01:00"


def test_the_samples_of_an_interval_are_the_figures_of_its_records(tmp_path: Path) -> None:
    part = sampled()
    found = samples_of(data_provider_lines(part).encode(), tmp_path)
    pools = [record.sections(1)[0] for record in records_in(buffer_pool_records(part))]
    used = [100 * (1 - pool["qpstcbs"] / pool["qpstnbuf"]) for pool in pools for _ in range(4)]
    assert found["BP00", "buffer_pool_used_pct"] == pytest.approx(used)
    sets = [record.sections(1)[1] for record in records_in(page_set_records(part))]
    used = [100 * (1 - item["qis1unpg"] / item["qis1topg"]) for item in sets for _ in range(4)]
    assert found["PS03", "page_set_used_pct"] == pytest.approx(used, abs=0.5)


def test_channels_and_connections_are_those_of_the_interval(tmp_path: Path) -> None:
    part = sampled()
    found = samples_of(data_provider_lines(part).encode(), tmp_path)
    channels = np.repeat(part.of(part.qmgr.channels), 4)
    assert found["", "connection_count"] == (channels + OTHER_CONNECTIONS).tolist()
    most = part.qmgr.spec.chinit.max_channels
    assert found["", "channels_used_pct"] == pytest.approx((100 * channels / most).tolist())


def test_the_log_fills_and_begins_anew_with_each_switch(tmp_path: Path) -> None:
    part = sampled()
    full = samples_of(data_provider_lines(part).encode(), tmp_path)["", "active_log_used_pct"]
    size = 1_024 * 2**20
    switches = int(part.qmgr.rba_end[-1]) // size - int(part.qmgr.rba_start[0]) // size
    assert 1 <= sum(after < before for before, after in pairwise(full)) <= switches
    assert all(0 <= each < 100 for each in full)
