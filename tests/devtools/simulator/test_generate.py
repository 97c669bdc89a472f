from __future__ import annotations

import itertools
import re
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
import yaml

from devtools import simulator
from devtools.simulator import EstateSpec, SimulationResult, Truth, generate, small_spec
from mqcap.domain.errors import ConfigurationError
from mqcap.settings import load_settings
from tests.devtools.simulator.reading import Record, records_of, records_of_kind

_LAST = date(2026, 3, 31)
_FIRST = _LAST - timedelta(days=19)
_SYSLOG = re.compile(
    r"^[A-Z ][A-Z ]\s?[0-9A-F]{7}\s+(\S{1,8})\s+(\d{5}|\d{7})\s+(\d\d:\d\d:\d\d\.\d\d)"
    r"\s+(\S{0,8})\s+([0-9A-F]{8})\s*(.*)$"
)


def _spec(**changes: object) -> EstateSpec:
    return small_spec().model_copy(update={"anchor_date": _LAST, **changes})


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    folder = tmp_path_factory.mktemp("estate")
    return generate(_spec(), folder, first_date=_FIRST, last_date=_LAST)


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


def test_the_same_seed_gives_the_same_bytes(estate: SimulationResult, tmp_path: Path) -> None:
    again = generate(_spec(), tmp_path, first_date=_FIRST, last_date=_LAST)
    for one, two in zip(
        [*estate.dumps, *estate.console_logs, estate.truth_file, estate.settings_file],
        [*again.dumps, *again.console_logs, again.truth_file, again.settings_file],
        strict=True,
    ):
        assert one.read_bytes() == two.read_bytes()


def test_another_seed_gives_other_bytes(estate: SimulationResult, tmp_path: Path) -> None:
    other = generate(_spec(seed=8), tmp_path, first_date=_LAST, last_date=_LAST)
    assert other.dumps[-1].read_bytes() != estate.dumps[-1].read_bytes()


def test_a_day_is_the_same_whatever_range_it_is_part_of(
    estate: SimulationResult, tmp_path: Path
) -> None:
    alone = generate(_spec(), tmp_path, first_date=_LAST, last_date=_LAST)
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
    history = {(115, 1), (115, 201), (115, 215), (115, 231), (74, 4)}
    assert kinds[0] - {(2, 0), (3, 0)} == history
    assert kinds[1] - {(2, 0), (3, 0)} == history | {(115, 2), (116, 10)}


def _log_bytes(records: list[Record]) -> dict[date, int]:
    found: dict[date, int] = defaultdict(int)
    for record in records:
        start, _ = record.interval_us
        # the product header carries the offset valid at the end of the interval
        day = np.datetime64(start, "us").astype("datetime64[D]").astype(date)
        found[day] += int(record.sections(11)[0]["qjstbffl"]) * 4096
    return dict(found)


@pytest.mark.parametrize("qmgr", ["MQA1", "MQA2"])
def test_log_bytes_of_each_day_are_those_of_the_truth(estate: SimulationResult, qmgr: str) -> None:
    records = records_of_kind(list(estate.dumps), (115, 1), qmgr)
    truth = Truth.model_validate_json(estate.truth_file.read_text("utf-8"))
    assert truth == estate.truth
    assert _log_bytes(records) == truth.log_bytes[f"PLEXA/{qmgr}"]


