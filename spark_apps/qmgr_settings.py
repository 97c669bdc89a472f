"""Settings of distributed queue managers with the time they hold: from their capture on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from mqcap.lake.manifest import Manifest, SettingFact

_DEFAULTS: Final = {"log.logprimaryfiles": 3, "log.logsecondaryfiles": 2, "log.logfilepages": 4_096}
"""Where a capture has the stanza but not the key (IBM: Log stanza of the qm.ini file)."""
_STATE: Final = (
    "log.logprimaryfiles",
    "log.logsecondaryfiles",
    "channels.maxchannels",
    "log.logfilepages",
    "channels.maxactivechannels",
)
"""The settings of a ``SettingPeriod``, in its order."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
FOREVER: Final = datetime(9999, 1, 1, tzinfo=UTC)


class SettingPeriod(NamedTuple):
    """Settings of a queue manager from a time to another; ``None`` where no capture has one."""

    site: str
    """Empty where no site lists the queue manager, or several do."""
    qmgr: str
    from_utc: datetime
    to_utc: datetime
    primary_files: int | None
    secondary_files: int | None
    max_channels: int | None
    log_file_pages: int | None = None
    max_active_channels: int | None = None


def setting_facts(rows: Iterable[Mapping[str, Any]]) -> Iterator[SettingFact]:
    """Yield the settings in rows of QMGR_SETTING that enter figures; no number above 0 is none."""
    found: dict[tuple[str, datetime], dict[str, str]] = {}
    for row in rows:
        settings = found.setdefault((row["qmgr"], row["from_utc"]), {})
        if row["stanza"] == "log":
            settings.update(
                {key: str(value) for key, value in _DEFAULTS.items() if key not in settings}
            )
        name = f"{row['stanza']}.{row['key']}"
        if name in _STATE and row["value"].isdigit() and int(row["value"]) > 0:
            settings[name] = row["value"]
    for (qmgr, from_utc), settings in found.items():
        for key, value in settings.items():
            yield SettingFact(qmgr=qmgr, from_utc=from_utc, key=key, value=value)


def setting_periods(
    sources: Iterable[Manifest], site_of: Callable[[str, str], str]
) -> tuple[SettingPeriod, ...]:
    """Return the settings of all files as periods, in order; equal neighbours are one.

    ``site_of`` returns the site of a queue manager by the sysplex or site of the input and its
    name; empty where it has none.
    """
    facts: dict[tuple[str, str], list[SettingFact]] = {}
    for source in sources:
        for fact in source.settings:
            facts.setdefault((site_of(source.root, fact.qmgr), fact.qmgr), []).append(fact)
    periods: list[SettingPeriod] = []
    for (site, qmgr), of_qmgr in sorted(facts.items()):
        known: dict[str, int] = {}
        states: list[tuple[datetime, tuple[int | None, ...]]] = []
        of_qmgr.sort(key=lambda fact: (fact.from_utc, fact.key, fact.value))
        for moment, of_moment in groupby(of_qmgr, key=lambda fact: fact.from_utc):
            known |= {fact.key: int(fact.value) for fact in of_moment}
            state = tuple(map(known.get, _STATE))
            if not states or states[-1][1] != state:
                states.append((moment if states else EPOCH, state))
        ends = [*(following[0] for _, following in pairwise(states)), FOREVER]
        periods += [
            SettingPeriod(site, qmgr, begin, end, *state)
            for (begin, state), end in zip(states, ends, strict=True)
        ]
    return tuple(periods)


def in_force_on(period: SettingPeriod, day: date) -> bool:
    """Return whether settings hold at some time of a UTC date."""
    begin = datetime.combine(day, time(), UTC)
    return period.from_utc < begin + timedelta(days=1) and period.to_utc > begin
