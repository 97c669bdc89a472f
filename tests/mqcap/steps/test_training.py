"""The digest of a series changes with everything that goes into its forecast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

import pytest

from mqcap.domain.forecast import DriverCourse, DriverPlan
from mqcap.domain.metric import Statistic
from mqcap.steps.training import TrainingData
from mqcap.store.models import TrainingRow

DAY = date(2026, 10, 15)
ONE, TWO = "cf_busy_pct/PLEX1/CF01", "cf_busy_pct/PLEX1/CF02"
COURSE = DriverCourse(name="payments", values={DAY: 5.0})


def rows(identity: str) -> list[TrainingRow]:
    return [
        TrainingRow(identity, statistic, DAY - timedelta(days=back), 40.0 + back, 100.0)
        for statistic in (Statistic.mean, Statistic.peak)
        for back in (1, 0)
    ]


def facts(**changed: str | None) -> dict[str, str | None]:
    return {"country": "DK", "calendar": None, "known_changes": None} | changed


DATA: Final = TrainingData([*rows(ONE), *rows(TWO)], {ONE: facts(), TWO: facts()}, {ONE: COURSE})


def row(**changed: object) -> TrainingData:
    """The data with the first row of the first series changed."""
    return replace(DATA, rows=[DATA.rows[0]._replace(**changed), *DATA.rows[1:]])  # type: ignore[arg-type]


def fact(**changed: str) -> TrainingData:
    return replace(DATA, facts={ONE: facts(**changed), TWO: facts()})


def driver(**changed: object) -> TrainingData:
    return replace(DATA, courses={ONE: COURSE.model_copy(update=changed)})


def changed_series(data: TrainingData) -> list[str]:
    """Series and statistics of which the digest is another one."""
    pairs = zip(DATA.series(), data.series(), strict=True)
    return [f"{after.series_id[-4:]} {after.statistic}" for before, after in pairs
            if before.sha256 != after.sha256]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        row(value=40.9),
        row(site_date=DAY - timedelta(days=9)),
        row(ceiling=None),
        row(ceiling=99.0),
        replace(DATA, rows=[DATA.rows[0], *DATA.rows]),
        replace(DATA, rows=DATA.rows[1:]),
    ],
)
def test_a_row_changes_the_digest_of_its_statistic(data: TrainingData) -> None:
    assert changed_series(data) == ["CF01 mean"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: fact(country="US"),
        lambda: fact(calendar="{}"),
        lambda: fact(known_changes="2026-10-01"),
        lambda: driver(values={DAY: 6.0}),
        lambda: driver(plans=(DriverPlan(first=DAY, pct=30),)),
        lambda: driver(gain_min_ratio=0.5),
        lambda: replace(DATA, courses={}),
    ],
)
def test_what_goes_with_a_series_changes_its_digests_and_no_other(
    make: Callable[[], TrainingData],
) -> None:
    assert changed_series(make()) == ["CF01 mean", "CF01 peak"]


def test_digests_are_in_the_order_of_the_numbers_of_the_rows() -> None:
    table = DATA.table()
    numbered = zip(*(table[name].to_pylist() for name in ("series_id", "statistic")), strict=True)
    assert list(dict.fromkeys(numbered)) == [one.key for one in DATA.series()]
    assert table["series_number"].to_pylist() == [0, 0, 1, 1, 2, 2, 3, 3]
    texts = [COURSE.model_dump_json(), None]
    assert table["driver"].to_pylist() == [*texts, *texts, None, None, None, None]
    assert "driver" not in replace(DATA, courses={}).table().column_names


def test_without_rows_there_is_an_empty_table() -> None:
    empty = TrainingData([], {}, {})
    assert (empty.series(), empty.table().num_rows) == ((), 0)
