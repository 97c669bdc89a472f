"""Plans of recorded days: IBM's sample dumps, and synthetic ones with written values.

Nothing of the estate is in the dumps but names, so the days are judged twice: with names only, and
with logs, archives and backups that are too small for their load.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml

from mqcap.judging.evaluate import facts_of_day
from mqcap.settings import Settings, load_settings
from mqcap.store.database import Store, open_store
from mqcap.store.observations import read_window
from mqcap.store.plans import read_plans
from tests.end_to_end.estate import mqcap
from tests.mqcap.planning.properties import checked
from tests.shared import shared_cases, shared_dir

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

CHEAPER_STATES: Final = 10
"""Cheaper states that are tried for each plan."""
TOO_SMALL: Final = {
    "active_log_size_mib": 512,
    "active_logs": 3,
    "dual_logging": True,
    "archive_minutes": 5,
    "maxarch": 100,
    "page_set_backup_hours": 168,
    "structure_backup_hours": 168,
    "chinit_31bit_limit_mib": 1_500,
}
REAL: Final[dict[str, Any]] = {"sysplex": "REAL", "timezone": "UTC", "smfids": ["H019", "MPX1"]}
WRITTEN: Final[dict[str, Any]] = {
    "sysplex": "PLEXP",
    "timezone": "Etc/GMT+5",
    "smfids": ["PRD1", "PRD2"],
    "cfs": [{"name": "CFP1", "engines": 2}, {"name": "CFP2", "engines": 2}],
}
MANAGERS: Final[dict[str, dict[str, str | None]]] = {
    "REAL": {"MQPC": None, "QML1": None},
    "PLEXP": {"MQP1": "QSGP", "MQP2": "QSGP", "MQL1": None, "MQL2": None},
}


class Recording(NamedTuple):
    """Dumps that are loaded into one lake, and the site days that are judged."""

    name: str
    dumps: tuple[str, ...]
    days: tuple[date, ...]
    resources: int
    """Resources of the day with the fewest."""


RECORDINGS: Final = (
    Recording(
        "real",
        ("real/TEST115.dat.gz", "real/TEST116.dat.gz", "real/TESTCHL.dat.gz"),
        (date(2015, 11, 24), date(2016, 2, 27)),
        25,
    ),
    Recording("mini", ("mini.rdw.smf", "mini_cf.rdw.smf"), (date(2025, 3, 10),), 85),
    Recording("sample_3d", ("sample_3d.rdw.smf.gz",), (date(2025, 3, 9),), 85),
)


class Recorded(NamedTuple):
    recording: Recording
    environment: Mapping[str, str]
    store: Store
    lake: Path

    def settings(self, facts: Mapping[str, Any]) -> Settings:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MQCAP_SETTINGS_FILE", self.environment["MQCAP_SETTINGS_FILE"])
            return load_settings(**_document(facts), lake=str(self.lake))


@pytest.fixture(
    scope="module",
    params=shared_cases(RECORDINGS),
    ids=lambda one: one.name if one else "no-reference-data",
)
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, spark: object
) -> Iterator[Recorded]:
    recording: Recording = request.param
    folder = tmp_path_factory.mktemp(recording.name)
    shared = shared_dir()
    assert shared is not None
    settings_file, lake = folder / "platform.yaml", folder / "lake"
    document = {**_document(TOO_SMALL), "lake": str(lake)}
    settings_file.write_text(yaml.safe_dump(document), encoding="utf-8")
    environment = {
        "MQCAP_SETTINGS_FILE": str(settings_file),
        "MQCAP_STORE__URL": f"sqlite:///{folder}/store.db",
        "MQCAP_INGEST__INBOX": str(folder),
    }
    mqcap(environment, "load", *(str(shared / "data" / "smf" / name) for name in recording.dumps))
    store = open_store(environment["MQCAP_STORE__URL"])
    yield Recorded(recording, environment, store, lake)
    store.dispose()


def _document(facts: Mapping[str, Any]) -> dict[str, Any]:
    plexes = [
        {
            **plex,
            "qmgrs": [
                {"name": name, "qsg": qsg, "class": "production", **facts}
                for name, qsg in MANAGERS[plex["sysplex"]].items()
            ],
        }
        for plex in (REAL, WRITTEN)
    ]
    return {"site": {"name": "Recorded days", "timezone": "UTC"}, "estate": plexes}


@pytest.mark.parametrize("facts", [{}, TOO_SMALL], ids=["names-only", "too-small"])
def test_plans_keep_their_claims_and_cost_least(recorded: Recorded, facts: dict[str, Any]) -> None:
    settings = recorded.settings(facts)
    for day in recorded.recording.days:
        found = checked([facts_of_day(settings, recorded.store, day)], CHEAPER_STATES)
        assert found.violated == ()
        if facts:
            assert found.plans > 0
        assert found.resources >= recorded.recording.resources


def test_a_recording_of_a_few_days_sizes_no_active_logs(recorded: Recorded) -> None:
    day = recorded.recording.days[-1]
    mqcap(recorded.environment, "backfill", str(day), str(day))
    plans = [plan for plan in read_plans(recorded.store, day) if plan.about.kind == "active_log"]
    assert plans
    assert {plan.about.label: plan.changes for plan in plans if plan.changes} == {}


def test_the_log_writer_of_a_record_is_as_busy_as_its_fields_say(recorded: Recorded) -> None:
    """MQPC was idle for 1,626.6 s of 1,792.9; the synthetic ones say 0 to 100 %."""
    first = recorded.recording.days[0]
    days = read_window(recorded.store, first, first)
    busy = {day.subject: day.peak for day in days if day.metric == "log_task_busy_pct"}
    assert busy
    assert all(0 <= peak <= 100 for peak in busy.values())
    assert busy.get("REAL/MQPC", 9.27) == pytest.approx(9.27, abs=0.1)
