"""Versions and hashes by which two runs are compared."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mqcap.settings import Settings
from mqcap.steps import runner as module
from mqcap.steps.runner import HASH_DIGITS, versions


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


def changed(name: str, before: dict[str, str]) -> bool:
    module.hash_of.cache_clear()
    return versions(Settings())[name] != before[name]


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


def test_a_change_of_a_rule_changes_the_hashes_of_rules_and_code(sources: Path) -> None:
    before = versions(Settings())
    (sources / "sizing" / "code.py").write_text("# other\n", encoding="utf-8")
    assert changed("rules_sha256", before)
    assert changed("code_sha256", before)


def test_a_change_elsewhere_leaves_the_hash_of_the_rules(sources: Path) -> None:
    before = versions(Settings())
    (sources / "mqcap" / "code.py").write_text("# other\n", encoding="utf-8")
    assert changed("code_sha256", before)
    assert not changed("rules_sha256", before)


def test_compiled_files_and_the_site_s_settings_do_not_count(sources: Path) -> None:
    before = versions(Settings())
    (sources / "mqcap" / "code.pyc").write_bytes(b"compiled")
    (sources / "mqcap" / "platform.yaml").write_text("lake: elsewhere\n", encoding="utf-8")
    assert not changed("code_sha256", before)


def test_a_renamed_file_changes_the_hash(sources: Path) -> None:
    before = versions(Settings())
    (sources / "mqcap" / "code.py").rename(sources / "mqcap" / "renamed.py")
    assert changed("code_sha256", before)


def test_a_checkout_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "version", missing)
    assert versions(Settings())["mqcap"] == "not installed"
