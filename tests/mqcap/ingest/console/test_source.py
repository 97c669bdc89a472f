"""A console log as a source of events."""

from pathlib import Path

import pytest

from tests.mqcap.ingest.console.samples import (
    JOB_LOG,
    MORE,
    STORAGE,
    events,
    hardcopy,
    read_text,
)


@pytest.mark.parametrize(
    ("size", "mib"),
    [("512KB", 0.5), ("254MB", 254.0), ("3GB", 3072.0), ("1TB", 1048576.0), ("15EB", 15 * 2.0**40)],
)
def test_the_new_form_carries_units_above_the_bar(tmp_path: Path, size: str, mib: float) -> None:
    text = hardcopy("CSQX004I +MQP2 CSQXSTOR Channel initiator storage usage :- Local")
    text += f"{MORE}storage: used 212 MB, free 1376 MB\n{MORE}Above bar: used 254MB, free {size}\n"
    (event,) = events(tmp_path, text)
    assert (event["used_31bit_mib"], event["free_31bit_mib"]) == (212.0, 1376.0)
    assert (event["used_64bit_mib"], event["free_64bit_mib"]) == (254.0, mib)


def test_a_last_line_without_end_is_quarantined_up_to_the_last_byte(tmp_path: Path) -> None:
    text = hardcopy("CSQX004I !MQP1 tout va bien").rstrip("\n")
    read = read_text(tmp_path, text)
    [row] = read.tables["quarantine"].to_pylist()
    reason = "the text of CSQX004I was not understood"
    assert (row["bytes_count"], row["reason"]) == (len(text), reason)
    assert f"log.txt: line 1: {reason}." in read.summary.problems
    assert read.summary.quarantined_bytes == read.summary.content_bytes == len(text)


def test_the_repeated_hour_is_distinguished_by_order(tmp_path: Path) -> None:
    times = (
        "01:50:00.00",
        "02:10:00.00",
        "02:50:00.00",
        "02:10:00.00",
        "02:50:00.00",
        "03:10:00.00",
    )
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
    assert {name: table.num_rows for name, table in read.tables.items()} == {
        "console_event": 2,
        "quarantine": 1,
    }
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
