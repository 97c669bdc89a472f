"""Faults of writing on PostgreSQL, and two daily runs, a backfill and the page at once.

The runs are processes of their own; so is the page, which is read and written to until they end.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Engine, text

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from mqcap.steps import runner
from mqcap.store.annotations import annotations_of
from mqcap.store.database import open_store
from mqcap.store.findings import read_findings
from mqcap.store.problems import latest_acknowledgements, problem_progress
from tests.faults.dying import FINISHED, Point, dies_at, in_child, started
from tests.faults.site import BEFORE, DAY_BEFORE, LAST_DAY, Site, contents, differences, move_rows
from tests.mqcap.store.postgres import new_database, postgres_server

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end, pytest.mark.airflow]

STEPS: Final = ("observe", "export_training", "store_forecasts", "size")
"""The steps before ``alert`` that write to the store; forecasts of both days are in the lake."""
PATHS: Final = ("/", "/resources", "/api/findings", "/reports")
OF_THE_PAGE: Final = ("problem_mark ", "annotation ")
"""Rows that only the page writes."""
REQUESTS_AT_LEAST: Final = 5
At = Callable[[str], str]


KILLS: Final = (
    ("land", Point("mqcap.steps.land:upsert_source_files", after=True)),
    ("observe", Point("mqcap.store.observations:_write_digests")),
    ("store_forecasts", Point("mqcap.store.forecasts:insert_rows", after=True)),
    ("size", Point("mqcap.steps.evaluate:replace_crossings")),
    ("alert", Point("mqcap.store.problems:upsert", after=True)),
    ("alert", Point("mqcap.steps.notify:save_delivery", after=True)),
)
"""Between the transactions of a step, and within those that write many rows."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture
def at(server: str, site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[At]:
    """Put the store into the state after a step, on PostgreSQL; returns its address."""
    with ExitStack() as databases:

        def moved(step: str) -> str:
            url = databases.enter_context(new_database(server))
            move_rows(f"sqlite:///{site.folder / 'after' / step / 'store.db'}", url)
            monkeypatch.setenv("MQCAP_STORE__URL", url)
            return url

        yield moved


@pytest.mark.parametrize(
    ("step", "point"), KILLS, ids=[f"{step}-{point.function}" for step, point in KILLS]
)
def test_a_killed_step_is_repaired_by_a_rerun(site: Site, at: At, step: str, point: Point) -> None:
    site.back_to(BEFORE[step])
    store_url = at(BEFORE[step])
    assert in_child(lambda: site.run(step), dies_at(point)) == "SIGKILL"
    site.run(step)
    assert differences(contents(site.work, store_url), site.left_after(step)) == []


def test_two_runs_a_backfill_and_the_page_at_once_lose_nothing(site: Site, at: At) -> None:
    site.back_to("fit")  # so that the lake has the forecasts of both days
    store_url = at("decode_and_aggregate")
    engine = open_store(store_url)
    in_order = [
        finding for finding in read_findings(engine, DAY_BEFORE) if finding.severity is Severity.ok
    ]
    keys = [f"{finding.rule_id}/{finding.subject}" for finding in in_order]
    [plex] = load_settings().complete_estate().sysplexes
    subject = f"{plex.sysplex}/{plex.qmgrs[0].name}"
    ended, written = site.work / "ended", site.work / "written"
    page = started(partial(_use_page, subject, keys, ended, written))
    live = partial(site.run_all, STEPS, LAST_DAY, runner.alert)
    runs = [
        started(live),
        started(live),
        started(partial(site.run_all, STEPS, DAY_BEFORE, partial(runner.alert, replay=True))),
    ]
    assert [wait() for wait in runs] == [FINISHED] * len(runs)
    ended.touch()
    assert page() == FINISHED
    runner.alert(load_settings(), LAST_DAY)
    saved = int(written.read_text(encoding="utf-8"))
    assert saved >= REQUESTS_AT_LEAST
    assert len(latest_acknowledgements(engine, LAST_DAY)) == saved
    assert len(annotations_of(engine, subject)) == saved
    assert problem_progress(engine, LAST_DAY) == (LAST_DAY, ())
    ended.unlink()
    written.unlink()
    assert _but_the_page(site, store_url) == []
    assert _deadlocks(engine) == 0
    engine.dispose()


def _use_page(subject: str, keys: Sequence[str], ended: Path, written: Path) -> None:
    """Read pages, annotate and acknowledge until the runs have ended; every answer is right."""
    from airflow.api_fastapi.core_api.security import get_user  # noqa: PLC0415 - loads Airflow

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - loads Airflow
    from mq_capacity_page.web import dependencies as auth  # noqa: PLC0415 - loads Airflow
    from tests.plugins import web  # noqa: PLC0415 - as above

    pytest.MonkeyPatch().setattr(auth, "get_auth_manager", lambda: web.Manager({"GET", "PUT"}))
    page = create_application()
    page.dependency_overrides[get_user] = web.Person
    count = 0
    with web.TestClient(page, follow_redirects=False, headers=web.OWN) as client:
        while count < REQUESTS_AT_LEAST or not ended.exists():
            for path in PATHS:
                answer = client.get(path)
                assert answer.status_code == 200, f"{path}: {web.text_of(answer)[:500]}"
            note = {"subject": subject, "note": f"note {count}", "first": str(DAY_BEFORE)}
            known = {"problem": keys[count], "words": "acknowledged"}
            for path, fields in (("/annotate", note), ("/answer", known)):
                answer = client.post(path, data=fields)
                assert answer.status_code == 303, f"{path} {fields}: {web.text_of(answer)[:500]}"
            count += 1
            if count == len(keys):
                break
    written.write_text(str(count), encoding="utf-8")


def _but_the_page(site: Site, store_url: str) -> list[str]:
    result = contents(site.work, store_url)
    runs = {name: row for name, row in result.items() if not name.startswith(OF_THE_PAGE)}
    return differences(runs, site.left_after("alert"))


def _deadlocks(engine: Engine) -> int:
    with engine.connect() as connection:
        return int(connection.scalar(text("SELECT sum(deadlocks) FROM pg_stat_database")) or 0)
