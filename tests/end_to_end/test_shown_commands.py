"""Commands that documents show as what one types: those that read run on a store of one day."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from mqcap.settings import load_settings
from tests.mqcap.cli.command_line import invoked
from tests.plugins import builder

pytestmark = pytest.mark.thorough
DOCUMENTS = sorted([*Path().glob("*.md"), *Path("docs").rglob("*.md")])
HOUR = Path("docs/first-hour.md").read_text(encoding="utf-8")
READING = {
    ("estate", "discover"), ("explain",), ("findings",), ("metrics",), ("plan",), ("report",),
    ("rules", "coverage"), ("rules", "list"), ("rules", "show"), ("runs",), ("settings", "check"),
    ("store", "check"), ("store", "prune"), ("outbox", "list"), ("tickets", "list"),
    ("transports",), ("unit-costs",), ("lose",), ("drivers",), ("--version",),
}  # fmt: skip
"""Commands that need a store and nothing else; the others have tests of their own."""
EXAMPLES = {"2026-01-05": str(builder.DAY), "/var/lib/node_exporter/textfile/": "", "/srv/": ""}
"""What stands in documents, and what the store of the test has instead."""


def shown() -> list[str]:
    """The commands in blocks of documents that can be typed as they stand, without comments."""
    lines: list[str] = []
    for document in DOCUMENTS:
        text = re.sub(r"\\\n\s*", "", document.read_text(encoding="utf-8"))
        for kind, block in re.findall(
            r"^ *```(\w*)\n(.*?)```", text, flags=re.DOTALL | re.MULTILINE
        ):
            if kind in {"", "sh"}:
                lines += re.findall(r"^(?:.*; )?mqcap (.+)$", block, flags=re.MULTILINE)
    plain = (re.split(r"\s#|[|;&]", line)[0].strip() for line in lines)
    return list(dict.fromkeys(line for line in plain if not re.search(r"[\[<…]|\.\.\.", line)))


def reads(line: str) -> bool:
    words = [word for word in line.split() if word]
    return tuple(words[:1]) in READING or tuple(words[:2]) in READING


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    builder.filled_store(tmp_path).dispose()
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(builder.settings_file(tmp_path)))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "var" / "inbox").mkdir(parents=True)
    return tmp_path


SHOWN = [line for line in shown() if reads(line)]


@pytest.mark.parametrize("line", SHOWN)
def test_a_command_that_reads_runs_as_it_stands(site: Path, line: str) -> None:
    for example, instead in EXAMPLES.items():
        line = line.replace(example, instead)
    result = invoked(*shlex.split(line))
    assert result.exit_code == 0, f"{line}: {result.output} {result.exception!r}"


def test_documents_show_commands_that_read() -> None:
    assert len(SHOWN) >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_commands_stand_in_fenced_blocks_where_they_are_found(document: Path) -> None:
    assert re.findall(r"^ {4}mqcap .*", document.read_text(encoding="utf-8"), re.MULTILINE) == []


def test_settings_of_the_first_hour_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", HOUR, flags=re.DOTALL)
    (tmp_path / "mqcap.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(tmp_path / "mqcap.yaml"))
    settings = load_settings()
    (plex,) = yaml.safe_load(text)["estate"]
    assert settings.complete_estate().sysplexes[0].sysplex == plex["sysplex"]
