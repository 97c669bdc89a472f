"""Messages of MQ, lines of logs of the console and their events."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.errors import InputError
from mqcap.ingest.console.messages import recognise
from mqcap.ingest.console.mq_messages import mq_messages, requires_action
from tests.mqcap.ingest.console.samples import JOB_LOG, MORE, STORAGE, events, hardcopy, read_text
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.ingest.reading import read_all
from tests.shared import shared_cases, shared_dir

SHARED = shared_dir()
ZONES = {"PRD1": "Etc/GMT+5", "PRD2": "Etc/GMT+5"}
SHORTAGE = "*CSQJ110E !MQP1 LAST COPY1 ACTIVE LOG DATA SET IS 75 PERCENT FULL"


def logs() -> list[Path]:
    return [] if SHARED is None else sorted((SHARED / "data" / "smf" / "console").glob("*.txt"))


@pytest.mark.parametrize("log", shared_cases(logs()), ids=lambda path: path.name)
def test_every_message_of_the_sample_logs_is_an_event_of_its_queue_manager(log: Path) -> None:
    result = read_all(log, ZONES)
    events = result.tables["console_event"].to_pylist()
    assert "quarantine" not in result.tables
    assert len(events) == len(re.findall(r"CSQ[A-Z]\d{3}[A-Z] ", log.read_text()))
    assert {event["qmgr"] for event in events} <= {"MQP1", "MQP2", "MQL1"}


BACKUP = "CSQE121I !MQP1 CSQELBK1 Backup of structure APPL1 completed at RBA=1F, size "
BACKED_UP = {"object_name": "APPL1", "end_rba": 31}
MANAGER = "CSQY220I !MQP1 CSQSCTL "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{MANAGER}Queue manager is using 512 MB of local storage, 1 GB are free",
         {"used_31bit_mib": 512.0, "free_31bit_mib": 1024.0}),
        (f"{MANAGER}other words", {}),
        (f"{BACKUP}2 GB", BACKED_UP | {"amount": 2048.0}),
        (f"{BACKUP}3,4 MB", BACKED_UP | {"amount": 3.4}),
        (f"{BACKUP}0.5 GB", BACKED_UP | {"amount": 512.0}),
        (f"{BACKUP}1,234 MB", {}),
        ("CSQP018I !MQP1 CSQPBCKW CHECKPOINT STARTED FOR ALL BUFFER POOLS", {}),
    ],
)  # fmt: skip
def test_the_figures_of_a_message_are_sizes_in_mib_or_none(
    text: str, expected: dict[str, Any]
) -> None:
    event = recognise(text)
    assert event is not None
    assert (event.qmgr, event.figures) == ("MQP1", expected)


@pytest.mark.parametrize(
    ("prefix", "qmgr"),
    [("!MQP1 ", "MQP1"), ("+CSQ1 ", "CSQ1"), ("MQP1 ", "MQP1"), ("-NEW ", "NEW"), ("", None)],
)
@pytest.mark.parametrize("csect", ["CSQJW007 ", ""], ids=["csect", "no csect"])
def test_prefixes_and_module_names_may_be_changed_or_missing(
    prefix: str, csect: str, qmgr: str | None
) -> None:
    text = f"CSQJ001I {prefix}{csect}CURRENT COPY 1 ACTIVE LOG DATA SET IS"
    event = recognise(f"{text} DSNAME=A.B, STARTRBA=1000 ENDRBA=1FFF")
    assert event is not None
    assert event.qmgr == qmgr
    rba = {"start_rba": 0x1000, "end_rba": 0x1FFF}
    assert event.figures == {"log_copy": 1, "dataset_name": "A.B", **rba}


USAGE = [
    "Page set usage ...",
    "Page Buffer     Total   Unused Persistent NonPersist Expansion",
    " set   pool     pages    pages data pages data pages     count",
    "_   0      0     1078     1059         18          1 USER     0",
    "_   1     12   262140    13107     200000          0          7",
    "    4 has never been online",
    "End of page set report",
]
PAGE_SETS = [("0", 0, 1078, 1059, 0), ("1", 12, 262_140, 13_107, 7)]


def page_sets(values: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("object_name", "pool_number", "pages_total", "pages_unused", "expansion_count")
    return [tuple(event[name] for name in names) for event in values]


def test_display_usage_gives_one_event_per_page_set(tmp_path: Path) -> None:
    first, *rest = USAGE
    text = hardcopy(f"CSQI010I !MQP1 {first} 214", kind="M ")
    for number, line in enumerate(rest, start=1):
        kind = "E" if number == len(rest) else "D"
        text += f"{kind}{' ' * 43}214 00000090  {line}\n"
    recognised = events(tmp_path, text)
    assert page_sets(recognised) == PAGE_SETS
    assert {event["qmgr"] for event in recognised} == {"MQP1"}
    assert len({event["text"] for event in recognised}) == 2


HEADER = """1                      J E S 2  J O B  L O G  --  S Y S T E M  P R D 1  --  N O D E  N
 08.00.00 STC00001 ---- WEDNESDAY, 31 DEC 2025 ----
