"""The configuration of the estate under a scenario."""

from collections.abc import Sequence
from typing import Any, Final, cast

from pydantic import ValidationError

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, QueueManager
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.whatif.hardware import estate_values
from mqcap.whatif.parts import keys_of, kinds_of
from mqcap.whatif.scenario import Scenario

_SECTIONS: Final = {
    "cfs": SubjectKind.coupling_facility,
    "linux": SubjectKind.linux_host,
    "hosts": SubjectKind.linux_host,
    "ztpf": SubjectKind.ztpf_system,
}
"""Lists of a sysplex or site beside its queue managers."""

Entry = dict[str, Any]


def estate_changes(scenario: Scenario) -> list[tuple[str, Entry]]:
    """Return each subject of a scenario with its settings that are keys of the estate file."""
    changes = [(part.subject, part.estate_values) for part in scenario.configuration]
    changes += [(part.subject, estate_values(part)) for part in scenario.hardware]
    return [(subject, values) for subject, values in changes if values]


def estate_under(estate: Estate, changes: Sequence[tuple[str, Entry]]) -> Estate:
    """Return the estate with the settings of a scenario, as ``estate_changes`` gives them.

    A ConfigurationError where a setting is out of range, or not of this kind of subject.
    """
    if not changes:
        return estate
    document = estate.model_dump(by_alias=True)
    for subject, values in changes:
        entry = _entry_of(document, subject, set(values))
        if "archive_minutes" not in values:
            _archive_in_step(entry, values)
        entry |= {key: _single(value) for key, value in values.items()}
    try:
        return Estate.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"the scenario sets {first['loc'][-1]} out of range: {first['msg']}",
            found=str(first.get("input")),
        ) from error


def _entry_of(document: Entry, subject: str, keys: set[str]) -> Entry:
    """Return the entry of a subject; one that the estate does not list is found by its keys."""
    root, name, *rest = map(unescaped, Subject(subject).names)
    is_place = any(place["site"] == root for place in document["places"])
    part = _entry(document, *(("places", "site") if is_place else ("sysplexes", "sysplex")), root)
    if is_place or not rest:
        lists = (*_SECTIONS, "qmgrs")
        listed = (of for of in lists if any(entry["name"] == name for entry in part.get(of, ())))
        may_be_qmgr = is_place or {*QueueManager.model_fields, "class"} >= keys
        section = next(listed, "qmgrs" if may_be_qmgr else "cfs")
        others = SubjectKind.distributed_queue_manager if is_place else SubjectKind.queue_manager
        kind = SubjectKind.distributed_queue if rest else _SECTIONS.get(section, others)
        if unknown := sorted(keys - keys_of(kind)):
            raise ConfigurationError(
                f"{subject} is a {kind.replace('_', ' ')} and has no setting {' '.join(unknown)}",
                expected=f"one of: {' '.join(sorted(keys_of(kind)))}",
            )
        entry = _entry(part, section, "name", name)
        return _entry(entry, "queues", "name", rest[0]) if rest else entry
    kinds = kinds_of(subject)
    if SubjectKind.structure in kinds:
        return _entry(_entry(part, "cfs", "name", name), "structures", "name", rest[0])
    manager = _entry(part, "qmgrs", "name", name)
    if kinds == (SubjectKind.buffer_pool,):
        return _entry(manager, "buffer_pools", "number", int(rest[0].removeprefix("BP")))
    return manager


def _archive_in_step(entry: Entry, values: Entry) -> None:
    """Scale the archive time with the size of the log (LOG-COUNT-OVERLAP)."""
    before, minutes = entry.get("active_log_size_mib"), entry.get("archive_minutes")
    size = values.get("active_log_size_mib")
    if before and minutes and size is not None:
        entry["archive_minutes"] = minutes * _single(size) / before


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, tuple | list) and len(value) == 2 else value


def _entry(of: Entry, section: str, key: str, name: object) -> Entry:
    entries = of[section] = list(of.get(section, ()))
    for entry in entries:
        if entry[key] == name:
            return cast("Entry", entry)
    entries.append({key: name})
    return cast("Entry", entries[-1])
