"""Lines of console logs, and their events."""

from pathlib import Path
from typing import Any, Final

from tests.mqcap.ingest.reading import Read, is_accounted, read_all

MORE: Final = "S" + " " * 55
"""What a further line of a message of a hardcopy log begins with."""
STORAGE: Final = (
    "CSQX004I !MQP1 CSQXSTOR Channel initiator is using 131 MB of local storage, 1457 MB are free"
)
JOB_LOG: Final = """\
1           J E S 2  J O B  L O G  --  S Y S T E M  P R D 1  --  N O D E  N O D E P
0
 23.58.12 STC04711 ---- SUNDAY,    09 MAR 2025 ----
 23.58.12 STC04711  CSQJ001I !MQP1 CURRENT COPY 1 ACTIVE LOG DATA SET IS   11
    11              DSNAME=MQP1.LOGCOPY1.DS01, STARTRBA=00000003A0000000
    11              ENDRBA=00000003BFFFFFFF
 00.00.00 STC04711 ---- MONDAY,    10 MAR 2025 ----
 01.02.44 STC04711  CSQJ002I !MQP1 END OF ACTIVE LOG DATA SET
    14              DSNAME=MQP1.LOGCOPY1.DS01, STARTRBA=00000003A0000000
    14              ENDRBA=00000003BFFFFFFF
"""


def hardcopy(
    text: str, *, kind: str = "N ", time: str = "08:30:00.17", day: str = "2025069"
) -> str:
    """A line of a hardcopy log of PRD1."""
    return f"{kind}0000000 PRD1     {day} {time} STC04712 00000090  {text}\n"


def read_text(folder: Path, text: str, zones: dict[str, str] | None = None) -> Read:
    """Read a log of this text to its end; every byte of it is accounted for."""
    path = folder / "log.txt"
    path.write_text(text)
    read = read_all(path, zones)
    assert is_accounted(read.summary)
    assert read.summary.content_bytes == len(text)
    return read


def events(folder: Path, text: str, zones: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """The rows of the console events of this text."""
    return list(read_text(folder, text, zones).tables["console_event"].to_pylist())
