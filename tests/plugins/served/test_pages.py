"""Pages for a signed-in reader: found, empty, unknown, store down."""

import pytest

from mq_capacity_page.pages.data import dag_runs
from tests.plugins import builder
from tests.plugins.mq_capacity_page.test_page_goldens import PAGES as GOLDEN_PAGES
from tests.plugins.web import TestClient, text_of

PAGES = [*GOLDEN_PAGES.values(), f"/series?series={builder.QUIET}", "/whatif", "/scenarios"]


@pytest.fixture(autouse=True)
def without_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Airflow knows no run: its database is not that of these tests."""
    monkeypatch.setattr(dag_runs, "last_runs", list)


def test_shifts_of_the_site_have_their_mean_beside_the_hours_of_the_week(
    traced: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = '[{"name": "whole day", "first_hour": 0, "last_hour": 23}]'
    monkeypatch.setenv("MQCAP_SITE__SHIFTS", whole)
    text = text_of(traced.get("/series", params={"series": builder.LOG}))
    assert "whole day" in text.partition("Hours of the week")[2]


@pytest.mark.parametrize(
    "address", ["/", "/resources", "/whatif", "/reports", "/management", "/data"]
)
def test_an_empty_store_says_what_to_do(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "daily DAG" in text_of(answer)


@pytest.mark.parametrize(
    ("address", "now"),
    [
        ("/plan?resource=PLEX1/CSQ1/active_log", "/resource?path=PLEX1%2FCSQ1%2Factive_log"),
        ("/subject?name=PLEX1/CSQ1", "/resources?name=PLEX1%2FCSQ1"),
        (
            "/explain?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31",
            "/finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-01-31#explained",
        ),
        ("/losses?day=2026-01-31", "/?find=%2Floss&day=2026-01-31"),
        ("/tickets", "/reports"),
        ("/mail?day=2026-01-31", "/reports?day=2026-01-31"),
        ("/scorecard", "/reports"),
        ("/completeness", "/data"),
        ("/runs", "/data"),
        ("/series", "/resources"),
    ],
)
def test_an_address_of_an_earlier_release_leads_to_its_page_of_today(
    filled: TestClient, address: str, now: str
) -> None:
    moved = filled.get(address, follow_redirects=False)
    assert moved.status_code in {303, 308}
    assert f"/{moved.headers['location'].removeprefix('./')}" == now
    assert filled.get(address).status_code == 200
