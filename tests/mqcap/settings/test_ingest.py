"""Inputs with a sysplex or site, names that several have, and recorded versions."""

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.settings import Settings
from mqcap.settings.ingest import IngestSettings, PlacedInput, check_places
from mqcap.settings.loader import load_settings
from mqcap.steps import runner as module
from mqcap.steps.runner import HASH_DIGITS, versions

A: dict[str, Any] = {"path": "/in/a", "sysplex": "PLEXA"}
B: dict[str, Any] = {"path": "/in/b", "sysplex": "PLEXB"}
EAST: dict[str, Any] = {"path": "s3://mq/east/*", "site": "EAST"}


def estate(*parts: dict[str, Any]) -> Estate:
    return Estate(
        sysplexes=tuple(Sysplex.model_validate(part) for part in parts if "sysplex" in part),
        places=tuple(Place.model_validate(part) for part in parts if "site" in part),
    )


def plex(name: str, smfids: Sequence[str] = (), qmgrs: Sequence[str] = ()) -> dict[str, Any]:
    return {"sysplex": name, "smfids": smfids, "qmgrs": [{"name": qmgr} for qmgr in qmgrs]}


def site(name: str, qmgrs: Sequence[str] = (), ztpf: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "site": name,
        "qmgrs": [{"name": qmgr} for qmgr in qmgrs],
        "ztpf": [{"name": system} for system in ztpf],
    }


def problem(of: Estate, *inputs: Any) -> str:
    try:
        check_places(IngestSettings.model_validate({"inputs": inputs}), of)
    except ValueError as error:
        return str(error)
    return ""


def test_inputs_with_and_without_a_place_stand_side_by_side() -> None:
    ingest = IngestSettings.model_validate({"inputs": ["/in", A, EAST]})
    assert ingest.input_paths == ("/in", "/in/a", "s3://mq/east/*")
    assert ingest.placed_inputs() == {
        "ingest.inputs.1": PlacedInput(path="/in/a", sysplex="PLEXA"),
        "ingest.inputs.2": PlacedInput(path="s3://mq/east/*", site="EAST"),
    }
    assert [entry.root for entry in ingest.placed_inputs().values()] == ["PLEXA", "EAST"]


@pytest.mark.parametrize(
    "entry", [{"path": "/in"}, {**A, "site": "EAST"}, {"sysplex": "PLEXA"}, {**A, "plex": "X"}]
)
def test_an_entry_has_a_path_and_one_place(entry: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        IngestSettings.model_validate({"inputs": [entry]})


@pytest.mark.parametrize("entry", ["s3://me:word@mq/", {**A, "path": "s3://me:word@mq/"}])
def test_an_address_has_no_password(entry: Any) -> None:
    with pytest.raises(ValidationError, match="contains a user or a password") as caught:
        IngestSettings.model_validate({"inputs": [entry]})
    assert "word@" not in str(caught.value)


SAME_SYSTEM = estate(plex("PLEXA", ["SYS1"]), plex("PLEXB", ["SYS1"]))


@pytest.mark.parametrize("inputs", [[], ["/in/a", "/in/b"], [A], [B]])
def test_a_system_of_two_sysplexes_is_refused_without_inputs_of_both(inputs: list[Any]) -> None:
    found = problem(SAME_SYSTEM, *inputs)
    assert found.startswith("estate: system SYS1 is in PLEXA and in PLEXB, and no entry of ")
    assert "ingest.inputs says which files are of PLEX" in found


def test_only_the_sysplexes_that_are_alike_share_a_queue_manager_and_none_with_itself() -> None:
    plexes = [plex("PLEXA", ["SYS1"], ["CSQ1"]), plex("PLEXB", ["SYS1"], ["CSQ1"])]
    found = problem(estate(*plexes, plex("PLEXC", ["SYS3"], ["CSQ1"])))
    assert "queue manager CSQ1 is in PLEXA and in PLEXB, and no entry" in found
    assert problem(estate(plex("PLEXA", ["SYS1", "SYS1"], ["CSQ1"]))) == ""


def test_inputs_of_both_sysplexes_tell_their_systems_apart() -> None:
    assert problem(SAME_SYSTEM, A, B) == ""


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [(["SYS1"], ["SYS2"], False), (["SYS1"], [], True), ([], [], True)],
)
def test_queue_managers_of_one_name_are_told_apart_by_their_systems(
    first: list[str], second: list[str], is_refused: bool
) -> None:
    of = estate(plex("PLEXA", first, ["CSQ1"]), plex("PLEXB", second, ["CSQ1"]))
    assert ("queue manager CSQ1 is in PLEXA and in PLEXB" in problem(of)) is is_refused
    assert problem(of, A, B) == ""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (site("EAST", ["QM1"]), site("WEST", ["QM1"])),
        (site("EAST", [], ["TPF1"]), site("WEST", [], ["TPF1"])),
    ],
)
def test_names_of_two_sites_need_no_inputs_for_their_files_are_told_one_by_one(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    of = estate(first, second)
    assert problem(of) == problem(of, EAST, {"path": "/in/w", "site": "WEST"}) == ""


def test_a_queue_manager_on_zos_may_have_the_name_of_a_distributed_one() -> None:
    assert problem(estate(plex("PLEXA", ["SYS1"], ["QM1"]), site("EAST", ["QM1"]))) == ""


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (A | {"sysplex": "NONE"}, "ingest.inputs.0.sysplex: NONE is no sysplex of estate"),
        (EAST | {"site": "PLEXA"}, "ingest.inputs.0.site: PLEXA is no site of estate"),
        (A | {"sysplex": "EAST"}, "expected one of PLEXA, PLEXB"),
    ],
)
def test_an_input_of_an_unknown_place_is_named_by_its_key(entry: dict[str, Any], text: str) -> None:
    of = estate(plex("PLEXA"), plex("PLEXB"), site("EAST"))
    assert text in problem(of, entry)


