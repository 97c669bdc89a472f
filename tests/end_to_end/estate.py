"""A small simulated estate, its history loaded by the command line, ready for a daily run."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from pathlib import Path
from typing import Final

import pytest

from devtools.simulator import EstateSpec, Truth, generate, small_spec
from devtools.simulator.events import Outage
from mqcap.store.database import Store, open_store
from spark_apps.runtime.java import java_environment
from tests.mqcap.cli.command_line import output_of

LAST_DAY: Final = date(2026, 10, 15)
HISTORY_DAYS: Final = 100
BIN: Final = Path(sys.executable).parent


@dataclass(frozen=True)
class LoadedEstate:
    folder: Path
    truth: Truth
    last_day_files: tuple[Path, ...]

    @property
    def store_url(self) -> str:
        return f"sqlite:///{self.folder}/store.db"

    @property
    def inbox(self) -> Path:
        return self.folder / "inbox"

    def environment(self, **more: str) -> dict[str, str]:
        return {
            **os.environ,
            **java_environment(),
            "PATH": f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "MQCAP_SETTINGS_FILE": str(self.folder / "sample" / "platform.yaml"),
            "MQCAP_LAKE": str(self.folder / "lake"),
            "MQCAP_STORE__URL": self.store_url,
            "MQCAP_INGEST__INBOX": str(self.inbox),
            "MQCAP_ALERTS__MAIL_FOLDER": str(self.folder / "mail"),
            "MQCAP_INGEST__SETTLE_SECONDS": "0",
            "MQCAP_SPARK__MASTER": "local[2]",
            **more,
        }

    def store(self) -> Store:
        return open_store(self.store_url)


def spec_of_estate() -> EstateSpec:
    """Return the small estate, where a queue manager runs out of active logs on the last day."""
    spec = small_spec()
    [plex] = spec.sysplexes
    failure = Outage(day_offset=0, start_local=time(5), minutes=8)
    first, *others = plex.qmgrs
    failing = first.model_copy(update={"archiving_failures": (failure,)})
    changed = plex.model_copy(update={"qmgrs": (failing, *others)})
    return spec.model_copy(update={"sysplexes": (changed,)})


def load_small_estate(folder: Path) -> LoadedEstate:
    """Simulate the small estate and load all but its last day."""
    sample = folder / "sample"
    first = LAST_DAY - timedelta(days=HISTORY_DAYS - 1)
    result = generate(spec_of_estate(), sample, first_date=first, last_date=LAST_DAY)
    files = [*result.dumps, *result.console_logs]
    last = tuple(file for file in files if f".{LAST_DAY.isoformat()}." in file.name)
    estate = LoadedEstate(folder, result.truth, last)
    history = [str(file) for file in files if file not in last]
    mqcap(estate.environment(), "load", *history)
    return estate


def mqcap(environment: Mapping[str, str], *arguments: str) -> str:
    """Run the command line on the Spark session of this process; returns what it prints."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return output_of(*arguments)


def completed(command: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        env=dict(environment),
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout[-8000:]}"
    return done.stdout