def test_log_records_agree_with_themselves(estate: SimulationResult) -> None:
    for record in records_of_kind(list(estate.dumps), (115, 1), "MQA1"):
        log = record.sections(11)[0]
        names = [f"qjstio_{copy}_qjstiotype_{kind}_qjstio" for copy in (0, 1) for kind in (0, 1)]
        assert log["qjstciwr"] == sum(int(log[f"{name}ci"]) for name in names)
        assert log["qjstlogw"] == sum(int(log[f"{name}count"]) for name in names)
        assert log["qjstll"] == record.triplet(11)[1] == 720


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
    spec = small_spec().model_copy(update={"anchor_date": last, "daily_dump_days": 3})
    made = generate(spec, tmp_path, first_date=date(2025, 10, 26), last_date=last)
    records = records_of_kind([made.dumps[0]], (74, 4), "RMF")
    ends = sorted({int(record.sections(0)[0]["smf74gie"]) >> 12 for record in records})
    assert len(ends) == 25
    assert {after - before for before, after in itertools.pairwise(ends)} == {3_600_000_000}
    local = [record.local_us // 3_600_000_000 % 24 for record in records if record.smfid == "TST1"]
    assert local.count(2) == 2 * 2
    assert local.count(3) == 2


def test_engines_of_a_coupling_facility_are_busy_or_waiting(estate: SimulationResult) -> None:
    for record in records_of_kind(list(estate.dumps), (74, 4), "RMF"):
        name = record.sections(1)[0]["r744fnam"].decode("cp037").strip()
        engines = record.sections(6)
        assert len(engines) == {"CFA1": 1, "CFA2": 2}[name]
        total = engines["r744pbsy"].astype(np.int64) + engines["r744pwai"]
        assert total.tolist() == [3_600_000_000] * len(engines)


def test_every_system_reports_the_same_engines(estate: SimulationResult) -> None:
    seen: dict[tuple[int, str], set[bytes]] = defaultdict(set)
    for record in records_of_kind(list(estate.dumps), (74, 4), "RMF"):
        name = record.sections(1)[0]["r744fnam"].decode("cp037")
        seen[record.local_us, name].add(record.sections(6).tobytes())
    assert {len(found) for found in seen.values()} == {1}


def test_console_storage_is_that_of_the_records(estate: SimulationResult) -> None:
    records = records_of_kind(list(estate.dumps), (115, 231), "MQA2")
    used = [int(record.sections(1)[0]["qcctstus"]) for record in records]
    text = "".join(
        path.read_text("ascii") for path in sorted(estate.console_logs, key=lambda p: len(p.name))
    )
    pattern = r"CSQX004I \+MQA2 .* is using (\d+) MB of local storage, (\d+) MB are free"
    found = [(int(one), int(two)) for one, two in re.findall(pattern, text)]
    assert [one for one, _ in found] == used
    assert {one + two for one, two in found} == {1588}


KNOWN_MESSAGES = ("CSQX004I", "CSQJ001I", "CSQJ002I", "CSQE120I", "CSQE121I")


def test_console_lines_have_the_hardcopy_form(estate: SimulationResult) -> None:
    for path in estate.console_logs:
        for line in path.read_text("ascii").splitlines():
            if line.startswith("S"):
                continue
            match = _SYSLOG.match(line)
            assert match is not None, line
            assert match.group(1) in {"TST1", "TST2"}
            assert match.group(6).startswith(tuple(f"{known} +MQA" for known in KNOWN_MESSAGES))


def test_log_switches_follow_the_growth_of_the_log(estate: SimulationResult) -> None:
    text = "".join(path.read_text("ascii") for path in estate.console_logs if "TST1" in path.name)
    pattern = r"CSQJ001I \+MQA1 CURRENT COPY 1 .*\nS\s+STARTRBA=(\w+) ENDRBA=(\w+)"
    ranges = [(int(one, 16), int(two, 16)) for one, two in re.findall(pattern, text)]
    assert len(ranges) > 100
    size = 1024 * 2**20
    assert all(end - start + 1 == size and start % size == 0 for start, end in ranges)
    assert all(two[0] - one[0] == size for one, two in itertools.pairwise(ranges))
    switched = sum(
        int(record.sections(11)[0]["qjstcp1n"])
        for record in records_of_kind(list(estate.dumps), (115, 1), "MQA1")
        if record.local_us > records_of_local(_LAST - timedelta(days=9))
    )
    assert abs(len(ranges) - switched) <= 2 * 24


def records_of_local(day: date) -> int:
    return int(np.datetime64(day, "us").astype(np.int64))


def test_the_settings_file_describes_the_estate(
    estate: SimulationResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(estate.settings_file))
    plex = load_settings().estate[0]
    assert plex.sysplex == "PLEXA"
    assert plex.smfids == ("TST1", "TST2")
    assert [qmgr.active_log_size_mib for qmgr in plex.qmgrs] == [1024, 2048]


def test_blocked_daily_dumps_hold_the_records_of_unblocked_ones(
    estate: SimulationResult, tmp_path: Path
) -> None:
    plex = small_spec().sysplexes[0].model_copy(update={"daily_framing": "bdw"})
    made = generate(_spec(sysplexes=(plex,)), tmp_path, first_date=_LAST, last_date=_LAST)
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


def test_the_estate_can_be_described_in_a_file(tmp_path: Path) -> None:
    document = simulator.sample_spec().model_dump(mode="json")
    file = tmp_path / "estate.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    assert simulator.load_spec(file) == simulator.sample_spec()


def test_a_wrong_key_is_named(tmp_path: Path) -> None:
    file = tmp_path / "estate.yaml"
    file.write_text("seed: 1\nsysplexes: [{name: P, systems: [{smfid: A, name: A}], qmgr: 1}]\n")
    with pytest.raises(ConfigurationError, match=r"sysplexes\.0\.qmgr: Extra inputs"):
        simulator.load_spec(file)


def test_a_missing_estate_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        simulator.load_spec(tmp_path / "none.yaml")


def test_an_empty_range_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to simulate"):
        generate(_spec(), tmp_path, first_date=_LAST, last_date=_FIRST)


def test_an_upgrade_comes_with_the_first_start_from_its_day_on_and_only_once(
    tmp_path: Path,
) -> None:
    first = _LAST - timedelta(days=89)
    made = generate(_spec(), tmp_path, first_date=first, last_date=_LAST)
    records = records_of_kind(list(made.dumps), (115, 1), "MQA1")
    stated = [(record.data[24:27].decode("cp037"), record.triplet(11)[1]) for record in records]
    assert [level for level, _ in itertools.groupby(stated)] == [("935", 596), ("945", 720)]
    starts = [record.interval_us[0] for record in records]
    at = stated.index(("945", 720))
    before = records[at - 1].interval_us
    assert starts[at] > sum(before)  # it was down in between
