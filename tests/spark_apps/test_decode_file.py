"""Decoding of one landed file: its rows, its manifest, and what is left when it fails."""

import gzip
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from devtools.simulator.encode.framing import write_dump
from mqcap.lake.manifest import Manifest, manifests, read_manifest, write_manifest
from spark_apps import decode_file as module
from spark_apps.decode import pending
from spark_apps.decode_file import DECODER_VERSION, DecodeOptions, decode_file
from tests.mqcap.ingest.console.samples import hardcopy
from tests.mqcap.ingest.distributed_inputs import INPUTS
from tests.mqcap.ingest.dumps import mq_dump_records, small_dump, with_markers
from tests.mqcap.ingest.prometheus.answers import answer, series, written
from tests.spark_apps.lakes import land

DAY: Final = date(2025, 3, 10)
CORRUPT_BYTES: Final = 1_382
"""What is left of the last record of a small dump without its last 100 bytes, as quarantined."""

CUT_BYTES: Final = 42_104
"""Content of a small dump without its last 100 bytes."""


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


def decoded(lake: Path, file: Path, max_ratio: float = 0.0, **options: Any) -> Manifest:
    """Land a file, and decode what has no manifest yet."""
    land(lake, [file])
    [landed] = pending(lake)
    return decode_file(landed, DecodeOptions(lake, max_ratio, **options))


def tables(lake: Path) -> dict[Path, pa.Table]:
    """Return the rows of each file of the lake."""
    return {
        file.relative_to(lake): pq.read_table(file, partitioning=None)
        for file in lake.glob("*/*/*.parquet")
    }


def cut_short(folder: Path) -> Path:
    """Return a small dump whose last record is not complete."""
    file = folder / "cut.smf"
    file.write_bytes(small_dump(folder).read_bytes()[:-100])
    return file


def syslog(folder: Path, *local_times: str) -> Path:
    """Return a hardcopy log of one storage message at each time of 2025-03-10."""
    message = (
        "N 0000000 PRD1     2025069 {}.00 MQP1CHIN 00000090  CSQX004I +MQP1 CSQXSTOR Channel "
        "initiator is using 131 MB of local storage, 1457 MB are free\n"
    )
    file = folder / "syslog.log"
    file.write_text("".join(message.format(time) for time in local_times))
    return file


@pytest.mark.thorough
def test_the_manifest_states_what_the_dump_holds(lake: Path, tmp_path: Path) -> None:
    made = decoded(lake, small_dump(tmp_path))
    assert (made.source, made.framing, made.decoder_version) == ("smf", "rdw", DECODER_VERSION)
    assert made.problem is None
    assert made.bytes == {
        "content": 42_204, "decoded": 42_168, "skipped": 36, "quarantined": 0,
    }  # fmt: skip
    assert (made.records, made.smfids, made.sysplex_by_smfid) == (20, ("PRD1",), {"PRD1": "PLEXP"})
    assert made.hour_dates == (DAY,)
    assert manifests(lake) == [made]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["amqsrua", "mq_display", "error_log", "ztpf", "smf"])