def test_one_path_is_not_of_two_places() -> None:
    found = problem(estate(plex("PLEXA"), plex("PLEXB")), A, B | {"path": "/in/a"})
    assert found.startswith("ingest.inputs.0 {path: /in/a, sysplex: PLEXA} and ingest.inputs.1 ")


def test_the_settings_refuse_what_they_do_not_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    parts = [plex("PLEXA", ["SYS1"]), plex("PLEXB", ["SYS1"])]
    with pytest.raises(ConfigurationError, match="found estate: system SYS1 is in PLEXA and in "):
        load_settings(estate=parts)
    assert load_settings(estate=parts, ingest={"inputs": [A, B]}).ingest.input_paths


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (
            {**A, "folder": "x"},
            "ingest.inputs.0.folder: no such setting, expected one of path site",
        ),
        ({"sysplex": "PLEXA"}, "ingest.inputs.0.path: Field required"),
    ],
)
def test_a_wrong_key_of_an_input_is_named(
    entry: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(estate=[plex("PLEXA")], ingest={"inputs": [entry]})
    assert text in str(caught.value)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small tree of sources in place of the installed one."""
    for folder in ("mqcap", "forecasting", "sizing", "spark_apps"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "code.py").write_text(f"# {folder}\n", encoding="utf-8")
    monkeypatch.setattr(module, "_ROOT", tmp_path)
    module.hash_of.cache_clear()
    yield tmp_path
    module.hash_of.cache_clear()


def test_the_interpreter_and_three_hashes_are_stated() -> None:
    stated = versions(Settings())
    assert stated["python"] == platform.python_version()
    for name in ("code_sha256", "rules_sha256", "settings_sha256"):
        assert len(stated[name]) == HASH_DIGITS
        int(stated[name], 16)


def test_the_hash_of_the_settings_does_not_depend_on_secrets() -> None:
    def hashed(url: str, days: int = 180) -> str:
        settings = Settings.model_validate(
            {"store": {"url": url}, "forecast": {"horizon_days": days}}
        )
        return versions(settings)["settings_sha256"]

    first = hashed("postgresql://mqcap:one@db/mqcap")
    assert first == hashed("postgresql://mqcap:two@db/mqcap")
    assert first != hashed("postgresql://mqcap:one@db/mqcap", days=90)


@pytest.mark.parametrize(
    ("changed_file", "hashes"),
    [
        ("sizing/code.py", {"rules_sha256", "code_sha256"}),
        ("mqcap/code.py", {"code_sha256"}),
        ("mqcap/renamed.py", {"code_sha256"}),
        ("mqcap/code.pyc", set()),
        ("mqcap/platform.yaml", set()),
    ],
)
def test_hashes_change_with_code_and_its_names_alone(
    sources: Path, changed_file: str, hashes: set[str]
) -> None:
    before = versions(Settings())
    file = sources / changed_file
    if file.stem == "renamed":
        (file.parent / "code.py").rename(file)
    else:
        file.write_text("lake: elsewhere\n", encoding="utf-8")
    module.hash_of.cache_clear()
    after = versions(Settings())
    assert {name for name in before if after[name] != before[name]} == hashes


def test_a_checkout_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", missing)
    assert versions(Settings())["mqcap"] == "not installed"