"""
FULL = "CSQJ111A !MQP1 OUT OF SPACE IN ACTIVE LOG DATA SETS"


@pytest.mark.parametrize(
    ("clocks", "expected"),
    [
        (["23.59.00", "-", "00.01.00"], ["2025-12-31 23:59", "2026-01-01 00:01"]),
        (
            ["23.59.00", "00.01.00", "23.00.00", "00.02.00"],
            ["2025-12-31 23:59", "2026-01-01 00:01", "2026-01-01 23:00", "2026-01-02 00:02"],
        ),
        (["12.00.00", "11.00.00"], ["2025-12-31 12:00", "2025-12-31 11:00"]),
    ],
    ids=["a date line", "the clock alone", "clocks set back"],
)
def test_a_job_log_runs_over_midnight(
    tmp_path: Path, clocks: list[str], expected: list[str]
) -> None:
    date_line = " 00.00.00 STC00001 ---- THURSDAY,  01 JAN 2026 ----\n"
    lines = [date_line if at == "-" else f" {at} STC00001 *{FULL}\n" for at in clocks]
    found = events(tmp_path, "".join((HEADER, *lines)))
    assert [f"{event['event_utc']:%Y-%m-%d %H:%M}" for event in found] == expected


def test_both_forms_of_the_date_and_systems_of_a_merged_log(tmp_path: Path) -> None:
    text = hardcopy(FULL, day="25365", time="23:59:59.99")
    text += hardcopy(FULL, day="2026001", time="00:00:00.00").replace("PRD1", "PRD2")
    recognised = events(tmp_path, text)
    assert [(e["smfid"], f"{e['event_utc']:%Y-%m-%d}") for e in recognised] == [
        ("PRD1", "2025-12-31"),
        ("PRD2", "2026-01-01"),
    ]


@pytest.mark.parametrize("started", ["$HASP373 MQP1MSTR STARTED", "IEF403I MQP1CHIN - STARTED"])
def test_without_a_prefix_the_started_task_names_the_queue_manager(
    tmp_path: Path, started: str
) -> None:
    lost = FULL.replace("!MQP1 ", "")
    text = hardcopy(started) + hardcopy(f"*{lost}") + hardcopy(f"*{lost}").replace("STC04712", "X")
    assert [event["qmgr"] for event in events(tmp_path, text)] == ["MQP1", None]


def test_a_continued_line_may_break_anywhere_between_words(tmp_path: Path) -> None:
    text = hardcopy("CSQE121I !MQP1 CSQELBK1 Backup of structure APPL1 completed at")
    text += f"{MORE}RBA=00000003C2345678, size 34\n{MORE}MB\n"
    (event,) = events(tmp_path, text)
    assert (event["amount"], event["object_name"]) == (34.0, "APPL1")


def test_many_messages_in_another_language_are_counted_not_listed(tmp_path: Path) -> None:
    first, language = read_text(
        tmp_path, hardcopy("CSQX004I !MQP1 tout va bien") * 30
    ).summary.problems
    assert first == "log.txt: line 1: the text of CSQX004I was not understood. 29 more like it."
    assert "in English" in language


def test_a_log_without_messages_of_ours_says_so(tmp_path: Path) -> None:
    (problem,) = read_text(tmp_path, hardcopy("IEF404I JOB1 - ENDED")).summary.problems
    assert "none of 1 messages carries a figure of MQ" in problem


@given(st.text())
def test_any_text_is_recognised_or_not(text: str) -> None:
    assert recognise(text) is None
    recognise(f"CSQX004I {text}")


def test_a_block_may_be_interrupted_by_another_message(tmp_path: Path) -> None:
    text = hardcopy("CSQJ001I !MQP1 CURRENT COPY 1 ACTIVE LOG DATA SET IS 214", kind="M ")
    text += hardcopy(STORAGE)
    text += "D" + " " * 43 + "214 00000090  DSNAME=MQP1.LOGCOPY1.DS02, STARTRBA=00000003C0000000\n"
    text += "E" + " " * 43 + "214 00000090  ENDRBA=00000003DFFFFFFF\n"
    result = {event["message_id"]: event for event in events(tmp_path, text)}
    switch = result["CSQJ001I"]
    assert (switch["log_copy"], switch["dataset_name"]) == (1, "MQP1.LOGCOPY1.DS02")
    assert (switch["start_rba"], switch["end_rba"]) == (0x3C0000000, 0x3DFFFFFFF)
    assert result["CSQX004I"]["used_31bit_mib"] == 131.0


def test_a_block_without_end_is_still_a_message(tmp_path: Path) -> None:
    first = hardcopy("CSQJ001I !MQP1 CURRENT COPY 2 ACTIVE LOG DATA SET IS 214", kind="M ")
    rest = "D" + " " * 43 + "214 00000090  DSNAME=A.B, STARTRBA=00 ENDRBA=FF\n"
    assert len(events(tmp_path, (first + rest) * 2)) == 2


def log(folder: Path, text: str) -> Path:
    path = folder / "log.txt"
    path.write_text(text)
    return path


def test_a_message_has_its_time_system_queue_manager_and_text(tmp_path: Path) -> None:
    path = log(tmp_path, hardcopy(STORAGE))
    [message] = mq_messages(path, {"PRD1": "America/New_York"})
    assert message["event_utc"] == datetime(2025, 3, 10, 12, 30, 0, 170_000, tzinfo=UTC)
    names = [message[name] for name in ("smfid", "qmgr", "message_id")]
    assert names == ["PRD1", "MQP1", "CSQX004I"]
    assert "is using 131 MB" in message["text"]


def test_messages_are_in_order_of_time_whatever_the_order_of_lines(tmp_path: Path) -> None:
    text = hardcopy(STORAGE, time="09:00:00.00") + hardcopy(SHORTAGE, time="08:00:00.00")
    ids = [message["message_id"] for message in mq_messages(log(tmp_path, text), {})]
    assert ids == ["CSQJ110E", "CSQX004I"]


@pytest.mark.parametrize(
    ("chosen", "ids"),
    [((), ["CSQJ001I", "CSQJ002I"]), (("CSQJ002I",), ["CSQJ002I"]), (("CSQX004I",), [])],
    ids=["all", "one", "none"],
)
def test_messages_can_be_chosen_by_their_ids(
    tmp_path: Path, chosen: tuple[str, ...], ids: list[str]
) -> None:
    messages = mq_messages(log(tmp_path, JOB_LOG), {}, chosen)
    assert [message["message_id"] for message in messages] == ids


def test_the_last_letter_of_an_id_says_whether_action_is_required() -> None:
    ids = ["CSQJ111A", "CSQJ110E", "CSQY041D", "CSQX004I"]
    assert [requires_action(message_id) for message_id in ids] == [True, True, True, False]


def test_another_kind_of_input_is_an_error_that_names_its_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        mq_messages(small_dump(tmp_path), {})
    assert raised.value.found == "input of kind smf"
    assert raised.value.expected == "a hardcopy log (SYSLOG, OPERLOG) or a job log"


def test_a_last_line_without_end_is_quarantined_up_to_the_last_byte(tmp_path: Path) -> None:
    text = hardcopy("CSQX004I !MQP1 tout va bien").rstrip("\n")
    read = read_text(tmp_path, text)
    [row] = read.tables["quarantine"].to_pylist()
    reason = "the text of CSQX004I was not understood"
    assert (row["bytes_count"], row["reason"]) == (len(text), reason)
    assert f"log.txt: line 1: {reason}." in read.summary.problems
    assert read.summary.quarantined_bytes == read.summary.content_bytes == len(text)


def test_the_repeated_hour_is_distinguished_by_order(tmp_path: Path) -> None:
    clocks = ("01:50", "02:10", "02:50", "02:10", "02:50", "03:10")
    times = [f"{clock}:00.00" for clock in clocks]
    text = "".join(hardcopy(STORAGE, time=time, day="2025299") for time in times)
    result = [
        event["event_utc"].strftime("%H:%M")
        for event in events(tmp_path, text, {"PRD1": "Europe/Berlin"})
    ]
    assert result == ["23:50", "00:10", "00:50", "01:10", "01:50", "02:10"]


def problems(folder: Path, text: str, zones: dict[str, str] | None = None) -> tuple[str, ...]:
    """The sentences on a log of this text, beside the storage message that ends it."""
    read = read_text(folder, text + hardcopy(STORAGE, time="23:00:00.00"), zones)
    assert read.tables["console_event"].to_pylist()[-1]["message_id"] == "CSQX004I"
    return read.summary.problems


def test_unknown_messages_that_ask_for_action_are_named_once_with_their_line(
    tmp_path: Path,
) -> None:
    text = hardcopy("CSQX500I !MQP1 CSQXRESP Channel A started")
    text += hardcopy("CSQX208E !MQP1 CSQXRESP Error receiving data") * 2
    text += hardcopy("*CSQM999A !MQP1 a message of a later release")
    [sentence] = problems(tmp_path, text)
    assert sentence == (
        "log.txt: messages of MQ that ask for action and are not in the catalogue: "
        "CSQX208E (line 2), CSQM999A (line 4). They are skipped."
    )


def test_of_many_unknown_messages_twenty_are_named(tmp_path: Path) -> None:
    text = "".join(hardcopy(f"CSQM{number}E !MQP1 unknown") for number in range(900, 921))
    [sentence] = problems(tmp_path, text)
    assert "CSQM919E (line 20) and 1 more. They are skipped." in sentence


def test_systems_in_two_time_zones_keep_their_own_and_an_unknown_one_is_reported(
    tmp_path: Path,
) -> None:
    text = hardcopy(STORAGE) + hardcopy(STORAGE).replace("PRD1", "PRD2")
    text += hardcopy(STORAGE).replace("PRD1", "PRD3") * 2
    zones = {"PRD1": "America/New_York", "PRD2": "Asia/Tokyo"}
    found = events(tmp_path, text, zones)
    assert [(event["smfid"], f"{event['event_utc']:%d %H}") for event in found] == [
        ("PRD1", "10 12"),
        ("PRD2", "09 23"),
        ("PRD3", "10 08"),
        ("PRD3", "10 08"),
    ]
    assert problems(tmp_path, text, zones) == (
        "log.txt: line 3: the time zone of PRD3 is not known (estate); its times are taken as UTC.",
    )
    assert problems(tmp_path, text) == ()


@pytest.mark.parametrize(
    "bad",
    [
        (
            "CSQJ001I !MQP1 CURRENT COPY 1 ACTIVE LOG DATA SET IS DSNAME=MQP1.LOGCOPY1.DS01,"
            " STARTRBA=FFFFFFFFFFFFFFFFFFFFFFFF ENDRBA=FFFFFFFFFFFFFFFFFFFFFFFF"
        ),
        "CSQI010I !MQP1 count 0 1 99999999999999999999 5 0 0 USER 1",
        STORAGE.replace("1457", "9" * 400),
    ],
)
def test_a_figure_that_is_too_large_leaves_out_its_message_alone(bad: str, tmp_path: Path) -> None:
    read = read_text(tmp_path, hardcopy(STORAGE) + hardcopy(bad) + hardcopy(STORAGE))
    counts = {name: table.num_rows for name, table in read.tables.items()}
    assert counts == {"console_event": 2, "quarantine": 1}
    assert "line 2" in read.summary.problems[0]


def test_equal_lines_of_one_second_are_as_many_events(tmp_path: Path) -> None:
    assert [row["sequence"] for row in events(tmp_path, hardcopy(STORAGE) * 2)] == [1, 2]


HEAD, *LINES = JOB_LOG.splitlines(keepends=True)
STOP = " 08.30.00 STC04711 *CSQJ111A !MQP1 OUT OF SPACE IN ACTIVE LOG DATA SETS\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "".join(line for line in LINES if "----" not in line),
        HEAD + STOP,
        f"{HEAD} 08.00.00 STC04711 ---- MONDAY,    10 MAR ----\n{STOP}",
        f"{HEAD} 08.00.00 STC04711 ---- LUNDI,    10 MARS 2025 ----\n{STOP}",
        JOB_LOG.replace("09 MAR", "39 MAR").replace("10 MAR", "40 MAR"),
        hardcopy(STORAGE, day="2025399"),
        hardcopy(STORAGE, time="27:00:00.00"),
    ],
)
def test_a_message_without_a_real_date_and_time_is_quarantined(tmp_path: Path, text: str) -> None:
    read = read_text(tmp_path, text)
    assert read.tables.keys() == {"quarantine"}
    assert "has no date before it" in read.summary.problems[0]
