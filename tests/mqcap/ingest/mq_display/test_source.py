"""Captures of DISPLAY commands as samples: files, answers and their figures."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.ingest.mq_display.answers import NATIVE_HA, Capture, CapturedRecord
from mqcap.ingest.mq_display.answers import captures as captures_of
from mqcap.ingest.mq_display.source import channel_figures, figures_of
from mqcap.ingest.text_reading import Omissions
from tests.mqcap.ingest.reading import read_text

ZONES = {zone_key("qmgr", "QM1"): "Europe/Berlin"}


def capture(now: str, connections: int = 42, qmgr: str = "QM1", status: str = "RUNNING") -> str:
    stamp = f"QMNAME({qmgr})   STATUS({status})" + (f" NOW({now})" if now else "")
    return f"{stamp}\n1 : DISPLAY QMSTATUS\nAMQ8705I: x\n   QMNAME({qmgr}) CONNS({connections})\n"


loaded = partial(read_text, name="display.txt", zones=ZONES)


def quarters(count: int) -> list[str]:
    first = datetime(2026, 7, 9, tzinfo=UTC)
    stamps = [first + timedelta(minutes=15 * number) for number in range(count)]
    return [stamp.strftime("%Y-%m-%dT%H:%M:%S+0000") for stamp in stamps]


def test_the_step_is_that_of_the_stamps_also_of_those_without_values(tmp_path: Path) -> None:
    first, second, third, last = quarters(4)
    down = [capture(stamp, status="ENDED") for stamp in (second, third)]
    rows, summary = loaded(tmp_path, capture(first, 1), *down, capture(last, 2))
    assert [(row["value"], row["step_seconds"]) for row in rows] == [(1, 900), (2, 900)]
    assert summary.content_bytes == (tmp_path / "display.txt").stat().st_size


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (capture(""), "configuration only"),
        (capture("2026-07-09T10:00:00+9900"), "no time zone has"),
        (capture("2026-07-09T10:00:00", qmgr="QM2"), "no site of the settings lists QM2"),
        (capture("2026-07-09T10:00:00Z", qmgr="Q M"), "no name of a queue manager"),
        (capture("2026-07-09T10:00:00Z", status="ENDED"), "no figure in any capture"),
    ],
)
def test_captures_without_time_zone_or_figure_are_an_error(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        loaded(tmp_path, text)


def test_a_capture_that_cannot_be_used_leaves_the_others(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, capture(""), capture("2026-07-09T10:00:00Z"))
    assert len(rows) == 1
    assert summary.problems[0].startswith("display.txt: 1 capture left out: without NOW()")


@pytest.mark.parametrize("value", ["1,042", "-7", "many"])
def test_a_value_that_is_no_number_is_told(tmp_path: Path, value: str) -> None:
    odd = capture("2026-07-09T11:00:00Z").replace("42", value)
    rows, summary = loaded(tmp_path, capture("2026-07-09T10:00:00Z"), odd)
    assert len(rows) == 1
    assert f"1 figure left out: CONNS({value}) is no number" in summary.problems[0]
    blank = odd.replace(value, " ")
    assert loaded(tmp_path, capture("2026-07-09T10:00:00Z"), blank)[1].problems == ()


def test_native_ha_alone_has_the_step_of_its_own_stamps(tmp_path: Path) -> None:
    texts = [
        f"QMNAME(QM1) ROLE(ACTIVE) INSTANCE(a) NOW({stamp.replace('00+', '02+')})\n"
        " INSTANCE(b) ROLE(REPLICA) INSYNC(YES)\n"
        for stamp in quarters(3)[::2]
    ]
    rows, _ = loaded(tmp_path, *texts)
    assert [(row["figure"], row["step_seconds"]) for row in rows] == [
        ("nha_in_sync_count", 1_800)
    ] * 2
    rows, _ = loaded(tmp_path, *map(capture, quarters(3)), *texts)
    assert {row["figure"]: row["step_seconds"] for row in rows} == {
        "connection_count": 900,
        "nha_in_sync_count": 1_800,
    }


STAMP = "QMNAME(QM1)       STATUS(RUNNING) NOW(2026-07-09T00:15:00-0500)"
ALL, OF_CLIENT = QmgrFigure.channel_instance_count, QmgrFigure.channel_client_instance_count
MAXINST = QmgrFigure.channel_instance_max_count
MAXINSTC = QmgrFigure.channel_client_instance_max_count
CAPTURE = """QMNAME(QM1)    STATUS(RUNNING) NOW(2026-07-09T00:15:00+0000)
AMQ8417I: Display Channel Status details.
   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)
   CONNAME(10.1.0.4)                       CURRENT
   STATUS(RUNNING)                         SUBSTATE(RECEIVE)
