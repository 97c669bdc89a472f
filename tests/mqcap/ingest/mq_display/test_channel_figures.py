"""Instances and limits of server-connection channels in a capture."""

from __future__ import annotations

import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.ingest.mq_display.answers import CapturedRecord, captures
from mqcap.ingest.mq_display.figures import channel_figures, figures_of

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


def found(*records: CapturedRecord) -> dict[tuple[QmgrFigure, str], float]:
    return {(figure, name): value for figure, name, value in channel_figures(records)}


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


@pytest.mark.parametrize(
    ("state", "count"),
    [("RUNNING", 1), ("STOPPING", 1), ("STOPPED", 0), ("STARTING", 0), ("LAEUFT", 0)],
)
def test_an_instance_counts_in_an_active_state(state: str, count: int) -> None:
    assert found(status(state=state)) == {(ALL, "A"): count, (OF_CLIENT, "A"): count}


def test_a_channel_without_a_definition_has_its_instances() -> None:
    clients = ("10.0.0.1", "10.0.0.2", "10.0.0.2")
    assert found(*[status(client=each) for each in clients]) == {(ALL, "A"): 3, (OF_CLIENT, "A"): 2}


def test_no_instance_at_all_is_none_of_each_channel() -> None:
    made = found(definition(MAXINST="9"), CapturedRecord("AMQ8420"))
    assert made == {(MAXINST, "A"): 9, (ALL, "A"): 0, (OF_CLIENT, "A"): 0}


def test_a_definition_without_status_says_nothing_of_instances() -> None:
    assert found(definition(MAXINST="9", MAXINSTC="")) == {(MAXINST, "A"): 9}


def test_names_that_are_none_and_limits_in_words_are_left_out() -> None:
    assert found(definition("A B", MAXINST="9"), definition("C", MAXINST="NOLIMIT")) == {}
