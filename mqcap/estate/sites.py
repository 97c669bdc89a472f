"""Sites of the estate with the queue managers that inputs show, as YAML to be completed.

What is configured stays. A queue manager comes into a site when a list of names, or whoever asks,
says so; where that is not known, or contradictory, it is a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import yaml

from mqcap.domain.estate import Estate, SystemClass
from mqcap.domain.estate.places import Place
from mqcap.estate.distributed import SeenManager

_WIDTH: Final = 110


class _Decision(NamedTuple):
    """Where a queue manager belongs, or why that is not known."""

    site: str = ""
    comment: str = ""


def site_lines(estate: Estate, seen: Mapping[str, SeenManager], site: str | None) -> Iterator[str]:
    """Yield the entries of sites, then comments about queue managers that are in none.

    ``site`` is that of queue managers which no list and no setting places; ``None``: not known.
    """
    decisions = {name: _decided(name, seen[name], estate, site) for name in sorted(seen)}
    for root in sorted({place.site for place in estate.places} | _sites_of(decisions)):
        names = [name for name, decision in decisions.items() if decision.site == root]
        place = next((each for each in estate.places if each.site == root), None)
        yield from _site(root, place, {name: seen[name] for name in names})
    comments = [decision.comment for decision in decisions.values() if decision.comment]
    if comments:
        yield "# Only you know the site of these: repeat with --site NAME, or with a CSV list of"
        yield "# names under the headings site,qmgr."
        yield from comments


def _sites_of(decisions: Mapping[str, _Decision]) -> set[str]:
    return {decision.site for decision in decisions.values()} - {""}


def _decided(name: str, manager: SeenManager, estate: Estate, site: str | None) -> _Decision:
    configured = set(estate.sites_of_qmgrs().get(name, ()))
    known = configured | manager.sites
    if len(known) > 1:
        return _Decision(comment=f"#   {name} is in {' and '.join(sorted(known))}{_of(manager)}")
    if known or site:
        return _Decision(next(iter(known), site or ""))
    return _Decision(comment=f"#   {name}{_of(manager)}")


def _of(manager: SeenManager) -> str:
    """Return hosts and sources of a queue manager in brackets."""
    hosts = ", ".join(sorted({*manager.hosts, *manager.host_labels}))
    sources = f"from {', '.join(manager.sources)}"
    return f" (host {hosts}; {sources})" if hosts else f" ({sources})"


def _site(root: str, place: Place | None, seen: Mapping[str, SeenManager]) -> Iterator[str]:
    kept: dict[str, Any] = {"site": root}
    if place is not None:
        kept |= place.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    hosts = {host["name"] for host in kept.get("hosts", ())}
    qmgrs = {qmgr["name"] for qmgr in kept.get("qmgrs", ())}
    new_hosts = {host for manager in seen.values() for host in manager.hosts} - hosts
    new_qmgrs = [name for name in seen if name not in qmgrs]
    kept["hosts"] = [*kept.get("hosts", ()), *({"name": host} for host in sorted(new_hosts))]
    kept["qmgrs"] = [*kept.get("qmgrs", ()), *(_entry(name, seen[name]) for name in new_qmgrs)]
    yield from _indented(_dumped({key: value for key, value in kept.items() if value}))
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


def _entry(name: str, manager: SeenManager) -> dict[str, str]:
    known: SystemClass | None = manager.system_class
    return {"name": name, "class": str(known)} if known else {"name": name}


def _dumped(document: Mapping[str, Any]) -> Sequence[str]:
    text = yaml.safe_dump(
        dict(document), sort_keys=False, allow_unicode=True, default_flow_style=None, width=_WIDTH
    )
    return text.splitlines()


def _indented(lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"  {'  ' if number else '- '}{line}"
