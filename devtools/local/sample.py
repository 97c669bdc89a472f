"""The sample estate of the local run: simulated once, its history loaded once.

The estate ends yesterday (UTC) when it is first made: the day that Airflow's schedule asks for.
Later runs reuse it.
"""

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from devtools.local.folders import LocalFolders
from devtools.local.postgres import STORE_DATABASE, Postgres
from devtools.local.processes import StartedPrograms
from mqcap.domain.errors import ConfigurationError
from mqcap.files import replacing
from mqcap.progress.shown import LINE_SECONDS_VARIABLE

MADE: Final = "made.json"
LOADED: Final = "loaded"
LINE_SECONDS: Final = "2"
"""How often a program says how far it is, for the terminal of this one."""
FOLDERS: Final = ("dumps", "console", "monitors", "sites")
"""Folders of the estate with files to load."""
MQCAP: Final = str(Path(sys.executable).parent / "mqcap")


class SampleEstate(NamedTuple):
    """Simulated files, and those of them left for the daily run."""

    folder: Path
    last_day: date

    def files(self, *, of_last_day: bool) -> list[Path]:
        """Files that arrive on the day of the daily run, or those that arrived before it."""
        every = sorted(path for folder in FOLDERS for path in self.folder.glob(f"{folder}/*"))
        return [path for path in every if (f".{self.last_day}." in path.name) is of_last_day]


def environment(folders: LocalFolders, postgres: Postgres) -> dict[str, str]:
    """The settings of the local run, as environment of everything it starts."""
    return {
        "MQCAP_SETTINGS_FILE": str(folders.settings_file),
        "MQCAP_LAKE": str(folders.lake),
        "MQCAP_STORE__URL": postgres.url(STORE_DATABASE, "psycopg2"),
        "MQCAP_INGEST__INBOX": str(folders.inbox),
        "MQCAP_ALERTS__MAIL_FOLDER": str(folders.mail),
        "MQCAP_REPORTS__FOLDER": str(folders.reports),
        "MQCAP_SPARK__MASTER": "local[2]",
    }


def simulate(
    folders: LocalFolders,
    programs: StartedPrograms,
    days: int,
    env: Mapping[str, str],
    working: Callable[[str], None],
) -> SampleEstate:
    """Return the estate of so many days, made now or at an earlier run.

    ``working`` gets how far it is, about every second.
    """
    marker = folders.sample / MADE
    if marker.is_file():
        made = json.loads(marker.read_text(encoding="utf-8"))
        if made["days"] == days:
            return SampleEstate(folders.sample, date.fromisoformat(made["last_day"]))
        raise ConfigurationError(
            f"{folders.sample} holds another estate",
            found=f"{made['days']} days",
            expected=f"{days} days",
            remedy="`make clean` removes it with everything that was made from it.",
        )
    shutil.rmtree(folders.sample, ignore_errors=True)  # an estate that was not finished
    folders.sample.mkdir(parents=True)
    last_day = datetime.now(tz=UTC).date() - timedelta(days=1)
    command = [MQCAP, "simulate", "--out", str(folders.sample), "--days", str(days)]
    command += ["--last-day", last_day.isoformat()]
    own = {**env, LINE_SECONDS_VARIABLE: LINE_SECONDS}
    own.pop("MQCAP_SETTINGS_FILE", None)  # is still to be written
    programs.complete("simulate", command, own, working)
    made = {"days": days, "last_day": last_day.isoformat()}
    marker.write_text(json.dumps(made), encoding="utf-8")
    return SampleEstate(folders.sample, last_day)


def load_history(
    folders: LocalFolders,
    programs: StartedPrograms,
    estate: SampleEstate,
    env: Mapping[str, str],
    working: Callable[[str], None],
) -> None:
    """Load all days before the last one into lake and store; nothing when that was done."""
    marker = folders.lake / LOADED
    if not marker.is_file():
        files = [str(file) for file in estate.files(of_last_day=False)]
        own = {**env, LINE_SECONDS_VARIABLE: LINE_SECONDS}
        programs.complete("load-history", [MQCAP, "load", *files], own, working)
        marker.touch()


def deliver_last_day(folders: LocalFolders, estate: SampleEstate) -> None:
    """Put the files of the last day into the inbox, where the daily run finds them."""
    for file in estate.files(of_last_day=True):
        with replacing(folders.inbox / file.name) as temporary:
            shutil.copy2(file, temporary)
