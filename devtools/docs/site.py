"""Hooks of the documentation site: pages from outside ``docs/`` or from code, and folders.

Read by MkDocs (``mkdocs.yml``). Pages from code are those of the layouts, the commands and the REST
API; the document of the last one is given, because only the page itself imports Airflow.
"""

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import typer
from mkdocs.structure.files import File, Files

from devtools.docs import layout_pages
from devtools.docs.markdown import cell, page, table
from mqcap.cli.app import app
from mqcap.cli.common import MEANINGS
from mqcap.domain.names.short_names import Columns
from mqcap.lake.exported_events import EVENT_COLUMNS
from mqcap.store.exported import (
    CROSSING_COLUMNS,
    FINDING_COLUMNS,
    FORECAST_COLUMNS,
    OBSERVATION_COLUMNS,
)

ROOT: Final = Path(__file__).parents[2]
FROM_ROOT: Final = {
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
}
"""Pages of the site that are files beside ``docs/``."""
LAYOUTS: Final = "layouts"
_ALL_OF: Final = "/*"


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation names the folder, ``decisions/*``."""
    config.nav = _expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside ``docs/`` and those that are written from code."""
    for name, source in FROM_ROOT.items():
        text = of_site((ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, name, content=text))
    for name, text in generated_pages().items():
        files.append(File.generated(config, name, content=text))
    return files


@cache
def generated_pages() -> dict[str, str]:
    """Return the pages that are not kept as files: commands, REST API and record layouts."""
    os.environ.setdefault("AIRFLOW_HOME", str(ROOT / "var" / "airflow-of-docs"))
    with warnings.catch_warnings(action="ignore"):  # Airflow's own
        from mq_capacity_page.api.routes import api_description  # noqa: PLC0415 - after the home

    return {
        "commands.md": command_page(),
        "reference/rest-api.md": rest_api_page(api_description()),
        **{f"{LAYOUTS}/{name}": text for name, text in layout_pages.pages().items()},
    }


def on_page_markdown(markdown: str, page: Any, **_others: Any) -> str:
    """Return the page with links that lead to the pages of the site."""
    above = "../" * page.file.src_uri.count("/")
    for name, source in FROM_ROOT.items():
        markdown = markdown.replace(f"](../{above}{source})", f"]({above}{name})")
    return markdown


def of_site(text: str) -> str:
    """Return a page from beside ``docs/`` with links as from inside."""
    return re.sub(r"\]\(docs/", "](", text).replace("](README.md", "](index.md")


def _expanded(nav: Any, folder: Path) -> Any:
    if isinstance(nav, list):
        return [_expanded(entry, folder) for entry in nav]
    if isinstance(nav, dict):
        return {title: _expanded(entry, folder) for title, entry in nav.items()}
    return list(_pages(nav, folder)) if nav.endswith(_ALL_OF) else nav


def _pages(pattern: str, folder: Path) -> Iterable[str]:
    """Return the pages of a folder, its first one before the others."""
    name = pattern.removesuffix(_ALL_OF)
    written = layout_pages.pages() if name == LAYOUTS else ()
    found = {Path(name, page) for page in written}
    found |= {path.relative_to(folder) for path in (folder / name).glob("*.md")}
    return (f"{path}" for path in sorted(found, key=lambda path: (path.name != "README.md", path)))


_HEAD: Final = """\
# REST API

Written by `make docs-site` from the OpenAPI document that `/capacity/api/openapi.json` serves.
Addresses are below `/capacity` of Airflow's API server, under Airflow's own login: a browser's
session, or a bearer token. A user needs read permission on the DAG `mqcap_daily`.

Lists come page by page as JSON (`items`, `total`, and `next`, the `start` of the next page), or
complete with `form=csv` or `form=parquet`. Days are `YYYY-MM-DD` of the site, instants have their
zone.
"""
Schema = Mapping[str, Any]


def rest_api_page(document: Schema) -> str:
    """Return the page for an OpenAPI document."""
    schemas = document.get("components", {}).get("schemas", {})
    return page(_HEAD, _paths(document), _objects(schemas))


def _paths(document: Schema) -> Iterator[str]:
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            yield from ("", f"## {verb.upper()} {path}", "")
            yield from (" ".join(operation["description"].split()), "")
            if parameters := operation.get("parameters"):
                rows = map(_parameter, parameters)
                yield from (*table("parameter | values | default | meaning", rows), "")
            answers = []
            for code, answer in operation["responses"].items():
                media = answer.get("content", {}).values()
                types = filter(None, (_type(medium.get("schema", {})) for medium in media))
                answers.append((code, ", ".join([answer["description"], *types])))
            yield from table("answer | content", answers)


def _parameter(parameter: Schema) -> tuple[str, ...]:
    schema = parameter["schema"]
    default = f"`{schema['default']}`" if schema.get("default") is not None else "none"
    if parameter.get("required"):
        default = "required"
    return f"`{parameter['name']}`", _type(schema), default, cell(parameter.get("description", ""))


def _objects(schemas: Schema) -> Iterator[str]:
    for name, schema in schemas.items():
        yield from ("", f"## {name}", "")
        if schema.get("description"):
            yield from (" ".join(schema["description"].split("\n\n")[0].split()), "")
        if "enum" in schema:
            yield f"Values: {', '.join(f'`{value}`' for value in schema['enum'])}."
            continue
        fields = (
            (f"`{field}`", _type(of_field), cell(of_field.get("description", "")))
            for field, of_field in schema.get("properties", {}).items()
        )
        yield from table("field | type | meaning", fields)


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kind = {"string": "text", "object": "object", "null": "none"}.get(schema.get("type", ""), "")
    return str(schema.get("format") or kind or schema.get("type", ""))


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
    codes = table("code | meaning", ((code.value, text) for code, text in MEANINGS.items()))
    commands = _commands(typer.main.get_command(app), None)
    return page(_COMMON, [""], codes, commands, _exports())


def _commands(command: Any, above: Any) -> Iterator[str]:
    name = command.name if above is not None else "mqcap"
    context = typer.Context(command, parent=above, info_name=name, terminal_width=_WIDTH)
    marks = "##" if above is None or above.parent is None else "###"
    pieces = " ".join(command.collect_usage_pieces(context))
    usage = f"`{context.command_path} {pieces}`".replace(" `", "`")
    yield from ("", f"{marks} {context.command_path}", "", usage)
    for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
        yield from ("", " ".join(paragraph.split()))
    records = [param.get_help_record(context) for param in command.get_params(context)]
    shown = [
        (f"`{cell(record[0])}`", cell(record[1]))
        for record in records
        if record is not None and record[0] != "--help"
    ]
    if shown:
        yield from ("", *table("argument or option | meaning", shown))
    for subcommand in getattr(command, "commands", {}).values():
        if not subcommand.hidden:
            yield from _commands(subcommand, context)


def _exports() -> Iterator[str]:
    yield from ("", "## Columns of exported files", "")
    yield "A cell without a value is empty in CSV, null in Parquet and JSON lines."
    for name, columns in EXPORTS.items():
        rows = (
            (f"`{column}`", kind.name, cell(meaning)) for column, (kind, meaning) in columns.items()
        )
        yield from ("", f"### mqcap export {name}: columns", "")
        yield from table("column | type | meaning", rows)
