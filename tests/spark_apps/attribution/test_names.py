"""Dynamic queues are folded to their prefix."""

from __future__ import annotations

import pytest

from tests.spark_apps.attribution.parts import parts_of, put, values


@pytest.mark.thorough
def test_dynamic_queues_are_one_part() -> None:
    queues = [
        put("CSQ.DA12F0C4B3E5D7A1", 5),
        put("CSQ.DA12F0C4B3E5D7FF", 6),
        put("CSQ.DA12F0C4B3E", 1),
        put("REPLY.DA12F0C4B3E5", 2),
    ]
    rows = parts_of(section_qqst=queues, section_qmst=[{"qmstput": 14, "qmstput1": 0}])
    names = {part for _, kind, part in values(rows, "messages_put_per_s") if kind == "queue"}
    assert names == {"CSQ.*", "CSQ.DA12F0C4B3E", "REPLY.*"}
