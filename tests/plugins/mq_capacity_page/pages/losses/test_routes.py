"""The page of losses."""

from __future__ import annotations

from pathlib import Path

from mqcap.store.database import open_store
from mqcap.store.losses import replace_losses
from tests.plan_factories import loss, loss_cell
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of


def test_the_matrix_and_the_figures_are_on_the_page(filled: TestClient, tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / builder.STORE_FILE}")
    replace_losses(engine, builder.DAY, [loss()])
    engine.dispose()
    rows = rows_of(filled.get("/losses"))
    assert any("PLEX1/CF02 lost CF busy 72.93 %, limit 60 %" in row for row in rows)
    assert any(row.startswith("CF03 CF busy CF-BUSY-N PLEX1/CF03 21.5") for row in rows)


def test_figures_beyond_the_first_ones_are_unfolded(filled: TestClient, tmp_path: Path) -> None:
    names = [f"PLEX1/CF{number:02}" for number in range(3, 12)]
    cells = tuple(loss_cell(survivor=name, subject=name) for name in names)
    engine = open_store(f"sqlite:///{tmp_path / builder.STORE_FILE}")
    replace_losses(engine, builder.DAY, [loss(cells=cells)])
    engine.dispose()
    page = filled.get("/losses")
    assert "<summary>4 more figures, 4 past a limit</summary>" in page.text
    rows = rows_of(page)
    assert all(any(row.startswith(f"{name[-4:]} CF busy") for row in rows) for name in names)


def test_a_day_on_which_nothing_can_be_lost_says_so(filled: TestClient) -> None:
    assert "Nothing can be lost" in text_of(filled.get("/losses"))


def test_a_day_without_a_run_says_so_and_names_the_newest_day(filled: TestClient) -> None:
    text = text_of(filled.get("/losses?day=2020-01-01"))
    assert "Not evaluated No run has evaluated the rules of this day." in text
    assert "The newest evaluated day is 31 Jan 2026." in text
    assert "Nothing can be lost" not in text
