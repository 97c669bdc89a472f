"""The files of an estate: periods, order of the records, the same bytes for the same seed."""

import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from devtools.simulator import SimulationResult, Truth, generate
from devtools.simulator.generate import periods_of
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import dtype_of, layouts
from tests.devtools.simulator.builders import FIRST, LAST, estate_spec
from tests.mqcap.ingest.reading import read_all


@pytest.mark.parametrize(
    ("daily_days", "names"),
    [
        (0, ["2026-01", "2026-02", "2026-03"]),
        (2, ["2026-01", "2026-02", "2026-03-01", "2026-03-02"]),
        (3, ["2026-01", "2026-02", "2026-02-28", "2026-03-01", "2026-03-02"]),
    ],
)
def test_the_last_days_are_single_and_months_end_before_them(
    daily_days: int, names: list[str]
) -> None:
    periods = periods_of(date(2026, 1, 30), date(2026, 3, 2), daily_days)
    assert [period.name for period in periods] == names


def test_a_day_is_the_same_whatever_range_it_is_part_of(
    estate: SimulationResult, tmp_path: Path
) -> None:
    alone = generate(estate_spec(), tmp_path, first_date=LAST, last_date=LAST)
    assert alone.dumps[-1].read_bytes() == estate.dumps[-1].read_bytes()
    assert alone.console_logs[-1].read_bytes() == estate.console_logs[-1].read_bytes()


def records_of(path: Path) -> Iterator[bytes]:
    data, place = path.read_bytes(), 0
    while place < len(data):
        (length,) = struct.unpack_from(">H", data, place)
        yield data[place : place + length]
        place += length


def built(record: bytes) -> int:
    """Return the TOD clock of the product header."""
    offset, length, _ = struct.unpack_from(">IHH", record, 28)
    head = np.frombuffer(record, dtype_of(layouts()["QWHS"], length), 1, offset)
    return int(head["qwhsstck"][0])


def test_a_dump_begins_with_type_2_ends_with_type_3_and_is_in_order_of_time(
    estate: SimulationResult,
) -> None:
    counted = 0
    for path in estate.dumps:
        first, *records, last = records_of(path)
        assert (first[5], last[5]) == (2, 3)
        kinds = {record[5] for record in records}
        assert kinds == {74, 115, *((116,) if "03-3" in path.name else ())}
        ends = [built(record) for record in records if record[5] != 74]
        assert ends == sorted(ends)
        counted += len(records) + 2
    assert counted == estate.record_count


def test_log_bytes_of_each_day_are_those_of_the_truth(estate: SimulationResult) -> None:
    truth = Truth.model_validate_json(estate.truth_file.read_text("utf-8"))
    assert truth == estate.truth
    by_day: dict[str, Counter[date]] = defaultdict(Counter)
    for path in estate.dumps:
        for row in read_all(path).tables["section_qjst"].to_pylist():
            day = row["interval_start_utc"].astimezone(ZoneInfo("Europe/Copenhagen")).date()
            by_day[f"PLEXA/{row['qmgr']}"][day] += row["qjstbffl"] * 4096
    assert by_day == truth.log_bytes


def test_an_empty_range_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to simulate"):
        generate(estate_spec(), tmp_path, first_date=LAST, last_date=FIRST)
