"""The files of an estate: periods, order of the records, the same bytes for the same seed."""

from collections import defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from devtools.simulator import SimulationResult, Truth, generate
from devtools.simulator.generate import periods_of
from mqcap.domain.errors import ConfigurationError
from tests.devtools.simulator.builders import FIRST, LAST, estate_spec
from tests.devtools.simulator.reading import Record, records_of, records_of_kind


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


def test_a_dump_begins_with_type_2_ends_with_type_3_and_is_in_order_of_time(
    estate: SimulationResult,
) -> None:
    for path in estate.dumps:
        records = list(records_of(path))
        kinds = [record.kind[0] for record in records]
        assert (kinds[0], kinds[-1]) == (2, 3)
        assert set(kinds[1:-1]) == {74, 115, *((116,) if "03-3" in path.name else ())}
        ends = [record.built_utc_us for record in records[1:-1] if record.kind[0] != 74]
        assert ends == sorted(ends)
    counted = sum(1 for path in estate.dumps for _ in records_of(path))
    assert counted == estate.record_count


def _log_bytes(records: list[Record]) -> dict[date, int]:
    by_day: dict[date, int] = defaultdict(int)
    for record in records:
        start = record.start_local_us
        # the product header carries the offset valid at the end of the interval
        day = np.datetime64(start, "us").astype("datetime64[D]").astype(date)
        by_day[day] += int(record.section(11, "QJST")["qjstbffl"]) * 4096
    return dict(by_day)


@pytest.mark.parametrize("qmgr", ["MQA1", "MQA2"])
def test_log_bytes_of_each_day_are_those_of_the_truth(estate: SimulationResult, qmgr: str) -> None:
    records = records_of_kind(list(estate.dumps), (115, 1), qmgr)
    truth = Truth.model_validate_json(estate.truth_file.read_text("utf-8"))
    assert truth == estate.truth
    assert _log_bytes(records) == truth.log_bytes[f"PLEXA/{qmgr}"]


def test_an_empty_range_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to simulate"):
        generate(estate_spec(), tmp_path, first_date=LAST, last_date=FIRST)
