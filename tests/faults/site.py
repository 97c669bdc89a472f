"""A small simulated site whose steps are run one by one, and all that they leave behind."""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import insert, select

from devtools.simulator import EstateSpec, generate, small_spec
from mqcap.settings import load_settings
from mqcap.steps import runner
from mqcap.store.database import open_store
from mqcap.store.tables import Base
from tests.stores import new_store

LAST_DAY: Final = date(2026, 10, 15)
DAY_BEFORE: Final = LAST_DAY - timedelta(days=1)
DAYS: Final = 15
ORDER: Final = (
    "land", "decode_and_aggregate", "observe", "export_training", "fit", "store_forecasts",
    "size", "alert",
)  # fmt: skip
"""The steps of a day; ``decode_and_aggregate`` and ``fit`` run on Spark."""
BEFORE: Final = dict(zip(ORDER, ("nothing", *ORDER), strict=False))
"""By step the one before it; ``nothing`` before the first."""
VOLATILE: Final = frozenset(
    {"landed_at_utc", "received_date", "sent_at_utc", "attempts", "ended_at_utc"}
)
"""Columns that say when something was done, and how often it was tried."""
_RECEIVED: Final = re.compile(r"""(received_date(?:=|": "))\d{4}-\d\d-\d\d""")
"""Date on which files arrived, in paths and manifests: midnight between two runs changes it."""

Contents = dict[str, Any]


@dataclass(frozen=True)
class Site:
    folder: Path

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def store_url(self) -> str:
        return f"sqlite:///{self.work}/store.db"

    def environment(self) -> dict[str, str]:
        return {
            "MQCAP_SETTINGS_FILE": str(self.folder / "sample" / "platform.yaml"),
            "MQCAP_LAKE": str(self.work / "lake"),
            "MQCAP_STORE__URL": self.store_url,
            "MQCAP_INGEST__INBOX": str(self.work / "inbox"),
            "MQCAP_INGEST__SETTLE_SECONDS": "0",
            "MQCAP_ALERTS__MAIL_FOLDER": str(self.work / "mail"),
            "MQCAP_ALERTS__MAIL_BUDGET__CHARTS": "0",
            "MQCAP_FORECAST__MIN_HISTORY_DAYS": "14",
            "MQCAP_FORECAST__FINAL_FIT": "fast",
            "MQCAP_SPARK__MASTER": "local[2]",
        }

    def run(self, step: str, day: date = LAST_DAY) -> Any:
        return getattr(runner, step)(load_settings(), day)

    def run_all(self, steps: Iterable[str], day: date, tell: Callable[..., object]) -> None:
        for step in steps:
            self.run(step, day)
        tell(load_settings(), day)

    def deliver(self, day: date, since: date = date.min) -> None:
        """Put the files that end with this day, and those since an earlier one, into the inbox."""
        for file in sorted((self.folder / "sample").glob("*/*.*")):
            if since <= self._last_day_of(file) <= day:
                shutil.copy2(file, self.work / "inbox")

    @staticmethod
    def _last_day_of(file: Path) -> date:
        """``PLEXA.2026-10-15.smf`` holds a day, ``PLEXA.2026-10.smf`` those before the days."""
        stamp = file.name.split(".")[-2]
        return date.fromisoformat(stamp) if len(stamp) == len("2026-10-15") else date.min

    def keep(self, step: str) -> None:
        shutil.copytree(self.work, self.folder / "after" / step)

    def back_to(self, step: str) -> None:
        shutil.rmtree(self.work)
        shutil.copytree(self.folder / "after" / step, self.work)

    def left_after(self, step: str) -> Contents:
        return contents(self.folder / "after" / step)


def smallest_spec() -> EstateSpec:
    whole = small_spec()
    [plex] = whole.sysplexes
    one_each = {"qmgrs": plex.qmgrs[:1], "cfs": plex.cfs[:1]}
    return whole.model_copy(update={"sysplexes": (plex.model_copy(update=one_each),)})


def simulate(folder: Path) -> Site:
    return simulated(Site(folder), smallest_spec(), DAYS)


def simulated(site: Site, spec: EstateSpec, days: int) -> Site:
    first = LAST_DAY - timedelta(days=days - 1)
    generate(spec, site.folder / "sample", first_date=first, last_date=LAST_DAY)
    (site.work / "inbox").mkdir(parents=True)
    new_store(site.work / "store.db").dispose()
    return site


@contextmanager
def inside(site: Site) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in site.environment().items():
            patch.setenv(name, value)
        yield


def contents(work: Path, store_url: str = "") -> Contents:
    """All rows, files and emails: what must be the same after a fault and a rerun."""
    rows = _rows(store_url or f"sqlite:///{work / 'store.db'}")
    return {**rows, **_files(work, "lake"), **_files(work, "mail")}


def move_rows(from_url: str, to_url: str) -> None:
    source, target = open_store(from_url), open_store(to_url)
    with source.connect() as reader, target.begin() as writer:
        for table in Base.metadata.sorted_tables:
            rows = [dict(row) for row in reader.execute(select(table)).mappings()]
            for first in range(0, len(rows), 2_000):
                writer.execute(insert(table), rows[first : first + 2_000])
    source.dispose()
    target.dispose()


def differences(result: Contents, wanted: Contents) -> list[str]:
    """Names of what is not the same, for a message that can be read."""
    names = sorted(result.keys() | wanted.keys())
    return [name for name in names if result.get(name) != wanted.get(name)]


def _rows(store_url: str) -> Contents:
    engine = open_store(store_url)
    rows: Contents = {}
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            if table.name == "step_run":
                continue  # when what ran
            columns = [column for column in table.columns if column.name not in VOLATILE]
            for row in connection.execute(select(*columns)).mappings():
                key = " ".join(str(row[item.name]) for item in table.primary_key)
                rows[f"{table.name} {key}"] = dict(row)
    engine.dispose()
    return rows


def _files(work: Path, name: str) -> Contents:
    result = sorted(path for path in (work / name).rglob("*") if path.is_file())
    return {_stable(path.relative_to(work)): _content(path) for path in result}


def _content(path: Path) -> Any:
    """What is compared of a file: all of its bytes where they do not depend on the clock."""
    content = path.read_bytes()
    if path.parent.name == "manifest":
        content = _RECEIVED.sub(r"\1", content.decode()).encode()
        content = re.sub(rb'("received_utc": ?)"[^"]*"', rb"\1", content)
    if path.name == "deliveries.json":
        content = re.sub(rb'("\w+_utc": )"[^"]*"', rb"\1", content)
    return hashlib.sha256(content).hexdigest()


def _stable(path: Path) -> str:
    """Without the number that Spark gives to the job that has written a file, and its arrival."""
    named = re.sub(r"part-(\d+)-[0-9a-f-]{36}[.\w-]*?\.", r"part-\1.", str(path))
    return _RECEIVED.sub(r"\1", named)
