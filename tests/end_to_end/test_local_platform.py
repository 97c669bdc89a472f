"""`make run` itself: a real scheduler on PostgreSQL, a real login, a backfill from the API."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import psutil
import pytest
from playwright.sync_api import Page

from devtools.local.airflow import USER
from devtools.local.airflow_api import DAILY, ENDED, AirflowApi
from mqcap.store.database import Store, open_store
from mqcap.store.findings import read_findings
from mqcap.store.forecasts import read_forecasts
from mqcap.store.outbox import read_deliveries
from mqcap.store.tickets import read_tickets
from tests.browser.serving import chromium

DAYS: Final = 30
START_SECONDS: Final = 900.0
BACKFILL_SECONDS: Final = 600.0
STOP_SECONDS: Final = 90.0
pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.airflow,
    pytest.mark.spark,
    pytest.mark.timeout(START_SECONDS + BACKFILL_SECONDS),
]
START: Final = (
    "import sys; from pathlib import Path; from devtools.local.run import run;"
    f"sys.exit(run(serve=True, days={DAYS}, var=Path(sys.argv[1])))"
)


@dataclass
class Running:
    process: subprocess.Popen[bytes]
    var: Path
    printed: Path
    url: str
    password: str

    def api(self) -> AirflowApi:
        return AirflowApi(self.url, USER, self.password)

    def last_day(self) -> date:
        made = json.loads((self.var / "sample" / "made.json").read_text(encoding="utf-8"))
        return date.fromisoformat(made["last_day"])

    def store(self) -> Store:
        socket_folder = (self.var / "postgres" / "postmaster.pid").read_text().splitlines()[4]
        return open_store(f"postgresql+psycopg2://postgres@/mqcap?host={socket_folder}")

    def mails(self) -> list[str]:
        return sorted(file.name for file in (self.var / "mail").glob("*.eml"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("local")
    printed = folder / "printed"
    with printed.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", START, str(folder / "var")],
            env={**os.environ, "MQCAP_FORECAST__MIN_HISTORY_DAYS": str(DAYS - 2)},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:

        def opened() -> re.Match[str] | None:
            text = printed.read_text(encoding="utf-8")
            assert process.poll() is None, text
            return re.search(r"Open (http://\S+).*Ctrl-C stops everything", text, re.DOTALL)

        match = _until(opened, "the pages", START_SECONDS)
        secrets = json.loads((folder / "var" / "secrets.json").read_text(encoding="utf-8"))
        yield Running(process, folder / "var", printed, match[1], secrets["password"])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(STOP_SECONDS)


@pytest.fixture(scope="module")
def page(running: Running) -> Iterator[Page]:
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": 1400, "height": 1000})
        tab.goto(running.url)
        tab.locator("input[name=username]").fill(USER)
        tab.locator("input[name=password]").fill(running.password)
        tab.locator("button[type=submit]").click()
        tab.get_by_role("link", name="Capacity").first.wait_for()
        yield tab


def _until(found: Callable[[], Any], what: str, seconds: float = BACKFILL_SECONDS) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.5)
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


def test_it_prints_the_table_and_where_mail_and_tickets_are(running: Running) -> None:
    text = running.printed.read_text(encoding="utf-8")
    assert re.search(r"Act +CSQ1 active logs +[\d.]+ h of 12 h +\d+ x CYL\(\d+\) +now", text)
    [mail] = running.mails()
    assert mail in re.sub(r"\s", "", text)
    assert re.search(r"Tickets: \d+ open", text)
    assert re.search(r"^Act .*^Open http://", text, re.DOTALL | re.MULTILINE)


def test_the_page_asks_for_airflow_s_login(running: Running) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{running.url}/capacity/")  # noqa: S310 - our own server
    assert refused.value.code == 401
    refused.value.close()


def test_a_backfill_stores_what_it_would_have_sent_and_sends_nothing(running: Running) -> None:
    last = running.last_day()
    day = last - timedelta(days=1)
    engine = running.store()
    before = (running.mails(), read_tickets(engine), read_findings(engine, last))
    api = running.api()
    body = {
        "dag_id": DAILY,
        "from_date": f"{day}T00:00:00Z",
        "to_date": f"{day}T00:00:00Z",
        "reprocess_behavior": "none",
        "max_active_runs": 1,
    }
    api.call("POST", "/api/v2/backfills", body)

    def ended() -> bool:
        runs = api.call("GET", "/api/v2/dags/mqcap_daily/dagRuns?run_type=backfill")["dag_runs"]
        states = [run["state"] for run in runs]
        assert "failed" not in states
        return states == ["success"]

    _until(ended, "the backfill")
    assert read_findings(engine, day)
    forecasts = read_forecasts(engine, day)
    assert forecasts
    assert all(forecast.cutoff_date == day for forecast in forecasts)
    mails = [delivery for delivery in read_deliveries(engine, day) if delivery.channel == "mail"]
    assert len(mails) <= 1
    assert all(mail.replay and not mail.sent for mail in mails)
    assert (running.mails(), read_tickets(engine), read_findings(engine, last)) == before
    engine.dispose()


def test_a_planner_is_led_from_the_login_to_the_report(page: Page) -> None:
    page.get_by_role("link", name="Capacity").first.click()
    shown = page.frame_locator("iframe")
    worst = shown.locator(".row-of").first
    worst.locator("summary").click()
    assert "log space" in worst.inner_text()
    worst.get_by_role("link", name="Acknowledge").click()
    shown.get_by_label("Acknowledged").check()  # waits for the page of the finding
    shown.get_by_label("Reason").fill("ordered DASD")
    shown.get_by_role("button", name="Save", exact=True).first.click()
    shown.get_by_text(f"Acknowledged by {USER}").first.wait_for()
    shown.get_by_role("link", name="Chart and plan", exact=True).click()
    shown.locator(".chart-svg").first.wait_for()
    shown.get_by_role("link", name="Try in what-if").click()
    shown.get_by_role("heading", name="Changed findings").wait_for()
    shown.get_by_role("link", name="Reports").click()
    with page.expect_download() as taken:
        shown.get_by_role("link", name="PDF of the Daily report").click()
    assert Path(taken.value.path()).read_bytes().startswith(b"%PDF")


def test_a_task_leads_to_the_page_of_its_day(running: Running, page: Page) -> None:
    day = running.last_day().isoformat()
    page.goto(f"{running.url}/dags/mqcap_daily/runs/local__{day}/tasks/size/details")
    link = page.get_by_role("link", name="Capacity page of the day").first
    link.wait_for()
    page.goto(str(link.get_attribute("href")))
    assert f"{date.fromisoformat(day):%-d %b %Y}" in page.locator("main").inner_text()
    page.get_by_role("link", name="Data").first.click()
    page.get_by_text("mqcap_daily").first.wait_for(state="attached")


@pytest.mark.parametrize(
    "dag_id", ["mqcap_housekeeping", "mqcap_reports", "mqcap_forecast_verification"]
)
def test_the_other_dags_run_too(running: Running, dag_id: str) -> None:
    api = running.api()
    day = running.last_day().isoformat()
    api.set_paused(paused=False, dag_id=dag_id)
    try:
        run = api.start_day(running.last_day(), {"day": day}, dag_id)
        ended = _until(lambda: {api.run_state(run, dag_id)} & ENDED, dag_id)
        assert ended == {"success"}
    finally:
        api.set_paused(paused=True, dag_id=dag_id)
    if dag_id == "mqcap_reports":
        made = {file.name for file in (running.var / "reports").iterdir()}
        assert {f"mqcap-daily-{day}.{kind}" for kind in ("html", "pdf", "xlsx")} <= made


def test_ctrl_c_stops_everything(running: Running) -> None:
    family = psutil.Process(running.process.pid).children(recursive=True)
    assert family
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(STOP_SECONDS) == 0
    _, alive = psutil.wait_procs(family, timeout=10)
    assert [program.name() for program in alive] == []
    assert not (running.var / "postgres" / "postmaster.pid").exists()
