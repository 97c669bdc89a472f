from __future__ import annotations

from mqcap.ingest.display_output.reading import CommandResponse, command_responses


def read(text: str) -> list[CommandResponse]:
    return list(command_responses(text.splitlines()))


def test_text_before_the_first_message_is_left_out() -> None:
    assert [item.message_id for item in read("Dear all,\n\nCSQI010I !CSQ1 ok")] == ["CSQI010I"]
    assert read("Dear all") == []


def test_a_word_in_place_of_the_prefix_is_no_queue_manager() -> None:
    [response] = read("CSQJ322I LOG report")
    assert response.queue_manager is None
