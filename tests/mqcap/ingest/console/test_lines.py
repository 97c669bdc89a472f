"""Lines of a log become messages, however they are interrupted."""

from __future__ import annotations

from pathlib import Path

from tests.mqcap.ingest.console.samples import (
    JOB_LOG,
    STORAGE,
    events,
    hardcopy,
    read_text,
)


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


def test_impossible_dates_and_times_are_no_date(tmp_path: Path) -> None:
    text = (
        hardcopy(STORAGE, day="2025399") + hardcopy(STORAGE, time="27:00:00.00") + hardcopy(STORAGE)
    )
    assert read_text(tmp_path, text).tables["quarantine"].num_rows == 2


def test_a_separator_without_a_real_date_gives_none(tmp_path: Path) -> None:
    text = JOB_LOG.replace("09 MAR", "39 MAR").replace("10 MAR", "40 MAR")
    assert read_text(tmp_path, text).tables.keys() == {"quarantine"}
