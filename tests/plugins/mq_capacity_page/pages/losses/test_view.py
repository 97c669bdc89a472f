"""The losses of a day as a model."""

from __future__ import annotations

from typing import Any

from mq_capacity_page.pages.losses.view import MOST_FIGURES, losses_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.plan import PlanVariant
from mqcap.losses.cell import LossCell
from mqcap.store.losses import replace_losses
from tests.plan_factories import loss, loss_cell, plan_change
from tests.plugins import builder

CF02, CF03 = "PLEX1/CF02", "PLEX1/CF03"


def test_a_loss_has_its_figures_its_changes_and_a_question_for_what_if(
    context: PageContext,
) -> None:
    change = plan_change(subject=CF03, text="Give it 3 engines.", settings={"engines": 3})
    cells = (loss_cell(minutes_to_failure=0.0),)
    found = loss(cells=cells, changes=PlanVariant(changes=(change,)))
    replace_losses(context.engine, builder.DAY, [found])
    view = losses_view(context, builder.DAY)
    [shown], [matrix] = view.losses, view.matrices
    assert matrix.names == ["CF02", "CF03"]
    assert shown.consequence == (
        "CF03 takes its load: CF busy 72.93 %, limit 60 %, work stops at once. With these changes "
        "it is carried."
    )
    [figure] = shown.figures
    assert (str(figure.today), str(figure.limit), figure.until_failure) == (
        "72.93 %",
        "60 %",
        "at once",
    )
    assert shown.question == {"subject": CF02, "lose": CF02}
    assert shown.answer == {"subject": CF03, "engines": "3", "lose": CF02}
    assert shown.changes[0].startswith("PLEX1/CF03: Give it 3 engines.")


def test_a_figure_that_fails_is_shown_with_the_plans_and_with_the_changes(
    context: PageContext,
) -> None:
    kept = loss_cell(survivor="PLEX1/CF01", today=40.0, fails_today=False)
    found = loss(
        cells=(loss_cell(), kept),
        planned_cells=(loss_cell(today=64.6), kept),
        changed_cells=(loss_cell(today=48.6, fails_today=False),),
    )
    replace_losses(context.engine, builder.DAY, [found])
    failing, fine = losses_view(context, builder.DAY).losses[0].figures
    assert (failing.planned, failing.changed) == ("64.6 %, limit 60 %, FAILS", "48.6 %, limit 60 %")
    assert (fine.planned, fine.changed) == ("", "")


def test_a_card_begins_with_what_stops_work_and_unfolds_the_other_figures(
    context: PageContext,
) -> None:
    def cell(number: int, **changed: Any) -> LossCell:
        return loss_cell(survivor=f"PLEX1/CF{number:02}", subject=f"PLEX1/CF{number:02}", **changed)

    fine = [cell(number, today=40.0, fails_today=False) for number in range(3, 6)]
    failing = [cell(number) for number in range(6, 11)]
    stopping = cell(11, minutes_to_failure=0.0)
    replace_losses(context.engine, builder.DAY, [loss(cells=(*fine, *failing, stopping))])
    [shown] = losses_view(context, builder.DAY).losses
    names = [one.survivor for one in shown.figures]
    assert names == ["CF11", "CF06", "CF07", "CF08", "CF09"]
    assert [one.survivor for one in shown.further_figures] == ["CF03", "CF04", "CF05", "CF10"]
    assert shown.further_words == "4 more figures, 1 past a limit"


def test_a_card_with_one_figure_more_than_it_shows_shows_it_too(context: PageContext) -> None:
    cells = tuple(loss_cell(survivor=f"PLEX1/CF{number:02}") for number in range(3, 9))
    replace_losses(context.engine, builder.DAY, [loss(cells=cells)])
    [shown] = losses_view(context, builder.DAY).losses
    assert (len(shown.figures), shown.further_figures) == (MOST_FIGURES + 1, [])


def test_a_loss_without_changes_has_only_a_question(context: PageContext) -> None:
    replace_losses(context.engine, builder.DAY, [loss()])
    [shown] = losses_view(context, builder.DAY).losses
    assert (shown.answer, shown.changes) == ({}, [])


def test_a_day_without_losses_has_neither_matrix_nor_loss(context: PageContext) -> None:
    replace_losses(context.engine, builder.DAY, [])
    view = losses_view(context, builder.DAY)
    assert (view.matrices, view.losses) == ([], [])


def test_a_sentence_begins_with_a_capital_letter(context: PageContext) -> None:
    replace_losses(context.engine, builder.DAY, [loss(cells=(), survivors=())])
    [shown] = losses_view(context, builder.DAY).losses
    assert shown.consequence == "No survivor can be evaluated."
