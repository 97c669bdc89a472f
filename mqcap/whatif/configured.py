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
    "ztpf": SubjectKind.ztpf_system,
}
"""Lists of a sysplex beside its queue managers."""
_OF_PLACES: Final = {"hosts": SubjectKind.linux_host, "ztpf": SubjectKind.ztpf_system}
"""Lists of a site beside its queue managers."""

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
        _configure(document, subject, values)
    try:
        return Estate.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigurationError(
            f"the scenario sets {first['loc'][-1]} out of range: {first['msg']}",
            found=str(first.get("input")),
        ) from error


def _configure(document: Entry, subject: str, values: Entry) -> None:
    root, name, *rest = Subject(subject).names
    if any(place["site"] == root for place in document["places"]):
        entry = _of_place(document, subject, set(values))
    else:
        plex = _entry(document, "sysplexes", "sysplex", root)
        kinds = kinds_of(subject)
        if SubjectKind.structure in kinds:
            entry = _entry(_entry(plex, "cfs", "name", name), "structures", "name", rest[0])
        elif kinds == (SubjectKind.buffer_pool,):
            manager = _entry(plex, "qmgrs", "name", name)
            entry = _entry(manager, "buffer_pools", "number", int(rest[0].removeprefix("BP")))
        elif kinds == (SubjectKind.channel_initiator,):
            entry = _entry(plex, "qmgrs", "name", name)
        else:
            section = _section(plex, name, set(values))
            kind = _SECTIONS.get(section, SubjectKind.queue_manager)
            _refuse_others(subject, kind, set(values))
            entry = _entry(plex, section, "name", name)
            if "archive_minutes" not in values:
                _archive_in_step(entry, values)
    entry |= {key: _single(value) for key, value in values.items()}


def _of_place(document: Entry, subject: str, keys: set[str]) -> Entry:
    """Return the entry of a host, z/TPF system, queue manager or queue of a site."""
    site, *names = map(unescaped, Subject(subject).names)
    place = _entry(document, "places", "site", site)
    listed = (kind for kind in _OF_PLACES if any(e["name"] == names[0] for e in place[kind]))
    section = next(listed, "qmgrs")
    kind = _OF_PLACES.get(section, SubjectKind.distributed_queue_manager)
    is_of_queue = len(names) > 1
    _refuse_others(subject, SubjectKind.distributed_queue if is_of_queue else kind, keys)
    entry = _entry(place, section, "name", names[0])
    return _entry(entry, "queues", "name", names[1]) if is_of_queue else entry


def _section(plex: Entry, name: str, keys: set[str]) -> str:
    """Return the list that has the name; one that the estate does not list by its keys."""
    for section in (*_SECTIONS, "qmgrs"):
        if any(entry["name"] == name for entry in plex.get(section, ())):
            return section
    return "qmgrs" if {*QueueManager.model_fields, "class"} >= keys else "cfs"


def _refuse_others(subject: str, kind: SubjectKind, keys: set[str]) -> None:
    unknown = sorted(keys - keys_of(kind))
    if unknown:
        raise ConfigurationError(
            f"{subject} is a {kind.replace('_', ' ')} and has no setting {' '.join(unknown)}",
            expected=f"one of: {' '.join(sorted(keys_of(kind)))}",
        )


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