def test_a_packed_input_is_unpacked_once_and_read_as_the_plain_one(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    content = small_dump(tmp_path).read_bytes() if kind == "smf" else INPUTS[kind].encode()
    plain, packed = tmp_path / "plain" / "x", tmp_path / "packed" / "x"
    for file, data in ((plain, content), (packed, gzip.compress(content, mtime=0))):
        file.parent.mkdir()
        file.write_bytes(data)
    known = decoded(lake, plain)
    opened: list[object] = []

    def counted(raw: BinaryIO) -> gzip.GzipFile:
        opened.append(raw)
        return gzip.GzipFile(fileobj=raw)

    monkeypatch.setattr(gzip, "open", counted)
    made = decoded(lake, packed)
    assert len(opened) == 1
    assert made.model_copy(update={"sha256": known.sha256, "name": known.name}) == known
    assert sum(known.rows.values()) > 0


def test_a_dataset_that_has_two_rows_under_a_key_is_named(lake: Path, tmp_path: Path) -> None:
    first, *_ = (record for record in mq_dump_records() if record[22:24] == b"\0\1")
    write_dump(tmp_path / "twice.smf", with_markers([first, first]))
    write_dump(tmp_path / "once.smf", with_markers([first]))
    once = decoded(lake, tmp_path / "once.smf")
    assert set(decoded(lake, tmp_path / "twice.smf").repeated) >= {"section_qjst"}
    assert once.rows.keys() == {"section_qjst", "section_qsst"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("max_ratio", "accepted"),
    [
        (CORRUPT_BYTES / CUT_BYTES + 1e-9, True),
        (CORRUPT_BYTES / CUT_BYTES, True),
        (CORRUPT_BYTES / CUT_BYTES - 1e-9, False),
    ],
    ids=["below", "at", "above"],
)
def test_more_corrupt_bytes_than_are_tolerated_leave_only_their_places(
    lake: Path, tmp_path: Path, max_ratio: float, accepted: bool
) -> None:
    made = decoded(lake, cut_short(tmp_path), max_ratio)
    assert made.bytes["quarantined"] == CORRUPT_BYTES
    assert (made.problem is None) is accepted
    assert (made.rows.keys() == {"quarantine"}) is not accepted
    assert bool(made.hour_dates) is accepted
    assert {file.parent.parent.name for file in lake.glob("*/*/*.parquet")} == made.rows.keys()


def test_messages_of_a_log_count_whatever_share_of_it_cannot_be_read(
    lake: Path, tmp_path: Path
) -> None:
    file = tmp_path / "syslog.log"
    full = hardcopy("*CSQJ111A !MQP1 OUT OF SPACE IN ACTIVE LOG DATA SETS")
    file.write_text(full + 9 * hardcopy("CSQJ001I !MQP1 JEU DE DONNEES COURANT"))
    made = decoded(lake, file, 0.0)
    assert made.problem is None
    assert made.rows == {"console_event": 1, "quarantine": 9}
    assert "8 more like it" in made.problems[0]


def test_the_problem_states_sizes_reason_limit_and_remedy(lake: Path, tmp_path: Path) -> None:
    problem = decoded(lake, cut_short(tmp_path), 0.01).problem
    assert problem is not None
    for part in (
        "1382 of 42104 bytes could not be read.",
        "the file ends 82 bytes before the record does",
        "expected at most 1.0000% (ingest.rejected_bytes_max_ratio)",
        "Transfer the dump again in binary",
    ):
        assert part in problem


def test_a_dump_whose_every_clock_is_wrong_is_refused_once_and_its_transfer_is_not_blamed(
    lake: Path, tmp_path: Path
) -> None:
    file = tmp_path / "ahead.smf"
    ahead = [record[:10] + b"\x01\x31" + record[12:] for record in mq_dump_records()]
    write_dump(file, with_markers(ahead))
    made = decoded(lake, file, 0.01)
    assert len(made.problems) == 1
    assert f"{len(ahead) - 1} more like it" in made.problems[0]
    assert "its clock shows 2031-" in str(made.problem)
    assert "The transfer is not to blame" in str(made.problem)
    assert "binary" not in str(made.problem)


def test_an_input_that_is_not_recognised_has_a_manifest_with_the_reason(
    lake: Path, tmp_path: Path
) -> None:
    file = tmp_path / "note.txt"
    file.write_text("nothing of note\n" * 50)
    made = decoded(lake, file)
    assert (made.source, made.rows, made.hour_dates) == ("console", {}, ())
    assert "found first line 'nothing of note'" in str(made.problem)


def test_an_error_of_the_decoder_is_recorded_with_its_type(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise ZeroDivisionError("no intervals")

    monkeypatch.setattr(module, "source_for", failing)
    problem = decoded(lake, small_dump(tmp_path)).problem
    assert "cannot be decoded; found ZeroDivisionError: no intervals" in str(problem)
    assert "Keep the file and report it" in str(problem)


def test_a_lake_that_cannot_be_written_fails_the_task_and_leaves_nothing(
    lake: Path, tmp_path: Path
) -> None:
    lake.mkdir()
    (lake / "section_qpst").write_text("a file where a folder is needed")
    with pytest.raises(OSError, match="section_qpst"):
        decoded(lake, small_dump(tmp_path))
    assert manifests(lake) == []
    assert list(lake.glob("section_*/*/*")) == []


@pytest.mark.thorough
def test_rows_of_an_earlier_decoder_that_are_no_longer_made_are_removed(
    lake: Path, tmp_path: Path
) -> None:
    first = decoded(lake, small_dump(tmp_path))
    [qjst] = lake.glob("section_qjst/*/*.parquet")
    former = lake / "section_former" / qjst.parent.name / qjst.name
    former.parent.mkdir(parents=True)
    former.write_bytes(qjst.read_bytes())
    rows = {**first.rows, "section_former": 1}
    write_manifest(lake, first.model_copy(update={"rows": rows, "decoder_version": "0"}))
    assert decoded(lake, small_dump(tmp_path)) == first
    assert not former.exists()
    assert qjst.exists()
    assert read_manifest(lake, first.sha256) == first


@pytest.mark.parametrize(
    ("local_times", "dates"),
    [
        (["12:00:00"], [10]),
        (["01:59:59"], [9, 10]),
        (["02:00:00"], [10]),
        (["21:59:59"], [10]),
        (["22:00:00"], [10, 11]),
        (["01:00:00", "23:00:00"], [9, 10, 11]),
    ],
)
def test_a_storage_message_touches_the_dates_within_two_hours(
    lake: Path, tmp_path: Path, local_times: list[str], dates: list[int]
) -> None:
    made = decoded(lake, syslog(tmp_path, *local_times), zone_by_smfid={"PRD1": "UTC"})
    assert made.problem is None
    assert [day.day for day in made.hour_dates] == dates


def test_times_of_a_log_are_those_of_the_zone_of_its_system(lake: Path, tmp_path: Path) -> None:
    zones = {"PRD1": "America/New_York"}
    decoded(lake, syslog(tmp_path, "12:00:00"), zone_by_smfid=zones)
    [file] = lake.glob("console_event/*/*.parquet")
    assert pq.read_table(file, partitioning=None)["event_utc"].to_pylist() == [
        datetime(2025, 3, 10, 16, tzinfo=UTC)
    ]


def test_the_manifest_names_distributed_queue_managers_and_their_dates(
    lake: Path, tmp_path: Path
) -> None:
    file = written(tmp_path, answer(series(), series(qmgr="qm1")))
    made = decoded(lake, file)
    assert (made.source, made.qmgrs, made.problem) == ("prometheus", ("QM1", "qm1"), None)
    assert made.hour_dates == (date(2026, 7, 9),)
    assert made.rows == {"qmgr_sample": 8}


def test_the_manifest_has_the_largest_step_of_amounts_since_a_scrape(
    lake: Path, tmp_path: Path
) -> None:
    amounts = series("ibmmq_qmgr_log_physical_written_bytes", step=900)
    made = decoded(lake, written(tmp_path, answer(series(step=1_800), amounts)))
    assert made.scrape_step_seconds == 900
    assert decoded(lake, written(tmp_path, answer(series()))).scrape_step_seconds == 0


def test_the_manifest_keeps_settings_that_enter_figures(lake: Path, tmp_path: Path) -> None:
    file = tmp_path / "qm.ini"
    header = "# mqcap qm.ini QMGR(QM1) HOST(mq1) NOW(2026-03-14T00:00:00Z)"
    file.write_text(f"{header}\nLog:\n   LogPrimaryFiles=9\nService:\n   Name=x\n")
    made = decoded(lake, file)
    assert {(fact.qmgr, fact.key, fact.value) for fact in made.settings} == {
        ("QM1", "log.logprimaryfiles", "9"),
        ("QM1", "log.logsecondaryfiles", "2"),
        ("QM1", "log.logfilepages", "4096"),
    }
    assert made.hour_dates == ()


def test_an_answer_that_ends_in_the_middle_leaves_nothing(lake: Path, tmp_path: Path) -> None:
    file = written(tmp_path, answer(*[series()] * 3))
    file.write_bytes(file.read_bytes()[:-30])
    made = decoded(lake, file)
    assert made.problem is not None
    assert "ends in the middle" in made.problem
    assert (made.qmgrs, tables(lake)) == ((), {})
