"""The page ``docs/reference/settings.md``: every key of the settings file, from its models."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Final, get_args

from pydantic import BaseModel, SecretStr
from pydantic_core import PydanticUndefined, to_jsonable_python

from devtools.docs.markdown import cell, page, table
from mqcap.domain.units import Unit
from mqcap.settings import Settings

_HEAD: Final = """\
# Settings

Written by `make docs` from the models that read the file. `mqcap settings check` validates a file
and prints the merged result. Which file a command uses:
[running.md](../running.md#which-settings-a-command-uses).

A key is overridden by the environment as `MQCAP_`, then its path in capitals with `__` between the
parts: `store.url` by `MQCAP_STORE__URL`, `lake` by `MQCAP_LAKE`. An unknown key is an error.
Figures marked as ours are in no manual: a site may choose others.

`[]` after a key stands for each entry of a list, `{}` for each name of a map. An estate
key without a value is unknown to the rules that ask for it: [estate.md](../estate.md).
"""
_LIMITS: Final[Mapping[str, str]] = {
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "pattern": "`{}`",
}


def settings_page() -> str:
    """Return the page."""
    tables = (
        ("", f"## {path}" if path else "## Top level", "", _first_paragraph(model), "",
         *table("key | values | default | meaning", _rows(model)))
        for path, model in models().items()
    )  # fmt: skip
    return page(_HEAD, *tables)


def models() -> dict[str, type[BaseModel]]:
    """Return the models of the file by the first path at which each is found; its own is ''."""
    found: dict[str, type[BaseModel]] = {"": Settings}
    waiting: list[tuple[str, type[BaseModel]]] = [("", Settings)]
    for path, model in waiting:
        for name, field in model.model_fields.items():
            for mark, inner in _models_in(field.annotation, ""):
                if inner not in found.values():
                    place = f"{path}.{field.alias or name}{mark}".lstrip(".")
                    first_key = next(iter(inner.model_fields))
                    found[f"{place} with {first_key}" if place in found else place] = inner
                    waiting.append((place, inner))
    return found


def _models_in(annotation: Any, mark: str) -> Iterator[tuple[str, type[BaseModel]]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield mark, annotation
        return
    origin = getattr(annotation, "__origin__", None)
    inner = "[]" if origin is tuple else "{}" if origin is dict else ""
    for argument in get_args(annotation):
        yield from _models_in(argument, mark + inner)


def _rows(model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    schema = model.model_json_schema()
    for name, field in model.model_fields.items():
        key = field.alias or name
        values = _values(schema["properties"][key], schema.get("$defs", {}))
        unit = next((f", {mark.text}" for mark in field.metadata if isinstance(mark, Unit)), "")
        default = _default(field.get_default(call_default_factory=True), field.is_required())
        yield f"`{key}`", f"{values}{unit}", default, meaning(model, name)


def _first_paragraph(model: type[BaseModel]) -> str:
    paragraph = inspect.cleandoc(model.__doc__ or "").split("\n\n")[0]
    return cell(paragraph).replace("``", "`")


def meaning(model: type[BaseModel], name: str) -> str:
    """Return the text of a field, else that of the model that it holds; empty without one."""
    own = docstrings(model).get(name) or model.model_fields[name].description
    held = (
        _first_paragraph(each) for _, each in _models_in(model.model_fields[name].annotation, "")
    )
    return own or next(held, "")


@cache
def docstrings(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the texts below the fields of a model and of its bases, as cells of a table."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if not issubclass(base, BaseModel) or base.__module__.startswith("pydantic"):
            continue
        (defined,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(defined, ast.ClassDef)  # noqa: S101 - what the source of a class is
        for field, text in pairwise(defined.body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                name = ast.unparse(field.target)
                texts[name] = cell(ast.literal_eval(text.value)).replace("``", "`")
    return texts


def _values(schema: Mapping[str, Any], defined: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        inner = defined[schema["$ref"].rpartition("/")[2]]
        return "keys below" if inner.get("type") == "object" else _values(inner, defined)
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{choice}`" for choice in schema.get("enum", [schema.get("const")]))
    for kind in ("anyOf", "oneOf"):
        if kind in schema:
            each = (_values(one, defined) for one in schema[kind] if one.get("type") != "null")
            return " or ".join(dict.fromkeys(each))
    kind = schema.get("type", "any")
    named = {"string": "text", "boolean": "`true` or `false`"}
    words = str(schema.get("format") or named.get(kind, kind))
    if kind == "array":
        words = f"list of {_values(schema.get('items', {}), defined)}"
    elif kind == "object":
        words = f"map to {_values(schema.get('additionalProperties') or {}, defined)}"
    limits = [text.format(schema[key]) for key, text in _LIMITS.items() if key in schema]
    return cell(", ".join([words, *limits]))


def _default(value: Any, required: bool) -> str:
    if required or value is PydanticUndefined:
        return "required"
    if isinstance(value, BaseModel):
        return ""
    shown = value.get_secret_value() if isinstance(value, SecretStr) else to_jsonable_python(value)
    if shown in (None, [], {}, ""):
        return "none"
    if isinstance(shown, dict):
        return ", ".join(f"`{key}`: {_default(value[key], False) or 'as below'}" for key in value)
    text = str(shown).lower() if isinstance(shown, bool) else str(shown)
    return f"`{cell(text)}`"
