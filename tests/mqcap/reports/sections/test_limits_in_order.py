"""The appendix of limits in order."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.reports.sections.limits_in_order import limits_in_order
from tests.factories import crossing, finding
from tests.mqcap.reports.builders import basis, texts


def test_limits_that_are_not_urgent_and_have_a_forecast_are_in_the_appendix(
    tmp_path: Path,
) -> None:
    findings = [
        finding(f"PLEX1/{severity.name.upper()}", severity=severity, breach=False)
        for severity in Severity
    ]
    unforeseen = finding("PLEX1/CSQ9", severity=Severity.ok, breach=False)
    crossings = [crossing(item) for item in findings]
    with basis(tmp_path, [*findings, unforeseen], crossings) as made:
        section = limits_in_order(made)
    assert {row[0] for row in texts(section.tables[0])} == {"OK", "SUGGESTION", "UNKNOWN"}
    assert section.is_detail
