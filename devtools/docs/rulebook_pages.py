"""The pages of ``docs/`` that are written from code: estate keys, misprints, rules, operands.

Run by ``make docs``; a test holds them to what the rulebook says.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mqcap.change_pack.operands import operands_page
from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueue
from mqcap.domain.metric import SubjectKind
from mqcap.rulebook.coverage import coverage, sums, time_series_rules
from sizing.misprints import all_misprints
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromConsole, FromEstate, FromLoss, FromMetric
from sizing.rulebook.registry import all_rules

FOLDER: Final = Path(__file__).parents[2] / "docs"
_OWNERS: Final = {
    SubjectKind.linux_host: ("linux", set(LinuxHost.model_fields)),
    SubjectKind.ztpf_system: ("ztpf", set(ZtpfSystem.model_fields)),
    SubjectKind.distributed_queue: ("site: qmgrs, queues", set(DistributedQueue.model_fields)),
    SubjectKind.coupling_facility: ("cfs", set(CouplingFacility.model_fields)),
    SubjectKind.structure: ("cfs: structures", set(StructureFacts.model_fields)),
}
_MANAGER: Final = ("qmgrs", set(QueueManager.model_fields))


def pages() -> dict[str, str]:
    """The pages by file name."""
    return {
        "estate.md": _page(_estate()),
        "misprints.md": _page(_misprints()),
        "operands.md": _page(operands_page()),
        "rules.md": _page(_rules()),
    }


def write_pages(folder: Path = FOLDER) -> tuple[Path, ...]:
    """Write the pages; returns their paths."""
    written = []
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
        written.append(folder / name)
    return tuple(written)


def _page(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _estate() -> Iterator[str]:
    yield "# Keys of the estate that rules ask for"
    yield ""
    yield "Written by `make docs` from the marks of the rules. Without a key its rules say which"
    yield "one is missing; a rule about something that a site need not have (zHyperLink, IMS"
    yield "bridge, storage class memory, z/TPF, Linux) is silent until one of its keys is there."
    yield "`ims_bridge_queues` of a queue manager names the queues whose depth IMS-TPIPE reads,"
    yield "`log_volumes` the volumes of its active logs whose cache activity LOG-DFWBP reads."
    yield ""
    yield "| section | key | shown by | rules |"
    yield "| --- | --- | --- | --- |"
    asked: dict[tuple[str, str], list[str]] = defaultdict(list)
    shown: dict[tuple[str, str], str] = {}
    for rule in all_rules().values():
        for mark in _of(rule, FromEstate):
            place = (_section(rule, mark.key), mark.key)
            asked[place].append(rule.id)
            shown[place] = shown.get(place) or mark.shown_by
    for place, rules in sorted(asked.items()):
        names = ", ".join(dict.fromkeys(rules))
        yield f"| {place[0]} | `{place[1]}` | {shown[place]} | {names} |"


def _section(rule: Rule, key: str) -> str:
    section, keys = _OWNERS.get(rule.traits.subject_kind, _MANAGER)
    if key in keys:
        return section
    if rule.traits.subject_kind is SubjectKind.buffer_pool:
        return "qmgrs: buffer_pools"
    return "counted"


def _of(rule: Rule, kind: type[FromEstate]) -> Iterator[FromEstate]:
    for marks in value_sources_of(rule.inputs).values():
        yield from (mark for mark in marks if isinstance(mark, kind))


def _misprints() -> Iterator[str]:
    yield "# Where the documents contradict themselves"
    yield ""
    yield "Written by `make docs`. Each place is read as the fourth column says; `mqcap rules show"
    yield "ID` prints it with the entry."
    yield ""
    yield "| flag | entries | finding | read here as | source |"
    yield "| --- | --- | --- | --- | --- |"
    for misprint in all_misprints():
        yield (
            f"| {misprint.flag} | {', '.join(misprint.ids)} | {misprint.finding} |"
            f" {misprint.reading} | {misprint.source} |"
        )


def _rules() -> Iterator[str]:
    yield "# Rules that are evaluated daily"
    yield ""
    yield "Written by `make docs`. A rule with a series has a date of crossing; the others say why"
    yield "none is forecast. A superseded rule is suppressed while the other reports at least the"
    yield "same severity."
    yield ""
    yield "Advice is `enough` where its figures make the rule true on the same data (proved for"
    yield "each such rule by a property test). It is `measured` where no record shows how much is"
    yield "needed: its figure is a first step, and says so. What only gives time (more logs while"
    yield "archiving is too slow) or depends on the data (log compression) never counts as enough."
    yield ""
    basis = next(sums(coverage()))
    yield f"Of the {len(time_series_rules())} time-series rules of the documents: {basis}."
    yield "`mqcap rules coverage` lists them with their records, the keys that remain to be typed,"
    yield "and the findings of the newest day."
    yield ""
    yield "| rule | subject | limit | breach | advice | series | superseded by | source |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for rule in all_rules().values():
        series = rule.forecast_series
        forecast = f"{series.metric} ({series.statistic})" if series else _figures(rule)
        traits = rule.traits
        yield (
            f"| {rule.id} | {traits.subject_kind.replace('_', ' ')} "
            f"| {' '.join(rule.explanation.split())} | {traits.breach_severity} "
            f"| {_advised(rule)} | {forecast} "
            f"| {traits.superseded_by} | {rule.citation} |"
        )


def _advised(rule: Rule) -> str:
    if not rule.traits.amounts:
        return "words"
    why = rule.traits.first_step
    return f"measured: {why}" if why else "enough"


def _figures(rule: Rule) -> str:
    marks = [mark for each in value_sources_of(rule.inputs).values() for mark in each]
    source = ", ".join(sorted({mark.metric for mark in marks if isinstance(mark, FromMetric)}))
    if any(isinstance(mark, FromConsole) for mark in marks):
        source = "the console"
    elif any(isinstance(mark, FromLoss) for mark in marks):
        source = "each loss"
    return f"no date, from {source or 'the estate'}: {rule.why_undated}"


if __name__ == "__main__":
    write_pages()
