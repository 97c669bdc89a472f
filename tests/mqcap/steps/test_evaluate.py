"""The step that evaluates the rules: it replaces one day and counts what it found."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.crossings import read_crossings
from mqcap.store.findings import read_findings, replace_findings
from tests.factories import finding
from tests.mqcap.rulebook.builders import DAY, days, new_store, observe, settings_of


@pytest.mark.thorough
def test_the_counts_are_those_of_the_findings_in_the_store(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", days(30, 2.0))
    counts = evaluate_rules(settings_of(tmp_path), engine, DAY)
    stored = read_findings(engine, DAY)
    assert counts["findings"] == len(stored) > 0
    for severity in {result.severity for result in stored}:
        assert counts[severity] == sum(result.severity is severity for result in stored)
    assert len(read_crossings(engine, DAY)) <= len(stored)


def test_findings_of_an_earlier_evaluation_are_replaced_and_other_days_kept(
    tmp_path: Path,
) -> None:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", days(30, 2.0))
    before = DAY - timedelta(days=1)
    for day in (before, DAY):
        replace_findings(engine, day, [finding("PLEX9/OLD", site_date=day)])
    evaluate_rules(settings_of(tmp_path), engine, DAY)
    assert "PLEX9/OLD" not in {result.subject for result in read_findings(engine, DAY)}
    assert [result.subject for result in read_findings(engine, before)] == ["PLEX9/OLD"]


@pytest.mark.thorough
def test_a_second_evaluation_gives_the_same_counts(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", days(30, 2.0))
    first = evaluate_rules(settings_of(tmp_path), engine, DAY)
    assert evaluate_rules(settings_of(tmp_path), engine, DAY) == first
