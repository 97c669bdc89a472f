"""MQ messages of a console log, for display."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.console.mq_messages import MqMessage, mq_messages
from tests.mqcap.ingest.console.samples import JOB_LOG, STORAGE, hardcopy
from tests.mqcap.ingest.dumps import small_dump

SHORTAGE = "*CSQJ110E !MQP1 LAST COPY1 ACTIVE LOG DATA SET IS 75 PERCENT FULL"


def log(folder: Path, text: str) -> Path:
    path = folder / "log.txt"
    path.write_text(text)
    return path


def test_a_message_has_its_time_system_queue_manager_and_text(tmp_path: Path) -> None:
    path = log(tmp_path, hardcopy(STORAGE))
    [message] = mq_messages(path, {"PRD1": "America/New_York"})
    assert message.at_utc == datetime(2025, 3, 10, 12, 30, 0, 170_000, tzinfo=UTC)
    assert (message.smfid, message.qmgr, message.message_id) == ("PRD1", "MQP1", "CSQX004I")
    assert "is using 131 MB" in message.text


def test_messages_are_in_order_of_time_whatever_the_order_of_lines(tmp_path: Path) -> None:
    text = hardcopy(STORAGE, time="09:00:00.00") + hardcopy(SHORTAGE, time="08:00:00.00")
    ids = [message.message_id for message in mq_messages(log(tmp_path, text), {})]
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
    assert [message.message_id for message in messages] == ids


@pytest.mark.parametrize(
    ("message_id", "required"),
    [("CSQJ111A", True), ("CSQJ110E", True), ("CSQY041D", True), ("CSQX004I", False)],
)
def test_the_last_letter_of_an_id_says_whether_action_is_required(
    message_id: str, required: bool
) -> None:
    at = datetime(2025, 3, 10, tzinfo=UTC)
    assert MqMessage(at, "PRD1", None, message_id, "").requires_action is required


def test_another_kind_of_input_is_an_error_that_names_its_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        mq_messages(small_dump(tmp_path), {})
    assert raised.value.found == "input of kind smf"
    assert raised.value.expected == "a hardcopy log (SYSLOG, OPERLOG) or a job log"
