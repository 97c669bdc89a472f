"""The pages of ``docs/`` from code: rules, operands, estate keys, metrics, settings.

Run by ``make docs``; a test holds them to what the code says.
"""

import ast
import inspect
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, SecretStr
from pydantic_core import PydanticUndefined, to_jsonable_python

from devtools.docs.markdown import cell, page, table
from mqcap.change_pack.statements import operands_page
from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueue
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.domain.units import Unit
from mqcap.rulebook.coverage import coverage, sums, time_series_rules
from mqcap.settings import Settings
from sizing.advice import all_misprints
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromConsole, FromEstate, FromLoss, FromMetric
from sizing.rulebook.registry import all_rules
from spark_apps.registry import all_metrics

FOLDER: Final = Path(__file__).parents[2] / "docs"
_OWNERS: Final = {
    SubjectKind.linux_host: ("linux", set(LinuxHost.model_fields)),
    SubjectKind.ztpf_system: ("ztpf", set(ZtpfSystem.model_fields)),
    SubjectKind.distributed_queue: ("site: qmgrs, queues", set(DistributedQueue.model_fields)),
    SubjectKind.coupling_facility: ("cfs", set(CouplingFacility.model_fields)),
    SubjectKind.structure: ("cfs: structures", set(StructureFacts.model_fields)),
}
_MANAGER: Final = ("qmgrs", set(QueueManager.model_fields))


_ESTATE: Final = """\
# Keys of the estate that rules ask for

Written by `make docs` from the marks of the rules. Without a key its rules say which
one is missing; a rule about something that a site need not have (zHyperLink, IMS
bridge, storage class memory, z/TPF, Linux) is silent until one of its keys is there.
`ims_bridge_queues` of a queue manager names the queues whose depth IMS-TPIPE reads,
`log_volumes` the volumes of its active logs whose cache activity LOG-DFWBP reads.

"""
_MISPRINTS: Final = """\
# Where the documents contradict themselves

Written by `make docs`. Each place is read as the fourth column says; `mqcap rules show
ID` prints it with the entry.

"""
_RULES: Final = """\
# Rules that are evaluated daily

Written by `make docs`. A rule with a series has a date of crossing; the others say why
none is forecast. A superseded rule is suppressed while the other reports at least the
same severity.

Advice is `enough` where its figures make the rule true on the same data (proved for
each such rule by a property test). It is `measured` where no record shows how much is
needed: its figure is a first step, and says so. What only gives time (more logs while
archiving is too slow) or depends on the data (log compression) never counts as enough.

Of the {count} time-series rules of the documents: {basis}.
`mqcap rules coverage` lists them with their records, the keys that remain to be typed,
and the findings of the newest day.

"""
_METRICS: Final = """\
# Metrics

Written by `make docs` from `spark_apps/metrics/`. A series is a metric of a subject
(`log_growth_mib_per_s/PLEX1/CSQ1`); the REST API gives its values.
*Forecast*: a daily forecast is made, of the largest values, or of the smallest where `lowest` says
that these are the bad ones. *From*: IBM's fields and message ids that the figure is made of, or the
datasets of the lake.
"""
_SETTINGS: Final = """\
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


def pages() -> dict[str, str]:
    """Return the pages by file name."""
    tables = (
        (
            "",
            f"## {path}" if path else "## Top level",
            "",
            _first_paragraph(model),
            "",
            *table("key | values | default | meaning", _rows(model)),
        )
        for path, model in models().items()
    )
    misprints = (
        (item.flag, ", ".join(item.ids), item.finding, item.reading, item.source)
        for item in all_misprints()
    )
    rules = _RULES.format(count=len(time_series_rules()), basis=next(sums(coverage())))
    columns = "rule | subject | limit | breach | advice | series | superseded by | source"
    return {
        "estate.md": page(_ESTATE, table("section | key | shown by | rules", _keys())),
        "misprints.md": page(
            _MISPRINTS, table("flag | entries | finding | read here as | source", misprints)
        ),
        "operands.md": page(operands_page()),
        "rules.md": page(rules, table(columns, map(_rule, all_rules().values()))),
        "reference/metrics.md": page(_METRICS, _metrics()),
        "reference/settings.md": page(_SETTINGS, *tables),
    }


def write_pages(folder: Path = FOLDER) -> None:
    """Write the pages."""
    for name, text in pages().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _keys() -> Iterator[tuple[str, ...]]:
    asked: dict[tuple[str, str], list[str]] = defaultdict(list)
    shown: dict[tuple[str, str], str] = {}
    for rule in all_rules().values():
        kind = rule.traits.subject_kind
        owner, keys = _OWNERS.get(kind, _MANAGER)
        other = "qmgrs: buffer_pools" if kind is SubjectKind.buffer_pool else "counted"
        for mark in chain.from_iterable(value_sources_of(rule.inputs).values()):
            if isinstance(mark, FromEstate):
                place = (owner if mark.key in keys else other, mark.key)
                asked[place].append(rule.id)
                shown[place] = shown.get(place) or mark.shown_by
    for place, rules in sorted(asked.items()):
        yield place[0], f"`{place[1]}`", shown[place], ", ".join(dict.fromkeys(rules))


def _rule(rule: Rule) -> tuple[str, ...]:
    series, traits = rule.forecast_series, rule.traits
    advised = f"measured: {traits.first_step}" if traits.first_step else "enough"
    marks = list(chain.from_iterable(value_sources_of(rule.inputs).values()))
    source = ", ".join(sorted({mark.metric for mark in marks if isinstance(mark, FromMetric)}))
    if any(isinstance(mark, FromConsole) for mark in marks):
        source = "the console"
    elif any(isinstance(mark, FromLoss) for mark in marks):
        source = "each loss"
    undated = f"no date, from {source or 'the estate'}: {rule.why_undated}"
    return (
        rule.id,
        traits.subject_kind.replace("_", " "),
        " ".join(rule.explanation.split()),
        traits.breach_severity,
        advised if traits.amounts else "words",
        f"{series.metric} ({series.statistic})" if series else undated,
        traits.superseded_by,
        f"{rule.citation}",
    )


def _metrics() -> Iterator[str]:
    kinds = list(SubjectKind)
    ordered = sorted(all_metrics(), key=lambda metric: kinds.index(metric.subject_kind))
    for kind, metrics in groupby(ordered, key=lambda metric: metric.subject_kind):
        rows = []
        for metric in metrics:
            lowest = metric.direction is Direction.downward
            forecast = ("lowest" if lowest else "yes") if metric.forecast else "no"
            source = ", ".join(metric.fields or metric.reads) or f"hours of `{metric.lowest_of}`"
            shown = (f"`{metric.name}`", metric.label, metric.unit, forecast)
            rows.append(map(cell, (*shown, metric.description, source)))
        yield from ("", f"## {kind.replace('_', ' ').capitalize()}", "")
        yield from table("metric | shown as | unit | forecast | meaning | from", rows)


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


if __name__ == "__main__":
    write_pages()
