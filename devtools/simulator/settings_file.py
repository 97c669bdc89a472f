"""The settings file that fits a simulated estate."""

from pathlib import Path
from typing import Any

import yaml

from devtools.simulator.events import Owned
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.spec import CouplingFacilitySpec, EstateSpec, QueueManagerSpec, SysplexSpec
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate.configured import SystemClass
from mqcap.settings.loader import DEFAULT_FILE


def write_settings(spec: EstateSpec, file: Path) -> None:
    """The default settings with this estate in them, as YAML."""
    document = yaml.safe_load(DEFAULT_FILE.read_text(encoding="utf-8"))
    document["site"] = {"name": "Sample site", "timezone": spec.sysplexes[0].timezone}
    document["estate"] = [*map(_sysplex, spec.sysplexes), *map(_site, spec.sites)]
    owners: dict[str, str] = {}
    for plex in spec.sysplexes:
        owned: tuple[Owned, ...] = (*plex.cfs, *plex.qmgrs)
        owners |= {f"{plex.name}/{part.name}": part.owner for part in owned if part.owner}
    for site in spec.sites:
        owned = (*site.qmgrs, *site.hosts, *site.ztpf)
        owners |= {subject_of(site.name, part.name): part.owner for part in owned if part.owner}
    if owners:
        document["alerts"] = {**document.get("alerts", {}), "owners": owners}
    text = "# Settings of a simulated estate.\n"
    text += yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    file.write_text(text, encoding="utf-8")


def _sysplex(plex: SysplexSpec) -> dict[str, Any]:
    systems = [{"smfid": system.smfid, "cpc": system.cpc} for system in plex.systems if system.cpc]
    return {
        "sysplex": plex.name,
        "timezone": plex.timezone,
        "holidays": plex.holidays,
        "smfids": [system.smfid for system in plex.systems],
        **({"systems": systems} if systems else {}),
        "cfs": [_facility(facility) for facility in plex.cfs],
        "qmgrs": [_queue_manager(qmgr) for qmgr in plex.qmgrs],
    }


def _site(site: SiteSpec) -> dict[str, Any]:
    parts = {
        "hosts": [{"name": host.name} for host in site.hosts],
        "qmgrs": [{"name": qmgr.name, "class": qmgr.system_class.value} for qmgr in site.qmgrs],
        "ztpf": [{"name": system.name} for system in site.ztpf],
    }
    return {
        "site": site.name,
        "timezone": site.timezone,
        "holidays": site.holidays,
        "scrape_seconds": 60 * site.step_minutes,
        **{key: value for key, value in parts.items() if value},
    }


def _facility(facility: CouplingFacilitySpec) -> dict[str, Any]:
    configured = {
        "takes_over": facility.takes_over,
        "moved_transactions_per_s": facility.moved_transactions_per_s,
        "structures": [
            {"name": item.name, "storage_class_memory": True}
            for item in facility.structures
            if item.storage_class_memory
        ],
    }
    known = {key: value for key, value in configured.items() if value}
    return {"name": facility.name, "engines": facility.engines, **known}


def _queue_manager(qmgr: QueueManagerSpec) -> dict[str, Any]:
    names = {}
    if qmgr.system_class is SystemClass.production:
        names["active_log_names"] = [
            f"MQM.{qmgr.name}.LOGCOPY{copy}.DS{number:02}"
            for copy in range(1, 3 if qmgr.dual_logging else 2)
            for number in range(1, qmgr.active_logs + 1)
        ]
    return {
        "name": qmgr.name,
        "qsg": qmgr.qsg,
        "class": qmgr.system_class.value,
        "active_log_size_mib": qmgr.active_log_size_mib,
        "active_logs": qmgr.active_logs,
        **names,
        "dual_logging": qmgr.dual_logging,
        "archive_minutes": qmgr.archive_minutes,
        "chinit_31bit_limit_mib": qmgr.chinit.region_31bit_mib,
        **qmgr.configured.model_dump(mode="json", exclude_none=True),
    }
