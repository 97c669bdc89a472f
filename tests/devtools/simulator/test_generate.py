"""The files of an estate: periods, order of the records, the same bytes for the same seed."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from devtools.simulator import SimulationResult, Truth, generate
from devtools.simulator.events import LostRecords
from devtools.simulator.generate import periods_of
from devtools.simulator.senders import Sender
from devtools.simulator.spec import (
    ConfiguredFacts,
    ManagerFeatures,
    MonitorKind,
    SharedMessageDataSet,
    small_spec,
)
from devtools.simulator.write_sample import write_sample
from mqcap.domain.errors import ConfigurationError
from tests.devtools.simulator.builders import FIRST, LAST, estate_spec, plex_spec
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


@pytest.mark.thorough
@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 100), st.integers(0, 120))
def test_periods_hold_every_day_once(first: date, more_days: int, daily_days: int) -> None:
    last = first + timedelta(days=more_days)
    periods = list(periods_of(first, last, daily_days))
    held = [
        period.first + timedelta(days=number)
        for period in periods
        for number in range((period.last - period.first).days + 1)
    ]
    assert held == [first + timedelta(days=number) for number in range(more_days + 1)]
    assert sum(period.is_daily for period in periods) == min(daily_days, more_days + 1)


def test_the_estate_is_one_dump_per_month_and_then_one_per_day(estate: SimulationResult) -> None:
    assert [path.name for path in estate.dumps] == [
        "PLEXA.2026-03.smf",
        "PLEXA.2026-03-30.smf",
        "PLEXA.2026-03-31.smf",
    ]
    assert {path.name for path in estate.console_logs} == {
        f"PLEXA.{system}.{period}.log"
        for system in ("TST1", "TST2")
        for period in ("2026-03", "2026-03-30", "2026-03-31")
    }


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_bytes(estate: SimulationResult, tmp_path: Path) -> None:
    again = generate(estate_spec(), tmp_path, first_date=FIRST, last_date=LAST)
    for before, after in zip(
        [*estate.dumps, *estate.console_logs, estate.truth_file, estate.settings_file],
        [*again.dumps, *again.console_logs, again.truth_file, again.settings_file],
        strict=True,
    ):
        assert before.read_bytes() == after.read_bytes()


def test_another_seed_gives_other_bytes(estate: SimulationResult, tmp_path: Path) -> None:
    other = generate(estate_spec(seed=8), tmp_path, first_date=LAST, last_date=LAST)
    assert other.dumps[-1].read_bytes() != estate.dumps[-1].read_bytes()


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


def test_the_archived_months_leave_the_detail_to_the_daily_dumps(estate: SimulationResult) -> None:
    kinds = [{record.kind for record in records_of(path)} for path in estate.dumps]
    history = {(115, 1), (115, 2), (115, 201), (115, 215), (115, 231), (74, 4)}
    assert kinds[0] - {(2, 0), (3, 0)} == history
    assert kinds[1] - {(2, 0), (3, 0)} == history | {(116, 10)}


def test_statistics_of_calls_are_in_the_months_of_a_group_and_in_each_day_once(
    tmp_path: Path,
) -> None:
    plex = plex_spec()
    first, second = plex.qmgrs
    sender = Sender(queue="PAY.IN", application="PAYAPP")
    plex = plex.model_copy(
        update={"qmgrs": (first.model_copy(update={"senders": (sender,)}), second)}
    )
    spec = estate_spec(sysplexes=(plex,), sender_days=3, history_days=5)
    made = generate(spec, tmp_path, first_date=LAST - timedelta(days=4), last_date=LAST)
    month, *days = (
        [record.owner for record in records_of(path) if record.kind == (115, 2)]
        for path in made.dumps
    )
    assert set(month) == {"MQA1", "MQA2"}
    assert all(20 < hours <= 24 for hours in Counter(month).values()), "one day, perhaps a restart"
    assert all(Counter(day) == {"MQA1": 24, "MQA2": 24} for day in days)


def _log_bytes(records: list[Record]) -> dict[date, int]:
    by_day: dict[date, int] = defaultdict(int)
    for record in records:
        start, _ = record.interval_us
        # the product header carries the offset valid at the end of the interval
        day = np.datetime64(start, "us").astype("datetime64[D]").astype(date)
        by_day[day] += int(record.sections(11)[0]["qjstbffl"]) * 4096
    return dict(by_day)


@pytest.mark.parametrize("qmgr", ["MQA1", "MQA2"])
def test_log_bytes_of_each_day_are_those_of_the_truth(estate: SimulationResult, qmgr: str) -> None:
    records = records_of_kind(list(estate.dumps), (115, 1), qmgr)
    truth = Truth.model_validate_json(estate.truth_file.read_text("utf-8"))
    assert truth == estate.truth
    assert _log_bytes(records) == truth.log_bytes[f"PLEXA/{qmgr}"]


def test_interval_start_and_length_add_up_to_the_header_time(estate: SimulationResult) -> None:
    for kind in ((115, 1), (115, 231)):
        for record in records_of_kind(list(estate.dumps), kind, "MQA1"):
            start, length = record.interval_us
            assert abs(start + length - record.local_us) <= 20_000


def test_the_spring_day_has_23_hours_and_the_right_utc(estate: SimulationResult) -> None:
    records = records_of_kind(list(estate.dumps), (74, 4), "RMF")
    assert {(record.sections(0)[0]["smf74lgo"] >> 12) // 60_000_000 for record in records} == {
        60,
        120,
    }
    day = [
        record
        for record in records_of_kind(list(estate.dumps), (115, 1), "MQA2")
        if np.datetime64("2026-03-29T00") < np.datetime64(record.local_us, "us")
        <= np.datetime64("2026-03-30T00")
    ]  # fmt: skip
    offsets = [round((record.local_us - record.built_utc_us) / 60e6) for record in day]
    assert len(day) in {23, 24}  # 24 when a restart cuts an hour in two
    assert sorted(set(offsets)) == [60, 120]
    ends = [record.built_utc_us for record in day]
    lengths = [record.interval_us[1] for record in day]
    assert sum(lengths) <= 23 * 3_600_000_000
    assert all(after > before for before, after in itertools.pairwise(ends))


def test_the_autumn_hour_that_happens_twice_is_written_twice(tmp_path: Path) -> None:
    last = date(2025, 10, 27)
    spec = estate_spec(anchor_date=last, daily_dump_days=3)
    made = generate(spec, tmp_path, first_date=date(2025, 10, 26), last_date=last)
    records = records_of_kind([made.dumps[0]], (74, 4), "RMF")
    ends = sorted({int(record.sections(0)[0]["smf74gie"]) >> 12 for record in records})
    assert len(ends) == 25
    assert {after - before for before, after in itertools.pairwise(ends)} == {3_600_000_000}
    local = [record.local_us // 3_600_000_000 % 24 for record in records if record.smfid == "TST1"]
    assert local.count(2) == 2 * 2
    assert local.count(3) == 2


def test_blocked_daily_dumps_hold_the_records_of_unblocked_ones(
    estate: SimulationResult, tmp_path: Path
) -> None:
    plex = plex_spec(daily_framing="bdw")
    made = generate(estate_spec(sysplexes=(plex,)), tmp_path, first_date=LAST, last_date=LAST)
    data, place, body = made.dumps[-1].read_bytes(), 0, b""
    while place < len(data):
        length = int.from_bytes(data[place : place + 2], "big")
        body += data[place + 4 : place + length]
        place += length
    records, pieces = [], b""
    place = 0
    while place < len(body):
        length = int.from_bytes(body[place : place + 2], "big")
        pieces += body[place + 4 : place + length]
        if body[place + 2] in {0, 2}:
            records.append(pieces)
            pieces = b""
        place += length
    assert records == [record.data[4:] for record in records_of(estate.dumps[-1])]


def test_an_empty_range_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to simulate"):
        generate(estate_spec(), tmp_path, first_date=LAST, last_date=FIRST)


@pytest.mark.thorough
def test_an_upgrade_comes_with_the_first_start_from_its_day_on_and_only_once(
    tmp_path: Path,
) -> None:
    first = LAST - timedelta(days=89)
    made = generate(estate_spec(), tmp_path, first_date=first, last_date=LAST)
    records = records_of_kind(list(made.dumps), (115, 1), "MQA1")
    stated = [(record.data[24:27].decode("cp037"), record.triplet(11)[1]) for record in records]
    assert [level for level, _ in itertools.groupby(stated)] == [("935", 596), ("945", 720)]
    starts = [record.interval_us[0] for record in records]
    at = stated.index(("945", 720))
    before = records[at - 1].interval_us
    assert starts[at] > sum(before)  # it was down in between


def test_a_lost_hour_is_missing_in_the_records_and_in_the_truth_and_is_sampled(
    estate: SimulationResult, tmp_path: Path
) -> None:
    plex = plex_spec()
    lost = LostRecords(day_offset=0, start_local="10:00", minutes=60)
    first = plex.qmgrs[0].model_copy(
        update={"lost_records": (lost,), "sampled_by": MonitorKind.omegamon}
    )
    spec = estate_spec(sysplexes=(plex.model_copy(update={"qmgrs": (first, plex.qmgrs[1])}),))
    made = generate(spec, tmp_path, first_date=LAST, last_date=LAST)
    counts = [
        len(records_of_kind([result.dumps[-1]], (115, 1), "MQA1")) for result in (made, estate)
    ]
    assert counts == [23, 24]
    assert made.truth.log_bytes["PLEXA/MQA1"][LAST] < estate.truth.log_bytes["PLEXA/MQA1"][LAST]
    [lines] = made.monitor_files
    assert "T10:30:00.000000000+02:00" in lines.read_text(encoding="utf-8")
    assert made.console_logs[0].read_bytes() == estate.console_logs[-2].read_bytes()


LAST_OF_WRITE_SAMPLE = date(2026, 3, 4)


@pytest.fixture
def spec_file(tmp_path: Path) -> Path:
    file = tmp_path / "estate.yaml"
    file.write_text(yaml.safe_dump(small_spec().model_dump(mode="json")), encoding="utf-8")
    return file


@pytest.mark.parametrize(("days", "first"), [(1, date(2026, 3, 4)), (5, date(2026, 2, 28))])
def test_the_last_day_is_one_of_the_days(
    tmp_path: Path, spec_file: Path, days: int, first: date
) -> None:
    made = write_sample(
        tmp_path / "out", last_date=LAST_OF_WRITE_SAMPLE, days=days, spec_file=spec_file
    )
    assert (made.truth.first_date, made.truth.last_date) == (first, LAST_OF_WRITE_SAMPLE)
    assert [len(by_day) for by_day in made.truth.log_bytes.values()] == [days, days]


@pytest.mark.thorough
def test_without_a_file_it_is_the_sample_estate(tmp_path: Path) -> None:
    made = write_sample(tmp_path / "out", last_date=LAST_OF_WRITE_SAMPLE, days=1)
    assert {name.partition("/")[0] for name in made.truth.log_bytes} == {"PLEX1", "PLEX2"}


def test_no_days_are_refused_before_anything_is_written(tmp_path: Path, spec_file: Path) -> None:
    with pytest.raises(ConfigurationError, match="2026-03-05 to 2026-03-04"):
        write_sample(tmp_path / "out", last_date=LAST_OF_WRITE_SAMPLE, days=0, spec_file=spec_file)
    assert not (tmp_path / "out").exists()


def test_a_queue_manager_uses_none_of_them_by_default() -> None:
    plain = ManagerFeatures()
    assert plain.zhyperlink_write_us is None
    assert plain.shared_message_data_set is None
    assert (plain.steals_per_get_page, plain.dynamic_queues_per_h, plain.redrive_ratio) == (0, 0, 0)


@pytest.mark.parametrize(("ratio", "accepted"), [(-0.1, False), (0, True), (1, True), (1.1, False)])
def test_a_ratio_is_from_0_to_1(ratio: float, accepted: bool) -> None:
    values = {"structure": "APPL1", "used_ratio": ratio}
    if accepted:
        assert SharedMessageDataSet.model_validate(values).used_ratio == ratio
        return
    with pytest.raises(ValidationError, match="used_ratio"):
        SharedMessageDataSet.model_validate(values)


def test_keys_of_logs_channels_and_applications_may_be_configured() -> None:
    facts = ConfiguredFacts(maxarch=500, ecsa_free_mib=100, ims_bridge_queues=("IMS.IN",))
    assert facts.model_dump(exclude_none=True) == {
        "maxarch": 500,
        "ecsa_free_mib": 100,
        "ims_bridge_queues": ("IMS.IN",),
    }
    with pytest.raises(ValidationError, match="ims_bridge_queues"):
        ConfiguredFacts(ims_bridge_queues=("not a queue",))
