from __future__ import annotations

from spark_apps.metrics import structures
from tests.spark_apps.rows import levels, sections


def test_a_backup_reports_its_size_at_its_end() -> None:
    events = [{"message_id": "CSQE121I", "amount": 34.0}, {"message_id": "CSQE121I"}]
    rows = structures.backups(sections(console_event=events))
    assert levels(rows) == {("cf_backup_mib", "PLEX1/CSQ1"): [34.0]}
