"""Losses as matrices."""

from __future__ import annotations

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.losses.text.tables import matrices
from tests.plan_factories import loss

CF01, CF02, CF03 = "PLEX1/CF01", "PLEX1/CF02", "PLEX1/CF03"
MEMBER = SubjectKind.queue_manager


def test_a_matrix_has_what_is_lost_by_who_survives() -> None:
    first = loss(lost=CF01, survivors=(CF02,), cells=(), severity=Severity.ok)
    second = loss(lost=CF02, survivors=(CF03,), severity=Severity.watch)
    [matrix] = matrices([second, first])
    assert (matrix.title, matrix.names) == (
        "Coupling facilities of PLEX1",
        ["CF01", "CF02", "CF03"],
    )
    assert [row.loss.lost for row in matrix.rows] == [CF01, CF02]
    texts = [[cell.text for cell in row.cells] for row in matrix.rows]
    assert texts == [["", "", ""], ["", "", "CF busy 72.93 %, limit 60 %"]]
    assert [cell.fails for cell in matrix.rows[1].cells] == [False, False, True]
    assert matrix.severity is Severity.watch


def test_each_group_has_a_matrix_of_its_own() -> None:
    def member(name: str, *others: str) -> object:
        survivors = tuple(f"PLEX1/{each}" for each in others)
        return loss(lost=f"PLEX1/{name}", kind=MEMBER, survivors=survivors, cells=())

    losses = [member("A", "B"), member("C", "D"), member("B", "A"), member("D", "C")]
    found = matrices([loss(lost=CF02, survivors=(CF01,), cells=()), *losses])  # type: ignore[list-item]
    assert [matrix.names for matrix in found] == [["CF01", "CF02"], ["A", "B"], ["C", "D"]]
    assert found[1].title == "Members of PLEX1"


def test_groups_that_one_loss_joins_are_one_matrix() -> None:
    a = loss(lost="PLEX1/A", kind=MEMBER, survivors=("PLEX1/B",), cells=())
    c = loss(lost="PLEX1/C", kind=MEMBER, survivors=("PLEX1/D",), cells=())
    e = loss(lost="PLEX1/E", kind=MEMBER, survivors=("PLEX1/B", "PLEX1/D"), cells=())
    [matrix] = matrices([a, c, e])
    assert matrix.names == ["A", "B", "C", "D", "E"]
    assert matrices([]) == []
