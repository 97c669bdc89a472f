"""Parts of a series on its page: the table of its growth and the days of its chart."""

from datetime import timedelta
from pathlib import Path

import pytest

from mq_capacity_page.pages.series.sub_daily import CHART_DAYS, parts_chart, parts_view
from mq_capacity_page.web.context import PageContext
from mqcap.settings.analysis import AttributionSettings
from tests.mqcap.lake.parts import growing_log
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of

FACTS = builder.facts(builder.LOG)


@pytest.fixture
def grown(context: PageContext) -> PageContext:
    growing_log(Path(context.settings.lake), last=builder.DAY)
    return context


def test_the_table_has_values_of_both_ends_and_shares(grown: PageContext) -> None:
    view = parts_view(grown, FACTS, builder.DAY)
    assert view is not None
    assert str(view.growth) == "+720 MB/hour"
    assert view.then_days == "2 Jan to 8 Jan 2026"
    assert [(row["part"], row["share"]) for row in view.rows] == [
        ("PAY.IN", "100 %"),
        ("ORDER.IN", "0 %"),
        ("all others", "0 %"),
    ]


def test_without_shares_or_parts_the_page_says_why(grown: PageContext) -> None:
    view = parts_view(grown, FACTS, builder.DAY)
    assert view is not None
    assert view.notes == []
    assert [row["change"] for row in view.rows] == ["+720", "+0", "+0"]
    least = AttributionSettings(least_growth_pct=20.1)
    strict = grown._replace(settings=grown.settings.model_copy(update={"attribution": least}))
    view = parts_view(strict, FACTS, builder.DAY)
    assert view is not None
    assert "share" not in view.rows[0]
    assert view.notes == ["It hardly changed, so parts have a change and no share in it."]


def test_the_chart_has_the_measured_days_of_two_months(grown: PageContext) -> None:
    chart = parts_chart(grown, FACTS, builder.DAY)
    assert chart is not None
    assert [part.name for part in chart.bars] == ["ORDER.IN", "PAY.IN", "all others"]
    assert {len(part.points) for part in chart.bars} == {30}
    assert chart.last - chart.first == CHART_DAYS


def test_days_before_the_first_part_have_no_parts(grown: PageContext) -> None:
    earlier = builder.DAY - timedelta(days=60)
    assert parts_view(grown, FACTS, earlier) is None
    assert parts_chart(grown, FACTS, earlier) is None
    assert parts_view(grown, builder.facts(builder.CF), builder.DAY) is None


def test_the_page_of_a_series_with_parts_has_their_table_and_chart(
    filled: TestClient, site_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing_log(site_folder / "parts", last=builder.DAY)
    monkeypatch.setenv("MQCAP_LAKE", str(site_folder / "parts"))
    answer = filled.get(f"/series?series={builder.LOG}&grain=parts")
    assert "Why it grew: +720 MB/hour" in text_of(answer)
    assert any(row.startswith("PAY.IN") for row in rows_of(answer))
    assert 'class="part-1"' in answer.text


def test_a_series_without_parts_says_so(filled: TestClient) -> None:
    answer = filled.get(f"/series?series={builder.LOG}&grain=parts")
    assert "Nothing is measured in this time" in text_of(answer)
