"""Words of every page against the ones that are kept: what a reader sees, and nothing twice."""

import os
import re
import textwrap
from pathlib import Path
from typing import Final

import pytest

from mq_capacity_page.pages.data import dag_runs
from tests.plugins import builder
from tests.plugins.web import TestClient, words_of

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
