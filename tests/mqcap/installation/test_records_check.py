"""Names and zones in the records beside the settings, and DAG files."""

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation.airflow_check import DAG_NAMES, dag_files, install_dags
from mqcap.installation.check import Check, CheckState, checked, is_fine
from mqcap.installation.doctor import records_check
from mqcap.settings import Settings, load_settings
from tests.airflow_home import CHECKOUT
from tests.mqcap.completeness.builders import QM, every, write_lake

RENAME = (
    "If they are the same, change sysplex: PROD1 in estate to PLEX1; else add an entry for PLEX1."
)
UNKNOWN = ("statistics", "UNKNOWN/CSQ7", "SYS7")


def settings_of(lake: Path, *plexes: dict[str, Any]) -> Settings:
    """Return settings of a lake and an estate."""
    return Settings.model_validate(
        {**load_settings().model_dump(), "lake": str(lake), "estate": plexes}
    )


def arrived(lake: Path, offset_minutes: int | None) -> None:
    """Put records of PLEX1 and of an unknown sysplex into a lake."""
    rows = [*every(QM), *every(UNKNOWN)]
    write_lake(lake, [{**row, "utc_offset_minutes": offset_minutes} for row in rows])


def test_records_that_agree_are_fine(tmp_path: Path) -> None:
    arrived(tmp_path, 0)
    check = records_check(settings_of(tmp_path, {"sysplex": "PLEX1"}))
    assert check is not None
    assert check.lines == [
        "fine      records: time zone as in estate on 2026-03-04 (PLEX1, UNKNOWN)"
    ]


def test_another_time_zone_is_told_with_found_expected_and_key(tmp_path: Path) -> None:
    arrived(tmp_path, 60)
    plex = {"sysplex": "PLEX1", "timezone": "Asia/Tokyo"}
    check = records_check(settings_of(tmp_path, plex))
    assert check is not None
    assert check.state is CheckState.to_do
    assert "UTC+01:00 by SYS1, expected is UTC+09:00 (Asia/Tokyo" in check.found
    assert "Correct timezone of PLEX1 in estate;" in check.remedy


@pytest.mark.parametrize(
    ("plexes", "found", "remedy"),
    [
        (["PROD1"], "of sysplex PLEX1; in estate is PROD1, of which none have arrived", RENAME),
        ([], "of sysplex PLEX1, which is not in estate", "Add to estate: sysplex: PLEX1."),
    ],
)
def test_another_name_of_a_sysplex_is_told_with_both_and_the_key(
    tmp_path: Path, plexes: list[str], found: str, remedy: str
) -> None:
    arrived(tmp_path, None)
    check = records_check(settings_of(tmp_path, *({"sysplex": plex} for plex in plexes)))
    assert check is not None
    assert (check.state, check.found, check.remedy) == (CheckState.to_do, found, remedy)


@pytest.mark.parametrize("has_records", [False, True])
def test_nothing_is_told_without_records_or_without_offsets_in_them(
    tmp_path: Path, has_records: bool
) -> None:
    if has_records:
        arrived(tmp_path, None)
    assert records_check(settings_of(tmp_path, {"sysplex": "PLEX1"})) is None


FINE = Check(CheckState.fine, "store", "sqlite")
OPTIONAL = Check(CheckState.optional, "mail", "not there", "Add it.")
TO_DO = Check(CheckState.to_do, "pool", "not there", "airflow pools set x 1 'a b'")


def test_a_remedy_is_a_line_of_its_own_and_only_what_must_be_done_is_not_fine() -> None:
    assert FINE.lines == ["fine      store: sqlite"]
    assert TO_DO.lines == ["to do     pool: not there", "          airflow pools set x 1 'a b'"]
    assert is_fine([]) is is_fine([FINE, OPTIONAL]) is True
    assert not is_fine([FINE, OPTIONAL, TO_DO])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ConfigurationError("no Java", found="/x", expected="17", remedy="Install it."),
            ("no Java; found /x", "Expected 17. Install it."),
        ),
        (ServiceUnavailable("no answer"), ("no answer",)),
    ],
)
def test_an_error_is_what_must_be_done(error: Exception, said: tuple[str, ...]) -> None:
    def look() -> Check:
        raise error

    assert checked("Spark", look) == Check(CheckState.to_do, "Spark", *said)


PACKAGE = CHECKOUT / "dags" / "mqcap_dags"


def dags_of(module: Path) -> tuple[str, ...]:
    """Names of the DAGs that a module declares, in order."""
    names = [
        node.targets[0].id
        for node in ast.parse(module.read_text("utf-8")).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.endswith("DAG")
    ]
    return tuple(names)


def test_every_dag_of_the_package_has_a_file() -> None:
    declared = {path.stem: dags_of(path) for path in PACKAGE.glob("*.py")}
    found = {name: dags for name, dags in declared.items() if dags}
    assert found == dict.fromkeys(DAG_NAMES, ("DAG",))


@pytest.mark.parametrize("name", dag_files())
def test_a_file_only_imports_a_module_that_exists(name: str) -> None:
    text = dag_files()[name]
    _, imported, exported = ast.parse(text).body
    assert isinstance(imported, ast.ImportFrom)
    assert find_spec(str(imported.module)) is not None
    assert isinstance(exported, ast.Assign)
    assert ast.literal_eval(exported.value) == [alias.name for alias in imported.names]


def test_a_second_time_changes_only_a_file_of_an_older_release(tmp_path: Path) -> None:
    assert list(install_dags(tmp_path).values()) == [True] * 4
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(dag_files())
    first, *_ = written = install_dags(tmp_path)
    assert list(written.values()) == [False] * 4
    first.write_text(first.read_text("utf-8") + "# older\n", "utf-8")
    assert list(install_dags(tmp_path).values()) == [True, False, False, False]
    assert first.read_text("utf-8") == dag_files()[first.name]


def test_a_foreign_file_is_left_and_nothing_is_written(tmp_path: Path) -> None:
    foreign = tmp_path / "mqcap_reports.py"
    foreign.write_text("# ours\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"mqcap_reports\.py is not one of ours"):
        install_dags(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mqcap_reports.py"]
    assert foreign.read_text("utf-8") == "# ours\n"


def test_a_copy_of_the_dags_in_the_folder_is_named(tmp_path: Path) -> None:
    copy = tmp_path / "team" / "daily_capacity.py"
    copy.parent.mkdir()
    copy.write_text('@dag(dag_id="mqcap_daily")\n', "utf-8")
    with pytest.raises(ConfigurationError, match="declares the DAG mqcap_daily already"):
        install_dags(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["team"]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no folder"):
        install_dags(tmp_path / "dags")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_permission_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(ConfigurationError, match="cannot be written; found Permission denied"):
        install_dags(tmp_path)
