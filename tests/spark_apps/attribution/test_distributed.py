"""What is put to distributed queue managers and queues is divided by the names of connections."""

from typing import Any

import pytest

from mqcap.domain.units import MIB_BYTES
from tests.spark_apps.attribution.parts import Part, parts_of, values

PUTS = {"qmgr": "QM/1", "step_seconds": 1_800.0, "reading": "delta"}
TEXTS = ("connection_id", "application", "user", "channel", "connection", "queue")


def accounted(application: str, puts: int, **more: Any) -> dict[str, Any]:
    texts = dict.fromkeys(TEXTS, "") | {"connection_id": application, "application": application}
    return {"qmgr": "QM/1", **texts, "put_count": puts, "put_bytes": 0, **more}


def found(*rows: dict[str, Any], parts_per_day: int = 20) -> list[Part]:
    samples = [
        {**PUTS, "figure": "put_count", "value": 3_600.0},
        {**PUTS, "figure": "queue_put_count", "object": "PAY.IN", "value": 1_800.0},
        {**PUTS, "figure": "put_bytes", "value": 1_800.0 * MIB_BYTES},
    ]
    return parts_of(parts_per_day, qmgr_sample=samples, qmgr_accounting=list(rows))


@pytest.mark.thorough
def test_a_queue_manager_has_parts_by_the_names_of_connections() -> None:
    rows = found(
        accounted("payd", 1_800, user="pay", channel="PAY.SVRCONN", connection="10.0.0.7",
                  put_bytes=900 * MIB_BYTES),
        accounted("amqsput", 900, user="ops"),
    )  # fmt: skip
    assert {row.subject for row in rows} == {"EAST/QM%2F1"}
    for breakdown, parts in {
        "application": {"payd": 1.0, "amqsput": 0.5},
        "user": {"pay": 1.0, "ops": 0.5},
        "channel": {"PAY.SVRCONN": 1.0, "other no channel": 0.5},
        "connection": {"10.0.0.7": 1.0, "other no connection": 0.5},
    }.items():
        assert values(rows, "mq_put_per_s", breakdown) == {"whole": 2.0, **parts}
    assert values(rows, "mq_put_mib_per_s", "application") == {"whole": 1.0, "payd": 0.5}


@pytest.mark.thorough
def test_queues_are_parts_of_their_queue_manager_and_have_parts_of_their_own() -> None:
    rows = found(
        accounted("payd", 900, queue="PAY.IN"),
        accounted("shopd", 450, queue="PAY.IN"),
        accounted("payd", 90, queue="AMQ.5B9F00D8210A1B2C"),
    )
    assert values(rows, "mq_put_per_s") == {"whole": 2.0, "PAY.IN": 0.75, "AMQ.*": 0.05}
    assert values(rows, "mq_put_per_s", "application") == {"whole": 2.0}
    of_queue = values(rows, "mq_queue_put_per_s", "application")
    assert of_queue == {"whole": 1.0, "payd": 0.5, "shopd": 0.25}
