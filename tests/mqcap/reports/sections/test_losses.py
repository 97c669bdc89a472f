"""The section of losses in the monthly plan."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.presentation.loss_text import NOTES
from mqcap.reports.document import ReportKind
from mqcap.reports.registry import sections_of
from mqcap.reports.sections.losses import SECTION, losses
from mqcap.store.losses import replace_losses
from tests.factories import DAY, loss, loss_cell
from tests.mqcap.reports.builders import basis


def test_the_matrix_has_survivors_as_columns_and_what_fails_below(tmp_path: Path) -> None:
    carried = loss(lost="PLEX1/CF03", survivors=("PLEX1/CF02",), cells=(), severity=Severity.ok)
    stopped = loss(cells=(loss_cell(minutes_to_failure=0.0),), assumptions=("Both peaks.",))
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, [stopped, carried])
        section = losses(made)
    assert section.sentences == (*NOTES, "Both peaks.")
    matrix, details = section.tables
    assert [column.heading for column in matrix.columns] == ["Lost", "Severity", "CF02", "CF03"]
    assert [[cell.text for cell in row] for row in matrix.rows] == [
        ["CF02", "◆ Watch", "lost", "CF busy 72.93 % of 60 %"],
        ["CF03", "✓ OK", "\N{EN DASH}", "lost"],
    ]
    [row] = details.rows
    assert [cell.text for cell in row][:3] == [
        "CF02",
        "CF03: CF busy 72.93 % of 60 %.",
        "at once",
    ]


def test_an_estate_without_facilities_and_groups_has_a_sentence(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = losses(made)
    assert section.tables == ()
    assert section.sentences[0].startswith("No coupling facility")


def test_only_the_monthly_plan_has_the_section() -> None:
    assert [kind for kind in ReportKind if SECTION in sections_of(kind)] == [ReportKind.monthly]
