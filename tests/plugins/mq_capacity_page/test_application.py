"""Answers of the application that no page of its own gives, and queries that pages share."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

import mq_capacity_page
from mq_capacity_page.pages.discovery import navigation, page_names
from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.context import (
    PageContext,
    fleet_lines_on,
    search_series,
    series_ids_matching,
)
from mqcap.store.database import connect
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses
from mqcap.store.step_runs import save_step_run
from mqcap.store.tables import LossRow
from tests.factories import step_run
from tests.plan_factories import loss
from tests.plugins import builder
from tests.plugins.web import TestClient, text_of


@pytest.mark.parametrize("address", ["/?", "/plan?resource=x&", "/runs?"])
def test_a_day_that_is_no_date_is_answered_with_a_page(filled: TestClient, address: str) -> None:
    answer = filled.get(f"{address}day=tomorrow", follow_redirects=False)
    assert answer.status_code == 422
    assert "Invalid parameter in the address" in text_of(answer)
    assert "day: Input should be a valid date" in text_of(answer)


@pytest.mark.parametrize(
    "address",
    [
        "/series?series=log_growth_mib_per_s/PLEX1/NONE",
        "/trace?series=none/PLEX1&at=2026-01-05",
        "/resource?path=NOWHERE",
        "/finding?rule=NONE&subject=PLEX1/CSQ1",
        "/whatif?subject=PLEX9/CSQ9",
        "/figure?series=nothing&day=2026-01-31",
        "/mail-content?delivery=none",
        "/mail-content?delivery=d1",
        "/static/application.py",
        "/static/..%2Fgateway.py",
        "/nothing",
    ],
)
def test_what_is_not_known_is_not_found(filled: TestClient, address: str) -> None:
    answer = filled.get(address)
    assert answer.status_code == 404
    assert "Not found" in text_of(answer)


def test_a_store_that_is_down_gives_a_page_that_says_so_until_it_comes_back(
    site_folder: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setenv("MQCAP_STORE__URL", "postgresql://capacity:secret@127.0.0.1:1/none")
        answer = client.get("/")
    assert client.get("/").status_code == 200
    assert answer.status_code == 503
    assert "The store does not answer" in text_of(answer)
    assert "secret" not in answer.text
    assert answer.headers["retry-after"] == "30"


def test_settings_that_do_not_fit_give_a_page_that_names_the_key(
    site_folder: Path, client: TestClient
) -> None:
    (site_folder / "platform.yaml").write_text("sitte: {}\n", encoding="utf-8")
    answer = client.get("/")
    assert answer.status_code == 500
    assert "The settings are invalid" in text_of(answer)
    assert "sitte" in text_of(answer)


def test_a_method_that_an_address_does_not_have_is_refused_with_a_page(filled: TestClient) -> None:
    answer = filled.post("/")
    assert answer.status_code == 405
    assert "Request refused" in text_of(answer)


@pytest.mark.parametrize("address", ["/", "/api/losses"])
def test_rows_of_another_release_are_named_with_their_days(
    site_folder: Path, filled: TestClient, address: str
) -> None:
    store = connect(f"sqlite:///{site_folder / builder.STORE_FILE}")
    replace_losses(store, builder.DAY, [loss()])
    with store.begin() as connection:
        connection.execute(update(LossRow).values(document={}))
    store.dispose()
    answer = filled.get(f"{address}?day={builder.DAY}")
    assert answer.status_code == 500
    assert "Stored data cannot be read" in text_of(answer)
    assert f"1 row of loss cannot be read, on {builder.DAY}. Run these days again." in text_of(
        answer
    )


def test_every_folder_of_pages_is_a_page_with_a_view() -> None:
    root = Path(mq_capacity_page.__path__[0]) / "pages"
    folders = {path.parent.name for path in root.glob("*/routes.py")}
    assert {name.rpartition(".")[2] for name in page_names()} == folders
    assert {path.parent.name for path in root.glob("*/view.py")} == folders


def test_entries_have_names_and_positions_of_their_own() -> None:
    assert len({entry.name for entry in navigation()}) == len(navigation())
    assert len({entry.order for entry in navigation()}) == len(navigation())


def test_lines_of_a_site_are_read_once_until_a_step_ends(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "current_context", lambda: context)
    fleet_lines_on(context, builder.DAY)
    ended = step_run()
    save_step_run(context.engine, ended)
    lines = fleet_lines_on(context, builder.DAY)
    assert len(lines) > 0
    replace_findings(context.engine, builder.DAY, [])
    assert fleet_lines_on(context, builder.DAY) == lines
    later = ended.ended_at_utc + timedelta(seconds=1)
    save_step_run(context.engine, ended.model_copy(update={"ended_at_utc": later}))
    assert fleet_lines_on(context, builder.DAY) == []


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("", [builder.CF, builder.QUIET, builder.LOG, builder.LOG_TEST]),
        ("  cf01 ", [builder.CF, builder.QUIET]),
        ("log growth", [builder.LOG, builder.LOG_TEST]),
        ("nothing", []),
    ],
    ids=["all", "subject", "label", "none"],
)
def test_a_series_is_found_by_id_or_label(
    context: PageContext, part: str, found: list[str]
) -> None:
    matches = search_series(context, part, builder.DAY)
    assert [facts.series_id for facts in matches] == found
    assert series_ids_matching(context, part) == found


def test_a_search_with_a_day_leaves_out_series_that_began_later(context: PageContext) -> None:
    before_the_first = builder.DAY - timedelta(days=builder.HISTORY_DAYS)
    assert len(search_series(context, "", builder.DAY)) == 4
    matches = search_series(context, "", before_the_first)
    assert [facts.series_id for facts in matches] == [builder.QUIET]  # never measured
