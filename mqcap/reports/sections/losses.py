"""Section of the losses of coupling facilities and members: what each survivor carries."""

from collections.abc import Sequence
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.losses.model import Loss
from mqcap.losses.text.sentences import NOTE, brief_lines, consequence, minutes_text, worst_text
from mqcap.reports.document import ReportKind, Section, Table, columns, severity_cell, text_cell
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.store.plans import read_losses


def losses(basis: ReportBasis) -> Section:
    """Return what each survivor of each loss carries, and what is to be changed before it."""
    found = sorted(read_losses(basis.engine, basis.day), key=lambda loss: (loss.kind, loss.lost))
    assumptions = dict.fromkeys(line for loss in found for line in loss.assumptions)
    heading = "Loss of a coupling facility or member"
    if not found:
        blank = "No coupling facility or member of a queue sharing group can be lost."
        return Section(is_detail=True, heading=heading, sentences=(blank,))
    return Section(
        is_detail=True,
        heading=heading,
        sentences=(NOTE, *assumptions),
        tables=(_carried(found), _details(found)),
    )


def _carried(found: Sequence[Loss]) -> Table:
    return Table(
        name="Losses",
        columns=columns("Lost 0.9, Severity 0.7, Survivor 0.7, What it carries 4"),
        rows=tuple(
            (
                text_cell(loss.lost),
                severity_cell(loss.severity),
                text_cell(survivor.name),
                text_cell(worst_text(loss, survivor)),
            )
            for loss in found
            for survivor in loss.survivors
        ),
    )


def _details(found: Sequence[Loss]) -> Table:
    return Table(
        name="Losses: what to change",
        columns=columns("Lost 0.9, What fails 2.4, Work stops 0.8, Change 3"),
        rows=tuple(
            (
                text_cell(loss.lost),
                text_cell(consequence(loss)),
                text_cell("" if stops is None else minutes_text(stops)),
                text_cell(" ".join(brief_lines(loss))),
            )
            for loss in found
            if loss.severity is not Severity.ok
            for stops in [loss.minutes_to_first_failure]
        ),
        blank="The survivors carry every loss.",
    )


SECTION: Final = SectionEntry(45, frozenset({ReportKind.monthly}), losses, of_sysplexes=True)
