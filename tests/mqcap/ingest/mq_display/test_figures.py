"""Figures of a capture."""

from __future__ import annotations

import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.ingest.mq_display.answers import NATIVE_HA, Capture, CapturedRecord
from mqcap.ingest.mq_display.figures import figures_of


def found(*records: CapturedRecord, status: str = "RUNNING") -> dict[tuple[QmgrFigure, str], float]:
    capture = Capture("QM1", status, None, 1, list(records))
    return {(figure, name): value for figure, name, value in figures_of(capture)}


def of_qmgr(**values: str) -> dict[QmgrFigure, float]:
    return {key[0]: value for key, value in found(CapturedRecord("AMQ8705", values)).items()}


def test_figures_of_the_queue_manager_are_read() -> None:
    made = of_qmgr(
        LOGINUSE="13",
        LOGUTIL="12",
        LOGPRIM="3",
        LOGSEC="2",
        CONNS="60",
        QMFSUSE="41",
        LOGFSUSE="30",
    )
    assert made == {
        QmgrFigure.log_primary_used_pct: 13,
        QmgrFigure.log_workload_pct: 12,
        QmgrFigure.log_primary_files_count: 3,
        QmgrFigure.log_secondary_files_count: 2,
        QmgrFigure.connection_count: 60,
        QmgrFigure.qmgr_fs_free_pct: 59,
        QmgrFigure.log_fs_free_pct: 70,
    }


def test_the_size_of_the_log_file_system_is_that_of_the_shared_one() -> None:
    size = QmgrFigure.log_fs_size_bytes
    assert of_qmgr(LOGFSSZ="2000", QMFSSZ="9000")[size] == 2_000 * 1_048_576
    assert of_qmgr(LOGFSSZ="SHARED", QMFSSZ="9000")[size] == 9_000 * 1_048_576
    assert size not in of_qmgr(LOGFSSZ="0", QMFSSZ="9000")
    assert size not in of_qmgr(LOGFSSZ="SHARED")


@pytest.mark.parametrize("shared", [{"LOGFSUSE": "SHARED"}, {"LOGFSSZ": "SHARED"}])
def test_a_log_that_shares_its_file_system_has_its_use(shared: dict[str, str]) -> None:
    made = of_qmgr(QMFSUSE="41", **shared)
    assert made[QmgrFigure.log_fs_free_pct] == made[QmgrFigure.qmgr_fs_free_pct] == 59


@pytest.mark.parametrize("value", ["", "SHARED", "-1", "many"])
def test_what_is_no_number_is_not_known(value: str) -> None:
    assert of_qmgr(CONNS=value, LOGFSUSE="30") == {QmgrFigure.log_fs_free_pct: 70}


def test_a_queue_manager_that_does_not_run_has_no_figures() -> None:
    assert found(CapturedRecord("AMQ8705", {"CONNS": "60"}), status="ENDED UNEXPECTEDLY") == {}


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
    assert (
        found(
            CapturedRecord("AMQ8409", {"QUEUE": "REPLY.1", "DEFTYPE": "TEMPDYN", "MAXDEPTH": "5"}),
            CapturedRecord("AMQ8450", {"QUEUE": "REPLY.1", "CURDEPTH": "5"}),
            CapturedRecord("AMQ8450", {"QUEUE": "AMQ.62F1", "CURDEPTH": "5"}),
            CapturedRecord("AMQ8450", {"QUEUE": "A B", "CURDEPTH": "5"}),
        )
        == {}
    )


def test_each_instance_of_a_channel_has_its_status() -> None:
    states = [
        CapturedRecord("AMQ8417", {"CHANNEL": "C", "STATUS": state}) for state in ("RUNNING",) * 2
    ]
    made = found(*states, CapturedRecord("AMQ8417", {"CHANNEL": "C", "STATUS": "LAEUFT"}))
    assert list(made.values()) == [3, 3]


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


@pytest.mark.parametrize(
    ("text", "number"),
    [("S0001199.LOG", 1_199.0), ("S0000000.LOG", 0.0), (" ", None), ("R0001199.LOG", None)],
)
def test_the_oldest_extent_for_media_recovery_has_the_number_of_its_name(
    text: str, number: float | None
) -> None:
    assert of_qmgr(MEDIALOG=text).get(QmgrFigure.log_media_extent_count) == number
