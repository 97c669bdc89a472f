"""The plans of a day in a report."""

from __future__ import annotations

from pathlib import Path

from mqcap.reports.sections.requested_changes import requested_changes
from tests.mqcap.reports.builders import basis


def test_a_day_without_a_plan_says_so(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = requested_changes(made)
    assert (section.sentences, section.tables[0].rows) == ((), ())
    assert section.tables[0].blank.startswith("No change is to be requested")
