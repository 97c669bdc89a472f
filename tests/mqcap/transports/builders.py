"""Channel accounting of an estate of four queue managers, and what is made of it."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final

from mqcap.domain.estate import CouplingFacility, Estate, QueueManager, Sysplex
from mqcap.domain.estate.configured import SystemFacts
from mqcap.settings import load_settings
from mqcap.transports.channel_move import ChannelMove, ChannelTraffic
from mqcap.transports.moves import channel_moves
from mqcap.unit_costs.learning_data import LearningData
from tests.mqcap.rulebook.builders import DAY, new_store, url_of
from tests.mqcap.unit_costs.builders import write_rows

NOON: Final = datetime(DAY.year, DAY.month, DAY.day, 12, tzinfo=UTC)
HOUR_MESSAGES: Final = 3_600
"""One message a second."""
SYSTEMS: Final = {"CSQ1": "SYS1", "CSQ2": "SYS2", "CSQ3": "SYS1", "CSQ8": "SYS2"}
GROUPS: Final = {"CSQ1": "QSG1", "CSQ2": "QSG1", "CSQ3": "QSG1", "CSQ8": None}
_hashes = count()


def sysplex(*systems: SystemFacts, **changed: Any) -> Sysplex:
    """PLEX1: three members of a group, and one queue manager outside of it."""
    qmgrs = tuple(QueueManager(name=name, qsg=group) for name, group in GROUPS.items())
    facts = {"qmgrs": qmgrs, "cfs": (CouplingFacility(name="CF01", engines=2),)}
    return Sysplex(sysplex="PLEX1", smfids=("SYS1", "SYS2"), systems=systems, **facts | changed)


def machines(*cpcs: str | None, **facts: Any) -> tuple[SystemFacts, ...]:
    """SYS1 and SYS2 on these machines, with further facts of both."""
    return tuple(
        SystemFacts(smfid=f"SYS{number}", cpc=cpc, **facts) for number, cpc in enumerate(cpcs, 1)
    )


def channel(sender: str = "CSQ1", receiver: str = "CSQ2", **changed: Any) -> dict[str, Any]:
    """A sender channel in one hour: one message a second of 2 KB, none persistent."""
    owner = changed.pop("qmgr", sender)
    messages = changed.pop("messages", HOUR_MESSAGES)
    hours = changed.pop("hours_back", 0)
    size = changed.pop("message_bytes", 2_048)
    end = NOON - timedelta(hours=hours)
    return {
        "smfid": SYSTEMS.get(owner, "SYS9"),
        "qmgr": owner,
        "qsg": GROUPS.get(owner) or "",
        "interval_start_utc": end - timedelta(hours=1),
        "interval_end_utc": end,
        "record_hash": next(_hashes),
        "section_index": 0,
        "qcstchnm": f"{sender}.TO.{receiver}",
        "qcstchty": 1,
        "qcstrqmn": receiver,
        "qcstnmsg": messages,
        "qcstnpmg": 0,
        "qcstnbyt": messages * size,
        "qcstslcs": 0,
        **changed,
    }


def control(name: str) -> dict[str, Any]:
    """The record of a channel initiator, which tells the system of its queue manager."""
    row = channel(name)
    return {key: value for key, value in row.items() if not key.startswith("qcst")}


def data_of(
    folder: Path, rows: Iterable[dict[str, Any]], plex: Sysplex | None = None, **settings: Any
) -> LearningData:
    """A lake with this channel accounting; every queue manager of it has its control record."""
    lake = folder / "lake"
    found = list(rows)
    if found:
        write_rows(lake, "section_qcst", found)
    write_rows(lake, "section_qcct", [control(name) for name in SYSTEMS])
    loaded = load_settings(
        estate=(plex or sysplex(),), lake=str(lake), store={"url": url_of(folder)}, **settings
    )
    return LearningData(loaded, new_store(folder), DAY)


def moves_of(
    folder: Path, rows: Iterable[dict[str, Any]], plex: Sysplex | None = None, subject: str = ""
) -> list[ChannelMove]:
    """The ranked list of a lake with this channel accounting."""
    return channel_moves(data_of(folder, rows, plex), subject)


def estate_of(plex: Sysplex) -> Estate:
    """An estate of one sysplex."""
    return Estate(sysplexes=(plex,))


def traffic(**changed: Any) -> ChannelTraffic:
    """CSQ1 to CSQ2: a hundred messages a second of 2 KB for a day, 200 in the busiest interval."""
    facts: dict[str, Any] = {
        "sysplex": "PLEX1",
        "sender": "CSQ1",
        "receiver": "CSQ2",
        "channel": "CSQ1.TO.CSQ2",
        "measured_by": "CSQ1",
        "sender_system": "SYS1",
        "receiver_system": "SYS2",
        "messages": 8_640_000,
        "persistent_messages": 0,
        "message_bytes": 8_640_000 * 2_048,
        "measured_seconds": 86_400,
        "busiest_per_s": 200,
        "busiest_start_utc": NOON,
        "uses_tls": False,
    }
    return ChannelTraffic(**facts | changed)
