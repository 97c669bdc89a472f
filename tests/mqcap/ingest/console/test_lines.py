from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.console.lines import LogReader
from tests.mqcap.ingest.reading import Read, is_accounted, read_all

S = "S" + " " * 55


def hardcopy(
    text: str, *, kind: str = "N ", time: str = "08:30:00.17", day: str = "2025069"
) -> str:
    return f"{kind}0000000 PRD1     {day} {time} STC04712 00000090  {text}\n"


def read_text(folder: Path, text: str, zones: dict[str, str] | None = None) -> Read:
    path = folder / "log.txt"
    path.write_text(text)
    read = read_all(path, zones)
    assert is_accounted(read.summary)
    assert read.summary.content_bytes == len(text)
    return read


def events(folder: Path, text: str, zones: dict[str, str] | None = None) -> list[dict[str, Any]]:
    return list(read_text(folder, text, zones).tables["console_event"].to_pylist())


OLD = "CSQX004I !MQP1 CSQXSTOR Channel initiator is using 131 MB of local storage, 1457 MB are free"


JOB_LOG = """1           J E S 2  J O B  L O G  --  S Y S T E M  P R D 1  --  N O D E  N O D E P
0
 23.58.12 STC04711 ---- SUNDAY,    09 MAR 2025 ----
 23.58.12 STC04711  CSQJ001I !MQP1 CURRENT COPY 1 ACTIVE LOG DATA SET IS   11
    11              DSNAME=MQP1.LOGCOPY1.DS01, STARTRBA=00000003A0000000
    11              ENDRBA=00000003BFFFFFFF
 00.00.00 STC04711 ---- MONDAY,    10 MAR 2025 ----
 01.02.44 STC04711  CSQJ002I !MQP1 END OF ACTIVE LOG DATA SET
    14              DSNAME=MQP1.LOGCOPY1.DS01, STARTRBA=00000003A0000000
    14              ENDRBA=00000003BFFFFFFF
"""


def test_a_block_may_be_interrupted_by_another_message(tmp_path: Path) -> None:
    text = hardcopy("CSQJ001I !MQP1 CURRENT COPY 1 ACTIVE LOG DATA SET IS 214", kind="M ")
    text += hardcopy(OLD)
    text += "D" + " " * 43 + "214 00000090  DSNAME=MQP1.LOGCOPY1.DS02, STARTRBA=00000003C0000000\n"
    text += "E" + " " * 43 + "214 00000090  ENDRBA=00000003DFFFFFFF\n"
    found = {event["message_id"]: event for event in events(tmp_path, text)}
    switch = found["CSQJ001I"]
    assert (switch["log_copy"], switch["dataset_name"]) == (1, "MQP1.LOGCOPY1.DS02")
    assert (switch["start_rba"], switch["end_rba"]) == (0x3C0000000, 0x3DFFFFFFF)
    assert found["CSQX004I"]["used_31bit_mib"] == 131.0


def test_a_block_without_end_is_still_a_message(tmp_path: Path) -> None:
    first = hardcopy("CSQJ001I !MQP1 CURRENT COPY 2 ACTIVE LOG DATA SET IS 214", kind="M ")
    rest = "D" + " " * 43 + "214 00000090  DSNAME=A.B, STARTRBA=00 ENDRBA=FF\n"
    assert len(events(tmp_path, (first + rest) * 2)) == 2


def test_impossible_dates_and_times_are_no_date(tmp_path: Path) -> None:
    text = hardcopy(OLD, day="2025399") + hardcopy(OLD, time="27:00:00.00") + hardcopy(OLD)
    assert read_text(tmp_path, text).tables["quarantine"].num_rows == 2


def test_a_separator_without_a_real_date_gives_none(tmp_path: Path) -> None:
    text = JOB_LOG.replace("09 MAR", "39 MAR").replace("10 MAR", "40 MAR")
    assert read_text(tmp_path, text).tables.keys() == {"quarantine"}


@given(
    st.lists(
        st.sampled_from(
            [
                *JOB_LOG.splitlines(),
                hardcopy(OLD).strip(),
                f"{S}more",
                "D 214 ",
                "M 0000000 PRD1 2025069 08:30:00.17 STC1 00000090  X 214",
                "E       214 00000090 y",
                "",
                "1",
                "\x1a",
            ]
        )
    )
)
def test_every_line_belongs_to_one_message_or_to_none(lines: list[str]) -> None:
    raw = [line.encode() + b"\n" for line in lines]
    reader = LogReader()
    found = sum(message.bytes_count for message in reader.messages(raw))
    assert found + reader.other_bytes == sum(map(len, raw))
