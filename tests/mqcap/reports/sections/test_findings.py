"""The findings to act on and to watch."""

from datetime import timedelta
from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.losses.text.as_plan import plan_of_loss
from mqcap.presentation.dates import short_day
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.findings import findings
from tests.factories import DAY, crossing, finding
from tests.mqcap.reports.builders import basis, texts
from tests.plan_factories import loss, loss_finding


def test_of_each_severity_only_act_and_watch_are_listed_and_act_first(tmp_path: Path) -> None:
    graded = [
        finding(f"PLEX1/{severity.name.upper()}", severity=severity, breach=False)
        for severity in sorted(Severity, key=lambda severity: severity.rank)
    ]
    with basis(tmp_path, graded, kind=ReportKind.weekly) as made:
        section = findings(made)
    rows = [" ".join(row) for row in texts(section.tables[0])]
    assert len(rows) == 2
    assert ["ACT" in rows[0], "WATCH" in rows[1]] == [True, True]


def test_a_loss_is_due_on_the_day_of_its_plan_and_not_at_once(tmp_path: Path) -> None:
    due = DAY + timedelta(days=14)
    with basis(tmp_path, [loss_finding("LOSS-CF-BUSY")]) as made:
        section = findings(made._replace(losses=[plan_of_loss(loss(due_date=due))]))
    [row] = texts(section.tables[0])
    assert short_day(due) in " ".join(row)
    assert "at once" not in row


def test_the_monthly_plan_has_other_limits_with_a_forecast_too(tmp_path: Path) -> None:
    graded = [
        finding(f"PLEX1/{severity.name.upper()}", severity=severity, breach=False)
        for severity in Severity
    ]
    unforeseen = finding("PLEX1/CSQ9", severity=Severity.ok, breach=False)
    with basis(tmp_path, [*graded, unforeseen], [crossing(item) for item in graded]) as made:
        section = findings(made)
    assert {row[1] for row in texts(section.tables[0])} == {each.name.upper() for each in Severity}
    assert section.is_detail
