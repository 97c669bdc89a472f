"""Time in which the capacity page answers and is painted: 2,000 series, three years of days.

``PYTHONPATH=plugins python -m devtools.benchmarks.page`` makes a store (SQLite, or with
``--postgres`` a PostgreSQL server; once per folder), asks each page a few times after a warm-up,
then opens the overview and a series in a headless Chromium. Printed are the median and the worst
time in milliseconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from devtools.benchmarks.page_store import DAY, METRICS, settings_text, store_in

BUDGETS_MS: Final = {
    "series page": 300.0,
    "series figure": 300.0,
    "overview, first paint": 1_000.0,
    "overview, largest paint": 1_000.0,
}
SERIES: Final = f"{METRICS[0]}/PLEX1/Q001"


def main() -> int:
    """Measure and print; 1 when a budget is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where the store is kept; default: a new one.")
    parser.add_argument("--rounds", type=int, default=9, help="Requests measured per page.")
    parser.add_argument("--postgres", action="store_true", help="A PostgreSQL store.")
    parser.add_argument("--no-browser", action="store_true", help="The server only.")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="mqcap-page-"))
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("AIRFLOW_HOME", str(folder / "airflow"))
    settings = folder / "platform.yaml"
    os.environ["MQCAP_SETTINGS_FILE"] = str(settings)
    with store_in(folder, postgres=arguments.postgres) as url:
        settings.write_text(settings_text(url), encoding="utf-8")
        missed = _print_times(_of_server(arguments.rounds))
        if not arguments.no_browser:
            missed += _print_times(_of_browser(arguments.rounds))
        _close()
    return 1 if missed else 0


def _print_times(times_ms: Mapping[str, list[float]]) -> int:
    """Print a line per measured page; return the number of missed budgets."""
    missed = 0
    for name, times in times_ms.items():
        budget, middle = BUDGETS_MS.get(name), statistics.median(times)
        missed += budget is not None and middle > budget
        words = f"budget {budget:,.0f} ms" if budget else ""
        print(f"{name:24} median {middle:7,.0f} ms   worst {max(times):7,.0f} ms   {words}")
    return missed


def _of_server(rounds: int) -> dict[str, list[float]]:
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.web.auth import get_user, may_edit  # noqa: PLC0415 - as above

    page = create_application()
    page.dependency_overrides[get_user] = lambda: "reader"
    page.dependency_overrides[may_edit] = lambda: True
    asked = {
        "overview": "/",
        "overview, all": "/?system_class=all&rows=5000",
        "series page": f"/series?series={SERIES}",
        "series figure": f"/figure?series={SERIES}&day={DAY}",
        "finding": "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/Q001",
        "findings (API)": "/api/findings",
    }
    with TestClient(page) as client:
        return {name: list(_times(client, path, rounds)) for name, path in asked.items()}


def _times(client: Any, path: str, rounds: int) -> Iterator[float]:
    for number in range(rounds + 1):
        started = time.perf_counter()
        answer = client.get(path)
        assert answer.status_code == 200, answer.text[:500]
        if number:  # the first one warms up
            yield (time.perf_counter() - started) * 1_000


def _of_browser(rounds: int) -> dict[str, list[float]]:
    from devtools.benchmarks.page_browser import painted  # noqa: PLC0415 - as above

    return painted(rounds, overview="./", series=f"series?series={SERIES}")


def _close() -> None:
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above

    current_context().engine.dispose()


if __name__ == "__main__":
    raise SystemExit(main())
