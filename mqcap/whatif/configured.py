"""The configuration of the estate under a scenario."""

from collections.abc import Sequence
from typing import Any, Final

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
_POOL_PREFIX: Final = "BP"

Entry = dict[str, Any]


def estate_changes(scenario: Scenario) -> list[tuple[str, Entry]]:
    """Return each subject of a scenario with its settings that are keys of the estate file."""
    changes = [(part.subject, part.estate_values) for part in scenario.configuration]
    changes += [(part.subject, estate_values(part)) for part in scenario.hardware]
    return [(subject, values) for subject, values in changes if values]


def estate_under(estate: Estate, changes: Sequence[tuple[str, Entry]]) -> Estate:
    """Return the estate with the settings of a scenario, as ``estate_changes`` gives them.

    Raises:
        ConfigurationError: a setting is out of range, or not of this kind of subject.
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
    sysplex, name, *rest = Subject(subject).names
    if sysplex in {place["site"] for place in document["places"]}:
        entry = _of_place(document, subject, set(values))
        entry.update({key: _single(value) for key, value in values.items()})
        return
    plex = _entry(_own(document, "sysplexes"), "sysplex", sysplex)
    [*others] = kinds_of(subject)
    if SubjectKind.structure in others:
        facility = _entry(_own(plex, "cfs"), "name", name)
        entry = _entry(_own(facility, "structures"), "name", rest[0])
    elif others == [SubjectKind.buffer_pool]:
        manager = _entry(_own(plex, "qmgrs"), "name", name)
        number = int(rest[0].removeprefix(_POOL_PREFIX))
        entry = _entry(_own(manager, "buffer_pools"), "number", number)
    elif others == [SubjectKind.channel_initiator]:
        entry = _entry(_own(plex, "qmgrs"), "name", name)
    else:
        section = _section(plex, name, set(values))
        kind = _SECTIONS.get(section, SubjectKind.queue_manager)
        _refuse_others(subject, kind, set(values))
        entry = _entry(_own(plex, section), "name", name)
        if "archive_minutes" not in values:
            _archive_in_step(entry, values)
    entry.update({key: _single(value) for key, value in values.items()})


def _of_place(document: Entry, subject: str, keys: set[str]) -> Entry:
    """Return the entry of a host, z/TPF system, queue manager or queue of a site."""
    site, name, *rest = Subject(subject).names
    place = _entry(_own(document, "places"), "site", site)
    listed = (each for each in _OF_PLACES if any(e["name"] == unescaped(name) for e in place[each]))
    section = next(listed, "qmgrs")
    kind = _OF_PLACES.get(section, SubjectKind.distributed_queue_manager)
    _refuse_others(subject, SubjectKind.distributed_queue if rest else kind, keys)
    entry = _entry(_own(place, section), "name", unescaped(name))
    return _entry(_own(entry, "queues"), "name", unescaped(rest[0])) if rest else entry


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


def _own(entry: Entry, section: str) -> list[Entry]:
    """Return a list of an entry so that it can be extended."""
    entries = list(entry.get(section, ()))
    entry[section] = entries
    return entries


def _entry(entries: list[Entry], key: str, name: object) -> Entry:
    """Return the entry of that name, added when the estate does not list it."""
    for entry in entries:
        if entry[key] == name:
            return entry
    entries.append({key: name})
    return entries[-1]
