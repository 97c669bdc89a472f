"""Commands that documents show and that write: run as they stand, in a folder of their own.

The first hour of docs/first-hour.md from a dump to its report, then backup and restoration of
docs/running.md, with the dump of a simulated day.
"""

import os
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import inspect, make_url, text

from devtools.simulator import EstateSpec, generate, small_spec
from mqcap.ingest.capture_kits import KitKind
from mqcap.presentation.labels import use_metric_labels
from mqcap.store.database import open_store
from mqcap.store.upkeep import check
from tests.end_to_end.estate import BIN, completed
from tests.end_to_end.test_shown_commands import reads, shown
from tests.faults.site import contents, differences, move_rows
from tests.mqcap.cli.command_line import invoked
from tests.mqcap.lake.parts import METRIC, growing_log, growing_part
from tests.mqcap.store.postgres import new_database, postgres_server

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

DAY: Final = date(2026, 1, 5)
DUMP: Final = "SYS1.D260105.smf"
NAMES: Final = {"PLEXA": "PLEX1", "TST1": "SYS1", "MQA1": "CSQ1"}
"""Names of the simulated estate, and those of the documents."""
HOUR: Final = Path("docs/first-hour.md")
BACKUP: Final = Path("docs/running.md")
TOOLS: Final = ("pg_dump ", "dropdb ", "createdb ", "pg_restore ")
"""Tools of PostgreSQL, in the order of backup and restoration."""
NEWER: Final = "of_a_newer_release"
ON_A_SERVER: Final = (*TOOLS, "pip ", "export ", ".")
"""What is not typed in a folder: those tools, installation, and what sets the environment."""
ELSEWHERE: Final = {
    "init": "tests/mqcap/cli/test_site.py",
    "airflow check": "tests/mqcap/cli/test_site.py",
    "forecast-csv": "tests/mqcap/cli/test_steps.py",
}
"""Shown commands that need more than a folder, with the test that runs them."""


