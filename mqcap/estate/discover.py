"""Estate file seeded from the data and from pasted command output, to be completed by the site.

Names come from series and rows, engines from the last measured day, log sizes and numbers from
responses to DISPLAY commands and prints of the BSDS. What no source holds (archive times, time
zones) is left as a comment that says where to look it up; where two sources differ, both are shown.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import CouplingFacility, Estate
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import UNKNOWN_SYSPLEX, SubjectKind
from mqcap.estate.distributed import Seen, SeenManager, add_file, add_lake
from mqcap.estate.pasted import lines_of, sourced_values
from mqcap.ingest.display_output.reading import Fact, read_displays
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.layout import landed_sha256, rows_paths
from mqcap.lake.location import Location, open_lake
from mqcap.lake.manifest import manifests
from mqcap.lake.tables import read_table
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.models import SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series


def site_lines(estate: Estate, seen: Mapping[str, SeenManager], site: str | None) -> Iterator[str]:
    """Yield sites, then who is in none; ``site`` is of those that nothing places, if known."""
    known = {
        name: {*estate.sites_of_qmgrs().get(name, ()), *seen[name].sites} for name in sorted(seen)
    }
    homes = {
        name: next(iter(sites), site or "") if len(sites) <= 1 else ""
        for name, sites in known.items()
    }
    for root in sorted({place.site for place in estate.places} | {*homes.values()} - {""}):
        place = next((place for place in estate.places if place.site == root), None)
        yield from _site(root, place, {name: seen[name] for name in homes if homes[name] == root})
    homeless = [name for name, home in homes.items() if not home]
    if homeless:
        yield "# Only you know the site of these: repeat with --site NAME, or with a CSV list of"
        yield "# names under the headings site,qmgr."
    for name in homeless:
        several = f" is in {' and '.join(sorted(known[name]))}" if known[name] else ""
        hosts = ", ".join(sorted({*seen[name].hosts, *seen[name].host_labels}))
        of = f"{f'host {hosts}; ' if hosts else ''}from {', '.join(seen[name].sources)}"
        yield f"#   {name}{several} ({of})"


def _site(root: str, place: Place | None, seen: Mapping[str, SeenManager]) -> Iterator[str]:
    kept: dict[str, Any] = {"site": root}
    if place is not None:
        kept |= place.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    hosts = {host["name"] for host in kept.get("hosts", ())}
    qmgrs = {qmgr["name"] for qmgr in kept.get("qmgrs", ())}
    new_hosts = {host for manager in seen.values() for host in manager.hosts} - hosts
    new_qmgrs = [name for name in seen if name not in qmgrs]
    kept["hosts"] = [*kept.get("hosts", ()), *({"name": host} for host in sorted(new_hosts))]
    entries = [
        {"name": name} | ({"class": str(kind)} if (kind := seen[name].system_class) else {})
        for name in new_qmgrs
    ]
    kept["qmgrs"] = [*kept.get("qmgrs", ()), *entries]
    text = yaml.safe_dump(
        {key: value for key, value in kept.items() if value},
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=110,
    )
    for number, line in enumerate(text.splitlines()):
        yield f"  {'  ' if number else '- '}{line}"
    if place is None:
        yield "    # timezone: Europe/Copenhagen   (its local time; UTC while this is not set)"
    if place is None or "scrape_seconds" not in kept:
        yield "    # scrape_seconds: 60   (how often Prometheus asks mq_prometheus)"
    undecided = [name for name in new_qmgrs if seen[name].system_class is None]
    if undecided:
        yield (
            f"    # class is production where none stands, else test or disaster_recovery: "
            f"{', '.join(undecided)}"
        )
    for label in sorted({label for manager in seen.values() for label in manager.host_labels}):
        if label not in hosts and label.replace(".", "-") not in hosts | new_hosts:
            yield f"    # hosts: the label {label} may be a name with hyphens; list the true name"


_ROWS: Final = ("section_qjst", "section_qcct", "section_wtid", "section_qmac")
"""Sections whose records name the queue sharing group: statistics, or accounting alone."""
_OF_QUEUE_MANAGER: Final = {
    SubjectKind.queue_manager,
    SubjectKind.channel_initiator,
    SubjectKind.buffer_pool,
    SubjectKind.page_set,
}
_ASKED: Final = (
    ("active_log_size_mib", "DISPLAY LOG or a print of the BSDS; MiB of one log, one copy"),
    ("active_logs", "DISPLAY LOG; active logs in one copy"),
    ("dual_logging", "DISPLAY LOG; true or false"),
    ("archive_minutes", "from CSQJ002I to CSQJ139I, tape mount included"),
)


@dataclass
class DiscoveredSysplex:
    """Members of a sysplex that the data shows."""

    smfids: set[str] = field(default_factory=set)
    queue_managers: dict[str, str | None] = field(default_factory=dict)
    """By name: the queue sharing group, empty when records say that it is in none, ``None`` when
    none was seen."""
    facilities: dict[str, int | None] = field(default_factory=dict)
    """By name: engines on the last measured day."""


class Pasted(NamedTuple):
    """Files of command output, with the queue manager and sysplex of output that names none."""

    files: tuple[Path, ...] = ()
    queue_manager: str | None = None
    sysplex: str | None = None
    site: str | None = None
    """Of queue managers that are not on z/OS and that nothing places."""


def discover(settings: Settings, engine: Store, pasted: Pasted | None = None) -> str:
    """Return ``estate`` as YAML, configured entries unchanged; an error without any facts."""
    pasted = pasted or Pasted()
    series = [
        facts
        for facts in read_series(engine)
        if facts.subject_kind
        in _OF_QUEUE_MANAGER | {SubjectKind.coupling_facility, SubjectKind.structure}
    ]
    elsewhere = Seen(SeenManager)
    add_lake(elsewhere, open_lake(settings.lake))
    displays = [file for file in pasted.files if not add_file(elsewhere, file)]
    if not series and not pasted.files and not elsewhere:
        raise ConfigurationError(
            "nothing to discover: the store holds no series",
            remedy="Load something first: mqcap load FILE, or put files into the inbox.",
        )
    estate = settings.complete_estate()
    discovered = _seen(settings, engine, series)
    notes = _propose_home(discovered, estate)
    facts_of: dict[str, list[Fact]] = defaultdict(list)
    for fact in (fact for file in displays for fact in read_displays(file)):
        facts_of[fact.queue_manager or pasted.queue_manager or ""].append(fact)
    homeless = facts_of.pop("", [])
    placed = _placed(facts_of, discovered, estate, pasted.sysplex)
    names = sorted({*discovered, *placed, *(plex.sysplex for plex in estate.sysplexes)})
    lines = ["# Seeded from the data; complete what is commented out.", *notes, "estate:"]
    for name in names:
        members = discovered.get(name, DiscoveredSysplex())
        lines += _sysplex(name, members, estate, placed.get(name, {}))
    lines += site_lines(estate, elsewhere, pasted.site)
    if homeless:
        lines.append("# These responses name no queue manager; give it as --qmgr:")
        lines += [f"#   {fact.key} = {json.dumps(fact.value)} ({fact.source})" for fact in homeless]
    return "\n".join(lines)


def _propose_home(discovered: dict[str, DiscoveredSysplex], estate: Estate) -> list[str]:
    """Put what nothing places into an only sysplex without systems; return a comment on it."""
    if UNKNOWN_SYSPLEX not in discovered:
        return []
    nothing = "No input says in which sysplex these systems are"
    homes = [plex.sysplex for plex in estate.sysplexes]
    if len(homes) != 1 or estate.sysplexes[0].smfids or len(discovered) > 1:
        return [f"# {UNKNOWN_SYSPLEX}: {nothing.lower()}. Name it, or move them into another."]
    discovered[homes[0]] = discovered.pop(UNKNOWN_SYSPLEX)
    return [f"# {nothing}: {homes[0]}, the only one of the settings, is proposed."]


def _placed(
    facts_of: dict[str, list[Fact]],
    discovered: dict[str, DiscoveredSysplex],
    estate: Estate,
    named_sysplex: str | None,
) -> dict[str, dict[str, list[Fact]]]:
    """Return by sysplex the facts of its queue managers, placed where just one has that name."""
    members = {plex: set(there.queue_managers) for plex, there in discovered.items()}
    for plex in estate.sysplexes:
        members.setdefault(plex.sysplex, set()).update(qmgr.name for qmgr in plex.qmgrs)
    placed: dict[str, dict[str, list[Fact]]] = defaultdict(dict)
    for name, facts in facts_of.items():
        homes = [plex for plex, names in members.items() if name in names]
        home = homes[0] if len(homes) == 1 else named_sysplex or UNKNOWN_SYSPLEX
        placed[home][name] = facts
    return dict(placed)


def _seen(
    settings: Settings, engine: Store, series: Iterable[SeriesFacts]
) -> dict[str, DiscoveredSysplex]:
    discovered: dict[str, DiscoveredSysplex] = defaultdict(DiscoveredSysplex)
    for facts in series:
        sysplex, *names = facts.subject.names
        if not names:
            continue
        if facts.subject_kind in _OF_QUEUE_MANAGER:
            discovered[sysplex].queue_managers.setdefault(names[0], None)
        else:
            discovered[sysplex].facilities.setdefault(names[0], None)
        if facts.metric == "cf_engine_count":
            days = read_observations(engine, facts.series_id)
            discovered[sysplex].facilities[names[0]] = round(days[-1].peak) if days else None
    _add_systems(settings.complete_estate(), open_lake(settings.lake), discovered)
    return dict(discovered)


def _add_systems(estate: Estate, lake: Location, discovered: dict[str, DiscoveredSysplex]) -> None:
    """Add systems, and the groups of queue managers: as configured, else as records say."""
    sources = manifests(lake)
    by_smfid, shared_smfids = sysplexes_of_systems(estate, sources)
    of_sites = {place.site for place in estate.places}
    roots = roots_of_files(estate, sources, shared_smfids).items()
    by_file = {sha256: root for sha256, root in roots if root not in of_sites}
    only = next(iter(discovered)) if len(discovered) == 1 else UNKNOWN_SYSPLEX

    def entry_of(sha256: str, smfid: str) -> DiscoveredSysplex:
        return discovered[by_file.get(sha256) or by_smfid.get(smfid, only)]

    for smfid in by_smfid:
        entry_of("", smfid).smfids.add(smfid)
    for source in sources:
        for smfid in source.smfids:
            entry_of(source.sha256, smfid).smfids.add(smfid)
    for sha256, smfid, queue_manager, group in sorted(_rows(lake)):
        entry_of(sha256, smfid).queue_managers[queue_manager] = group


def _rows(lake: Location) -> set[tuple[str, str, str, str]]:
    members: set[tuple[str, str, str, str]] = set()
    for file in (path for dataset in _ROWS for path in rows_paths(lake, dataset)):
        rows = read_table(file, columns=["smfid", "qmgr", "qsg"])
        distinct = rows.group_by(["smfid", "qmgr", "qsg"]).aggregate([])
        members |= {
            (landed_sha256(file), row["smfid"], row["qmgr"], row["qsg"].strip())
            for row in distinct.to_pylist()
            if row["qsg"] is not None
        }
    return members


def _sysplex(
    name: str, discovered: DiscoveredSysplex, estate: Estate, facts_of: dict[str, list[Fact]]
) -> Iterator[str]:
    plex = next((entry for entry in estate.sysplexes if entry.sysplex == name), None)
    # names are in quotes, because one may read as a number or as yes and no
    smfids = sorted({*discovered.smfids, *(plex.smfids if plex else ())})
    yield f"  - sysplex: {json.dumps(name)}"
    if plex is None:
        yield "    # timezone: Europe/Copenhagen   (its local time; UTC while this is not set)"
    else:
        yield f"    timezone: {json.dumps(plex.timezone)}"
    if plex is not None and plex.holidays:
        yield f"    holidays: {json.dumps(plex.holidays)}"
    else:
        yield "    # holidays: DK   (country whose public holidays the forecast should know)"
    yield f"    smfids: [{', '.join(json.dumps(smfid) for smfid in smfids)}]"
    yield from _facilities(discovered.facilities, plex.cfs if plex else ())
    configured = {
        manager.name: manager.model_dump(mode="json", by_alias=True, exclude_none=True)
        for manager in (plex.qmgrs if plex else ())
    }
    yield from _queue_managers(discovered.queue_managers, configured, facts_of)


def _facilities(
    engines: dict[str, int | None], configured: Iterable[CouplingFacility]
) -> Iterator[str]:
    in_estate = {
        facility.name: facility.model_dump(mode="json", exclude_none=True)
        for facility in configured
    }
    names = sorted({*engines, *in_estate})
    if names:
        yield "    cfs:"
    for name in names:
        count = engines.get(name)
        facts = ({"engines": count} if count else {}) | in_estate.get(name, {})
        shown = [
            f"{key}: {json.dumps(value)}"
            for key, value in facts.items()
            if key != "name" and value != []
        ]
        yield f"      - {{{', '.join([f'name: {json.dumps(name)}', *shown])}}}"


def _queue_managers(
    groups: dict[str, str | None],
    configured: dict[str, dict[str, Any]],
    facts_of: dict[str, list[Fact]],
) -> Iterator[str]:
    names = sorted({*groups, *configured, *facts_of})
    if names:
        yield "    qmgrs:"
    for name in names:
        own = configured.get(name, {})
        group = groups.get(name)
        facts = facts_of.get(name, [])
        sourced = sourced_values(facts, own, group)
        yield f"      - name: {json.dumps(name)}"
        yield from lines_of(facts, own, sourced)
        if "qsg" not in sourced:
            unknown = "no record names its queue sharing group; DISPLAY QMGR QSGNAME"
            why = unknown if group is None else "in no queue sharing group, by its records"
            yield f"        # qsg:   ({why})"
        if "class" in own:
            yield f"        class: {own['class']}"
        else:
            yield "        class: production   # or test, disaster_recovery"
        yield from (f"        # {key}:   ({where})" for key, where in _ASKED if key not in sourced)