AMQ8417I: Display Channel Status details.
   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)
   CONNAME(10.1.0.4(49152))                CURRENT
   STATUS(PAUSED)                          SUBSTATE(RECEIVE)
AMQ8417I: Display Channel Status details.
   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)
   CONNAME(10.1.0.5)                       CURRENT
   STATUS(RUNNING)                         SUBSTATE(RECEIVE)
AMQ8417I: Display Channel Status details.
   CHANNEL(TO.GONE)                        CHLTYPE(SDR)
   STATUS(RUNNING)
AMQ8414I: Display Channel details.
   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)
   MAXINST(50)                             MAXINSTC(999999999)
AMQ8414I: Display Channel details.
   CHANNEL(IDLE.SVRCONN)                   CHLTYPE(SVRCONN)
   MAXINST(0)                              MAXINSTC(5)
AMQ8414I: Display Channel details.
   CHANNEL(TO.GONE)                        CHLTYPE(SDR)
"""


def captures(lines: list[str]) -> list[Capture]:
    return list(captures_of(lines, Omissions()))


def values(*lines: str) -> dict[str, str]:
    [capture] = captures([STAMP, "AMQ8409I: Details.", *lines])
    [record] = capture.records
    return record.values


def test_a_stamp_begins_a_capture() -> None:
    first, second = captures(["5724-H72", STAMP, "", STAMP.replace("QM1", "qm1 ")])
    assert (first.qmgr, first.status, first.now, first.line_number) == (
        "QM1",
        "RUNNING",
        "2026-07-09T00:15:00-0500",
        2,
    )
    assert second.qmgr == "qm1"


def test_a_record_has_the_keys_of_all_its_columns_and_brackets_belong_to_a_value() -> None:
    text = "   DESCR(a (nested) text, with KEY(VALUE) in it)  MAXDEPTH(7) CURRENT USAGE( )"
    assert values("   QUEUE(A.B)     TYPE(QLOCAL)", text, "   CONNAME(peer(1414))  QTIME( , )") == {
        "QUEUE": "A.B",
        "TYPE": "QLOCAL",
        "DESCR": "a (nested) text, with KEY(VALUE) in it",
        "MAXDEPTH": "7",
        "USAGE": "",
        "CONNAME": "peer(1414)",
        "QTIME": ",",
    }


def test_messages_are_known_with_and_without_their_letter_in_any_language() -> None:
    lines = [STAMP, "AMQ8450: Details zum Status", "   CURDEPTH(1)", "AMQ8450I: x", "Fertig."]
    [capture] = captures(lines)
    assert [record.message for record in capture.records] == ["AMQ8450", "AMQ8450"]


def test_instances_of_native_ha_are_records_of_their_own_line() -> None:
    lines = [
        "AMQ8705I: x",
        "   CONNS(4)",
        " INSTANCE(inst-2) ROLE(REPLICA) BACKLOG(0) INSYNC(YES) SYNCTIME(2026-07-09T05:14:59.1Z)",
        " GRPNAME(Rome) GRPROLE(Recovery) INSYNC(NO)",
        "   INSTANCE(inst-3) ROLE(Unknown) INSYNC(NO)",
    ]
    for copy in (lines, [line.strip() for line in lines]):
        [capture] = captures([STAMP, *copy])
        assert [record.message for record in capture.records] == ["AMQ8705", NATIVE_HA, NATIVE_HA]
        assert capture.records[0].values == {"CONNS": "4"}
        assert [record.values["INSYNC"] for record in capture.records[1:]] == ["YES", "NO"]


def test_a_role_with_a_time_begins_a_capture_of_native_ha_alone() -> None:
    text = "QMNAME(QM1) ROLE(ACTIVE) INSTANCE(inst-1) INSYNC(YES)"
    [plain] = captures([STAMP, text])
    assert not plain.is_native_ha
    _, role = captures([STAMP, f"{text} NOW(2026-07-09T00:15:00-0500)"])
    assert (role.is_native_ha, role.status) == (True, "ACTIVE")
    assert captures([text]) == []


@pytest.mark.parametrize(
    "text", ["sad :-( face", "glad :-) face", ") (", "a (B) C(D)", "(", ":-) KEY IT", "a ) b ( c ("]
)
def test_a_text_with_single_brackets_ends_where_the_next_key_begins(text: str) -> None:
    line = f"   DESCR({text})".ljust(43)
    assert values(f"{line} MAXDEPTH(7)")["MAXDEPTH"] == "7"
    assert values(line.rstrip(), "   MAXDEPTH(7)") == {"DESCR": text, "MAXDEPTH": "7"}


def found(*records: CapturedRecord, status: str = "RUNNING") -> dict[tuple[QmgrFigure, str], float]:
    capture = Capture("QM1", status, None, 1, list(records))
    return {(figure, name): value for figure, name, value in figures_of(capture)}


SIZE, EXTENT = QmgrFigure.log_fs_size_bytes, QmgrFigure.log_media_extent_count
FREE, DATA_FREE = QmgrFigure.log_fs_free_pct, QmgrFigure.qmgr_fs_free_pct


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"LOGFSSZ": "2000", "QMFSSZ": "9000"}, {SIZE: 2_000 * 1_048_576}),
        ({"LOGFSSZ": "SHARED", "QMFSSZ": "9000"}, {SIZE: 9_000 * 1_048_576}),
        ({"LOGFSSZ": "0", "QMFSSZ": "9000"}, {}),
        ({"LOGFSSZ": "SHARED"}, {}),
        ({"QMFSUSE": "41", "LOGFSUSE": "SHARED"}, {FREE: 59, DATA_FREE: 59}),
        ({"QMFSUSE": "41", "LOGFSSZ": "SHARED"}, {FREE: 59, DATA_FREE: 59}),
        *[({"CONNS": no, "LOGFSUSE": "30"}, {FREE: 70}) for no in ("", "SHARED", "-1", "many")],
        ({"MEDIALOG": "S0001199.LOG"}, {EXTENT: 1_199}),
        ({"MEDIALOG": "S0000000.LOG"}, {EXTENT: 0}),
        ({"MEDIALOG": " "}, {}),
        ({"MEDIALOG": "R0001199.LOG"}, {}),
    ],
)
def test_a_queue_manager_has_the_figures_that_are_known(
    values: dict[str, str], expected: dict[QmgrFigure, float]
) -> None:
    made = found(CapturedRecord("AMQ8705", values))
    assert {figure: value for (figure, _), value in made.items()} == expected


def test_queues_have_depth_limit_and_file() -> None:
    made = found(
        CapturedRecord("AMQ8409", {"QUEUE": "a/b", "MAXDEPTH": "500", "CURDEPTH": "1"}),
        CapturedRecord(
            "AMQ8450", {"QUEUE": "a/b", "CURDEPTH": "7", "CURFSIZE": "2", "MAXDEPTH": "1"}
        ),
    )
    assert made == {
        (QmgrFigure.queue_depth_max_count, "a/b"): 500,
        (QmgrFigure.queue_depth_count, "a/b"): 7,
        (QmgrFigure.queue_file_mib, "a/b"): 2,
    }


def test_temporary_queues_are_left_out_by_type_and_by_name() -> None:
    records = [CapturedRecord("AMQ8409", {"QUEUE": "REPLY.1", "DEFTYPE": "TEMPDYN"})]
    records += [
        CapturedRecord("AMQ8450", {"QUEUE": name, "CURDEPTH": "5"})
        for name in ("REPLY.1", "AMQ.62F1", "A B")
    ]
    assert found(*records) == {}


def test_no_instance_of_a_channel_is_an_answer() -> None:
    assert list(found(CapturedRecord("AMQ8420")).values()) == [0]


def of_instance(role: str, in_sync: str) -> CapturedRecord:
    return CapturedRecord(NATIVE_HA, {"INSTANCE": "inst-2", "ROLE": role, "INSYNC": in_sync})


@pytest.mark.parametrize(
    ("role", "in_sync", "value"),
    [
        ("REPLICA", "YES", 1.0),
        ("Replica", "No", 0.0),
        ("Unknown", "NO", 0.0),
        ("REPLICA", "UNKNOWN", None),
        ("REPLICA", "", None),
        ("ACTIVE", "YES", None),
    ],
)
def test_replicas_are_in_sync_or_not_or_it_is_not_known(
    role: str, in_sync: str, value: float | None
) -> None:
    expected = {} if value is None else {(QmgrFigure.nha_in_sync_count, "inst-2"): value}
    assert found(of_instance(role, in_sync)) == expected


@pytest.mark.parametrize(("role", "count"), [("ACTIVE", 1), ("REPLICA", 0)])
def test_only_the_active_instance_knows_of_the_others(role: str, count: int) -> None:
    records = [of_instance("REPLICA", "YES")]
    assert len(list(figures_of(Capture("QM1", role, None, 1, records, is_native_ha=True)))) == count
    assert found(*records, status=role) == {}
    assert found(CapturedRecord("AMQ8705", {"CONNS": "60"}), status="ENDED UNEXPECTEDLY") == {}


def status(channel: str = "A", state: str = "RUNNING", client: str = "10.0.0.1") -> CapturedRecord:
    values = {"CHANNEL": channel, "CHLTYPE": "SVRCONN", "STATUS": state, "CONNAME": client}
    return CapturedRecord("AMQ8417", values)


def definition(channel: str = "A", **values: str) -> CapturedRecord:
    return CapturedRecord("AMQ8414", {"CHANNEL": channel, "CHLTYPE": "SVRCONN", **values})


def test_a_capture_has_instances_by_channel_and_client_with_their_limits() -> None:
    [capture] = captures(CAPTURE.splitlines())
    made = {(figure, name): value for figure, name, value in figures_of(capture)}
    status_of_each = {key for key in made if key[0] is QmgrFigure.channel_status}
    assert len(status_of_each) == 4
    assert {key: value for key, value in made.items() if key not in status_of_each} == {
        (MAXINST, "APP.SVRCONN"): 50,
        (MAXINSTC, "APP.SVRCONN"): 999_999_999,
        (MAXINST, "IDLE.SVRCONN"): 0,
        (MAXINSTC, "IDLE.SVRCONN"): 5,
        (ALL, "APP.SVRCONN"): 3,
        (OF_CLIENT, "APP.SVRCONN"): 2,
        (ALL, "IDLE.SVRCONN"): 0,
        (OF_CLIENT, "IDLE.SVRCONN"): 0,
    }


NONE = CapturedRecord("AMQ8420")


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        *[([status(state=state)], {(ALL, "A"): 1, (OF_CLIENT, "A"): 1})
          for state in ("RUNNING", "STOPPING")],
        *[([status(state=state)], {(ALL, "A"): 0, (OF_CLIENT, "A"): 0})
          for state in ("STOPPED", "STARTING", "LAEUFT")],
        ([status(client=client) for client in "122"], {(ALL, "A"): 3, (OF_CLIENT, "A"): 2}),
        ([definition(MAXINST="9"), NONE], {(MAXINST, "A"): 9, (ALL, "A"): 0, (OF_CLIENT, "A"): 0}),
        ([definition(MAXINST="9", MAXINSTC="")], {(MAXINST, "A"): 9}),
        ([definition("A B", MAXINST="9"), definition("C", MAXINST="NOLIMIT")], {}),
    ],
)  # fmt: skip
def test_a_channel_has_its_active_instances_and_limits_where_they_are_known(
    records: list[CapturedRecord], expected: dict[tuple[QmgrFigure, str], float]
) -> None:
    assert {(figure, name): value for figure, name, value in channel_figures(records)} == expected