def all_lines_of(document: Path) -> list[str]:
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)```", text, flags=re.DOTALL | re.MULTILINE)
    lines = (re.split(r"\s+#", line)[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line]


def lines_of(document: Path) -> list[str]:
    return [line for line in all_lines_of(document) if not line.startswith(ON_A_SERVER)]


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.printed: dict[str, str] = {}

    def type(self, lines: Iterable[str], instead: Mapping[str, str] | None = None) -> None:
        """Run lines as they stand but for what the folder has under other names."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.path)
            patch.setenv("MQCAP_SETTINGS_FILE", str(self.path / "mqcap.yaml"))
            for name in [name for name in os.environ if name.startswith("AIRFLOW_")]:
                patch.delenv(name)
            patch.setenv("AIRFLOW_HOME", str(self.path / "airflow"))
            patch.setenv("PATH", f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin")
            for line in lines:
                typed = line
                for name, own in (instead or {}).items():
                    typed = typed.replace(name, own)
                self.printed[line] = self._printed(shlex.split(typed))

    def _printed(self, words: list[str]) -> str:
        program, *arguments = words
        if program != "mqcap":
            return completed(words, os.environ)
        result = invoked(*arguments)
        assert result.exit_code == 0, f"{words}: {result.output} {result.exception!r}"
        return result.output

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path / "store.db")) as store:
            return store.execute(statement).fetchall()


def dump(folder: Path) -> None:
    named = small_spec().model_dump_json()
    for name, own in NAMES.items():
        named = named.replace(name, own)
    spec = EstateSpec.model_validate_json(named)
    [file] = generate(spec, folder / "sample", first_date=DAY, last_date=DAY).dumps
    shutil.move(file, folder / DUMP)
    shutil.rmtree(folder / "sample")


@pytest.fixture(scope="module")
def hour(tmp_path_factory: pytest.TempPathFactory, spark: object) -> Folder:
    folder = Folder(tmp_path_factory.mktemp("hour"))
    dump(folder.path)
    folder.type(lines_of(HOUR))
    return folder


def test_the_first_hour_ends_with_a_report_and_explained_figures(hour: Folder) -> None:
    assert hour.printed["mqcap report --day 2026-01-05"].count("CSQ1") >= 1
    explained = hour.printed["mqcap explain LOG-FILL-30MIN CSQ1"]
    assert explained.startswith("LOG-FILL-30MIN PLEX1/CSQ1 on 2026-01-05: ")
    assert DUMP in explained
    assert (hour.path / "reports" / "mqcap-daily-2026-01-05.html").is_file()
    assert hour.rows("SELECT count(*) FROM finding") > [(20,)]


def test_a_folder_that_was_lost_is_restored_from_its_backup(hour: Folder, tmp_path: Path) -> None:
    instead = {"/backup": str(tmp_path), "var/store": "store", "-C var": "-C ."}
    findings = "SELECT rule_id, subject, severity, document FROM finding ORDER BY 1, 2"
    before, mails = hour.rows(findings), sorted((hour.path / "mail").glob("*"))
    lines = lines_of(BACKUP)
    lost = lines.index("cp /backup/mqcap.yaml mqcap.yaml")
    hour.type(lines[:lost], instead)
    shutil.rmtree(hour.path / "lake")
    (hour.path / "mqcap.yaml").unlink()
    hour.type(lines[lost:], instead)
    assert hour.rows(findings) == before
    assert sorted((hour.path / "mail").glob("*")) == mails
    assert hour.printed["mqcap store check"] == "The store is consistent.\n"


def test_a_store_on_postgresql_is_restored_from_its_backup(hour: Folder, tmp_path: Path) -> None:
    lines = [line for line in all_lines_of(BACKUP) if line.startswith(TOOLS)]
    assert [line.split()[0] for line in lines] == [name.strip() for name in TOOLS]
    with postgres_server() as server, new_database(server) as url:
        address = make_url(url)
        move_rows(f"sqlite:///{hour.path / 'store.db'}", url)
        before = contents(tmp_path, url)
        tools = _tools_of(url)
        connection = {"PGHOST": str(address.query["host"]), "PGUSER": str(address.username)}
        for line in lines:
            if line == lines[1]:
                _spoil(url)
            words = shlex.split(line.replace("/backup", str(tmp_path)))
            own = [str(address.database) if word == "mqcap" else word for word in words]
            own = [word.replace("=mqcap", f"={address.database}") for word in own]
            completed([str(tools / own[0]), *own[1:]], {**os.environ, **connection})
        assert before
        assert differences(contents(tmp_path, url), before) == []
        engine = open_store(url)
        assert check(engine) == []
        assert not inspect(engine).has_table(NEWER)
        engine.dispose()


def _tools_of(url: str) -> Path:
    engine = open_store(url)
    with engine.connect() as connection:
        folder = connection.scalar(text("SELECT setting FROM pg_config WHERE name = 'BINDIR'"))
    engine.dispose()
    return Path(str(folder))


def _spoil(url: str) -> None:
    """Lose rows, and leave a table of a newer release."""
    engine = open_store(url)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM finding"))
        connection.execute(text(f"CREATE TABLE {NEWER} (name text)"))
    engine.dispose()


def test_files_for_airflow_and_for_captures_are_written(tmp_path: Path) -> None:
    assert invoked("airflow", "install-dags", str(tmp_path)).exit_code == 0
    assert list(tmp_path.glob("mqcap*"))
    for kind in KitKind:
        written = invoked("capture", "--kind", kind.value)
        assert (written.exit_code, len(written.output) > 1_000) == (0, True)


WHY: Final = [line for line in shown() if line.startswith("why ")]


@pytest.mark.parametrize("line", WHY)
def test_growth_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    _, metric, subject, *_ = line.split()
    if metric == METRIC:
        growing_log(tmp_path / "lake")
    else:
        growing_part(tmp_path / "lake", metric, subject, "QSG1APPL1", "structure", rest=5)
    try:
        assert invoked(*shlex.split(line)).exit_code == 0
    finally:
        use_metric_labels([])


def test_every_command_that_documents_show_is_run() -> None:
    typed = {line.removeprefix("mqcap ") for file in (HOUR, BACKUP) for line in lines_of(file)}
    others = [
        line
        for line in shown()
        if not reads(line)
        and line not in typed
        and line not in WHY
        and not line.startswith(("airflow install-dags", "capture --kind"))
    ]
    assert [re.split(r" (?=--)", line)[0] for line in others] == list(ELSEWHERE)
    for command, test in ELSEWHERE.items():
        named = re.split(r" (?=\S*/|--)", command)[0]
        assert f'"{named}"' in Path(test).read_text(encoding="utf-8"), command
