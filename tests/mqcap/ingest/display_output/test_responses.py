from __future__ import annotations

import pytest

from mqcap.ingest.display_output.responses import BSDS, CommandResponse, command_responses


def read(text: str) -> list[CommandResponse]:
    return list(command_responses(text.splitlines()))


def test_a_response_is_a_message_with_the_lines_up_to_the_next_one() -> None:
    first, second = read("CSQJ322I !CSQ1 DISPLAY LOG report ...\nOUTBUFF 4000\nCSQ9022I !CSQ1 END")
    assert (first.message_id, first.queue_manager) == ("CSQJ322I", "CSQ1")
    assert [line.number for line in first.lines] == [1, 2]
    assert first.text == "!CSQ1 DISPLAY LOG report ... OUTBUFF 4000"
    assert second.message_id == "CSQ9022I"


def test_text_before_the_first_message_is_left_out() -> None:
    assert [item.message_id for item in read("Dear all,\n\nCSQI010I !CSQ1 ok")] == ["CSQI010I"]
    assert read("Dear all") == []


@pytest.mark.parametrize(
    "line",
    [
        "CSQJ322I !CSQ1 report",
        "N 0000000 PRD1     2025069 08:30:00.17 STC04712 00000090  CSQJ322I !CSQ1 report",
        " 08.30.00 STC04712  CSQJ322I !CSQ1 report",
        "0CSQJ322I !CSQ1 report",
        "  *CSQJ322I !CSQ1 report",
    ],
    ids=["plain", "hardcopy", "job log", "carriage control", "indented"],
)
def test_the_prefix_of_the_log_is_removed(line: str) -> None:
    [response] = read(line)
    assert (response.message_id, response.text) == ("CSQJ322I", "!CSQ1 report")


def test_a_word_in_place_of_the_prefix_is_no_queue_manager() -> None:
    [response] = read("CSQJ322I LOG report")
    assert response.queue_manager is None


def test_a_print_log_map_is_a_response_of_its_own() -> None:
    responses = read("CSQJ322I !CSQ1 x\nLOG MAP OF BSDS\nACTIVE LOG COPY 1 DATA SETS\nDSN=A.B")
    assert [response.message_id for response in responses] == ["CSQJ322I", BSDS]
    assert len(responses[1].lines) == 3
