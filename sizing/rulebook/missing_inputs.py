"""Checks that wait for settings or records: the settings that let most checks be made first."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import UNKNOWN_SYSPLEX, SubjectKind
from mqcap.domain.subject import Subject
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import all_rules

STEPS_MAX: Final = 4
"""Settings to set that are named, the most worthwhile first (ours)."""
NAMES_MAX: Final = 12
"""Entries of the snippet, and names in a line (ours)."""
_FACILITY: Final = frozenset({SubjectKind.coupling_facility, SubjectKind.structure})
_ELSEWHERE: Final = {
    SubjectKind.linux_host: "host",
    SubjectKind.ztpf_system: "z/TPF system",
    SubjectKind.ztpf_queue: "z/TPF system",
}


class Need(NamedTuple):
    """What one check that is not made waits for."""

    owner: str
    """Queue manager, coupling facility or host: the entry of the settings."""
    noun: str
    rule_id: str
    keys: frozenset[str]
    """Of that entry."""
    records: tuple[str, ...]
    """Records and messages that no key replaces."""


class Step(NamedTuple):
    """Keys to set together, and the checks that are made once they are."""

    keys: tuple[str, ...]
    needs: tuple[Need, ...]


def needs(findings: Iterable[Finding]) -> Iterator[Need]:
    """Yield what each finding waits for that no record of the day and no setting gives."""
    for finding in findings:
        rule = all_rules().get(finding.rule_id)
        names = [line.partition(":")[0] for line in finding.missing]
        used = {value.name for value in finding.inputs}
        if finding.severity is not Severity.unknown or finding.is_data_incomplete:
            continue
        if rule is None or not names or used.intersection(names):
            continue
        sources = value_sources_of(rule.inputs)
        if not set(names) <= sources.keys():
            continue
        keys, records = set(), []
        for name in names:
            of_estate = [source for source in sources[name] if isinstance(source, FromEstate)]
            if of_estate:
                keys.add(of_estate[0].key)
            else:
                of_metric = [source for source in sources[name] if isinstance(source, FromMetric)]
                records.append(of_metric[0].record if of_metric else name)
        kind = rule.traits.subject_kind
        noun = "coupling facility" if kind in _FACILITY else _ELSEWHERE.get(kind, "queue manager")
        yield Need(
            finding.subject.owner,
            noun,
            finding.rule_id,
            frozenset(keys),
            tuple(dict.fromkeys(records)),
        )


def steps(waiting: Iterable[Need]) -> list[Step]:
    """Return keys to set, each time those next that unlock most checks for each key."""
    left = [need for need in waiting if need.keys and not need.records]
    known: set[str] = set()
    found: list[Step] = []
    while left:
        candidates = {need.keys - known for need in left}

        def worth(keys: Collection[str]) -> tuple[float, int, list[str]]:
            count = sum(need.keys <= known | {*keys} for need in left)  # noqa: B023 - used at once
            return (-count / len(keys), len(keys), sorted(keys))

        keys = min(candidates, key=worth)
        known |= keys
        unlocked = tuple(need for need in left if need.keys <= known)
        left = [need for need in left if not need.keys <= known]
        found.append(Step(tuple(sorted(keys)), unlocked))
    return found


def is_waiting(finding: Finding) -> bool:
    """Return whether settings would let a check be made that no record lets."""
    return any(need.keys and not need.records for need in needs([finding]))


_PLACE_FIRST: Final = (
    "# no entry of the estate has the systems (smfids) of some of them: begin with what"
    " mqcap estate discover prints"
)


def snippet(findings: Iterable[Finding], estate: Estate) -> list[str]:
    """Return the estate as YAML with the keys of the first steps, empty, where they are lacking.

    What these entries have is in it. Entries of Linux and z/TPF have no snippet, and neither have
    queue managers of an unknown sysplex: they need an entry with their systems first.
    """
    unlocking = steps(needs(findings))[:STEPS_MAX]
    unplaced = False
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for need in (need for step in unlocking for need in step.needs):
        if Subject(need.owner).is_part_of(UNKNOWN_SYSPLEX):
            unplaced = True
        elif need.noun not in _ELSEWHERE.values():
            lacking = [key for step in unlocking for key in step.keys if key in need.keys]
            keys[need.owner] |= dict.fromkeys(lacking, need.noun)
    shown = sorted(keys)[:NAMES_MAX]
    lines = [_PLACE_FIRST] if unplaced else []
    if not shown:
        return lines
    lines.append("estate:")
    for sysplex, owners in groupby(shown, key=lambda owner: Subject(owner).sysplex):
        lines.append(f"  - sysplex: {json.dumps(sysplex)}")
        mine = list(owners)
        for section, kind in (("qmgrs", "queue manager"), ("cfs", "coupling facility")):
            of_kind = [owner for owner in mine if kind in keys[owner].values()]
            lines += [f"    {section}:"] if of_kind else []
            lines += [f"      - {{{_entry(owner, keys[owner], estate)}}}" for owner in of_kind]
    if len(keys) > len(shown):
        lines.append(f"# and {len(keys) - len(shown)} more: mqcap estate discover")
    return lines


def _entry(owner: str, keys: Iterable[str], estate: Estate) -> str:
    sysplex, name = Subject(owner).names[:2]
    configured: QueueManager | CouplingFacility | None = estate.queue_manager(sysplex, name)
    configured = configured or estate.coupling_facility(sysplex, name)
    own: dict[str, Any] = {}
    if configured:
        own = configured.model_dump(
            mode="json", by_alias=True, exclude_none=True, exclude_defaults=True
        )
    shown = [f"{key}: {json.dumps(value)}" for key, value in ({"name": name} | own).items()]
    return ", ".join([*shown, *(f"{key}: " for key in keys if key not in own)])
