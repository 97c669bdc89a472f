"""Words of every page against the ones that are kept, and budgets at a large site."""

import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from mq_capacity_page.pages.board.view import ROWS_PER_PAGE
from mq_capacity_page.pages.data import dag_runs
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import Store
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.factories import DAY
from tests.mqcap.cli.command_line import COMMAND
from tests.mqcap.notifications.builders import first_results
from tests.plugins import builder
from tests.plugins.web import TestClient, words_of
from tests.summary_budget import PLAN_LINES, REPORT_LINES, board_rows, over_budget

GOLDEN: Final = Path(__file__).parents[1] / "golden"
PAGES: Final = {
    "board": "/",
    "resource": "/resource?path=PLEX1/CSQ1/active_log",
    "resource-without-series": "/resource?path=PLEX1/CF01",
    "resources": "/resources",
    "resources-of-one": "/resources?name=PLEX1/CSQ1",
    "series": f"/series?series={builder.LOG}",
    "finding": "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1",
    "whatif": "/whatif?subject=PLEX1/CSQ1&growth=10-30",
    "reports": "/reports",
    "management": "/management",
    "data": "/data",
}


@pytest.mark.parametrize("name", PAGES)
def test_words_of_a_page_are_those_of_its_golden_file(
    filled: TestClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(dag_runs, "last_runs", list)
    answer = filled.get(PAGES[name])
    assert answer.status_code == 200
    assert len(re.findall(r"<h1[ >]", answer.text)) == 1
    # the explanation of figures is that of ``mqcap explain``, with a golden of its own
    shown = re.sub(
        r'<details class="fold" id="explained">.*?</details>', "", answer.text, flags=re.DOTALL
    )
    words = textwrap.fill(words_of(shown), 100, break_long_words=False, break_on_hyphens=False)
    kept = GOLDEN / f"{name}.txt"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        kept.write_text(f"{words}\n", encoding="utf-8")
    assert f"{words}\n" == kept.read_text(encoding="utf-8")


QUEUE_MANAGERS = 72
RESOURCES = 3 * QUEUE_MANAGERS
A_ROW = re.compile(r"^(?:Act|Watch) ", re.MULTILINE)


def printed(*arguments: str) -> str:
    """What a command prints into a pipe."""
    result = CliRunner().invoke(COMMAND, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def large(site_folder: Path) -> Iterator[Store]:
    engine = builder.empty_store(site_folder)
    today = first_results(QUEUE_MANAGERS)
    replace_findings(engine, DAY, today.findings)
    replace_crossings(engine, DAY, today.crossings)
    replace_plans(engine, DAY, today.plans)
    replace_feed_days(engine, DAY, DAY, today.feeds)
    yield engine
    engine.dispose()


def test_every_resource_is_one_line_of_the_plan_and_a_screen_in_full(large: Store) -> None:
    assert len(A_ROW.findall(printed("plan"))) == RESOURCES
    for name in ("Q000/active_log", "Q071/recovery"):
        assert len(printed("plan", name).splitlines()) <= PLAN_LINES


def test_the_report_on_a_screen_has_its_lines(large: Store) -> None:
    assert len(printed("report").splitlines()) <= REPORT_LINES


def test_a_row_of_the_board_has_its_words(large: Store, client: TestClient) -> None:
    starts = range(0, RESOURCES, ROWS_PER_PAGE)
    pages = [client.get("/", params={"start": start}).text for start in starts]
    rows = [row for page in pages for row in board_rows(page)]
    assert len(rows) == RESOURCES
    assert over_budget(rows) == []
