"""The page of the commands: every one with its options, and what all have in common.

A part of the site that ``make docs-site`` builds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import typer

from mqcap.cli.app import app
from mqcap.cli.shared.exit_codes import MEANINGS
from mqcap.domain.names.columns import Columns
from mqcap.lake.exported_events import EVENT_COLUMNS
from mqcap.store.exported.rows import (
    CROSSING_COLUMNS,
    FINDING_COLUMNS,
    FORECAST_COLUMNS,
    OBSERVATION_COLUMNS,
)

_WIDTH: Final = 80
EXPORTS: Final[Mapping[str, Columns]] = {
    "observations": OBSERVATION_COLUMNS,
    "events": EVENT_COLUMNS,
    "findings": FINDING_COLUMNS,
    "forecasts": FORECAST_COLUMNS,
    "crossings": CROSSING_COLUMNS,
}
"""Columns by the name of the command."""
_COMMON: Final = """\
# Command line

Written by `make docs-site` from the commands themselves. `mqcap COMMAND --help` prints the same.

## Common to all commands

Results go to standard output; progress, counts and errors to standard error. Lines are wrapped
between words at the width of the terminal (80 columns are enough), in a pipe or a file at 80 or
at the variable `COLUMNS`; a longer name is not cut. Programs read JSON or CSV.

**Forms of a list** (`--format`): `table` to read, `json` (a list of objects), `csv` (one row for
each object, its keys as headings; an object within an object is JSON in its cell, a list has `; `
between its items). Objects of findings and plans are those of the [REST API](page.md).

**Settings**: [running.md](running.md#which-settings-a-command-uses). In the folder of `make run`
nothing need be set.

**Names** may be in any case, and short where that is unique: `CSQ1` for `PLEX1/CSQ1`,
`log-fill-30min`. A short name that several have is an error that lists them; a name that nothing
has is one that suggests what is near.

**Days** are `YYYY-MM-DD` in the time zone of the site. Without `--day` it is the newest day with
findings; a day without data is an error that names the days with data.

**Completion**: `mqcap --install-completion` writes it for the present shell (bash, zsh, fish,
PowerShell), `mqcap --show-completion` prints it. Commands, options, their values, rules and topics
are completed.

**Exit codes**:
"""


def command_page() -> str:
    """Return the page."""
    commands = _commands(typer.main.get_command(app), None)
    return "\n".join([*_common(), *commands, *_exports()]) + "\n"


def _common() -> Iterator[str]:
    yield from _COMMON.splitlines()
    yield ""
    yield "| code | meaning |"
    yield "| --- | --- |"
    for code, meaning in MEANINGS.items():
        yield f"| {code.value} | {meaning} |"


def _commands(command: Any, above: Any) -> Iterator[str]:
    """Yield the section of a command and of all below it."""
    name = command.name if above is not None else "mqcap"
    context = typer.Context(command, parent=above, info_name=name, terminal_width=_WIDTH)
    yield ""
    yield f"## {context.command_path}" if _is_first(context) else f"### {context.command_path}"
    yield ""
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"`{context.command_path} {pieces}`".replace(" `", "`")
    yield ""
    yield from _help(command)
    records = [each.get_help_record(context) for each in command.get_params(context)]
    shown = [each for each in records if each is not None and each[0] != "--help"]
    if shown:
        yield ""
        yield "| argument or option | meaning |"
        yield "| --- | --- |"
        for names, text in shown:
            yield f"| `{_cell(names)}` | {_cell(text)} |"
    for each in getattr(command, "commands", {}).values():
        if not each.hidden:
            yield from _commands(each, context)


def _exports() -> Iterator[str]:
    """Yield the columns of the exported files."""
    yield ""
    yield "## Columns of exported files"
    yield ""
    yield "A cell without a value is empty in CSV, null in Parquet and JSON lines."
    for name, columns in EXPORTS.items():
        yield ""
        yield f"### mqcap export {name}: columns"
        yield ""
        yield "| column | type | meaning |"
        yield "| --- | --- | --- |"
        for column, (kind, meaning) in columns.items():
            yield f"| `{column}` | {kind.name} | {_cell(meaning)} |"


def _is_first(context: typer.Context) -> bool:
    return context.parent is None or context.parent.parent is None


def _help(command: Any) -> Iterator[str]:
    paragraphs = re.split(r"\n\s*\n", (command.help or "").strip())
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield ""
        yield " ".join(paragraph.split())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
