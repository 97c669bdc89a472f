"""The page of the REST API, from its OpenAPI document: a part of what ``make docs-site`` builds.

The document is given, because only the page itself imports Airflow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

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
    return "\n".join([*_HEAD.splitlines(), *_paths(document), *_objects(schemas)]) + "\n"


def _paths(document: Schema) -> Iterator[str]:
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            yield from ("", f"## {verb.upper()} {path}", "")
            yield from (" ".join(operation["description"].split()), "")
            if operation.get("parameters"):
                yield from (
                    "| parameter | values | default | meaning |",
                    "| --- | --- | --- | --- |",
                )
                yield from map(_parameter, operation["parameters"])
                yield ""
            yield from ("| answer | content |", "| --- | --- |")
            for code, answer in operation["responses"].items():
                content = answer.get("content", {}).values()
                shown = [_type(each.get("schema", {})) for each in content]
                yield f"| {code} | {', '.join([answer['description'], *filter(None, shown)])} |"


def _parameter(parameter: Schema) -> str:
    schema = parameter["schema"]
    default = schema.get("default")
    shown = (
        "required"
        if parameter.get("required")
        else f"`{default}`"
        if default is not None
        else "none"
    )
    text = _cell(parameter.get("description", ""))
    return f"| `{parameter['name']}` | {_type(schema)} | {shown} | {text} |"


def _objects(schemas: Schema) -> Iterator[str]:
    for name, schema in schemas.items():
        yield from ("", f"## {name}", "")
        if schema.get("description"):
            yield from (" ".join(schema["description"].split("\n\n")[0].split()), "")
        if "enum" in schema:
            yield f"Values: {', '.join(f'`{each}`' for each in schema['enum'])}."
            continue
        yield from ("| field | type | meaning |", "| --- | --- | --- |")
        for field, of_field in schema.get("properties", {}).items():
            yield f"| `{field}` | {_type(of_field)} | {_cell(of_field.get('description', ''))} |"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    kind = {"string": "text", "object": "object", "null": "none"}.get(schema.get("type", ""), "")
    return str(schema.get("format") or kind or schema.get("type", ""))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
