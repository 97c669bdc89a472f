"""Inputs of z/TPF: spooled displays and console lines, and the documented table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mqcap.domain.source import Reading
from mqcap.ingest.smf.dump_file import read_head
from mqcap.ingest.ztpf.reading import BOM, ZtpfReading
from mqcap.ingest.ztpf.table import REQUIRED

_MESSAGE: Final = re.compile(rb"^MQSC\d{4}[IWE] ", re.MULTILINE)
_TABLE: Final = ",".join(REQUIRED).encode()


@dataclass(frozen=True)
class ZtpfSource:
    """Displays, console lines and tables of z/TPF."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone of each z/TPF system, by ``ztpf_zone_key``."""
    name: str = "ztpf"
    order: int = 53
    title: str = "z/TPF displays, console or table"
    description: str = "stamped ZMQSC displays or console lines of z/TPF, or its table (CSV)"

    def in_zones(self, zones: Mapping[str, str]) -> ZtpfSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such text, stamped or not, or such a table."""
        head = read_head(path)
        return b"\x00" not in head and (_is_table(head) or _MESSAGE.search(head) is not None)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return ZtpfReading(path, file_sha256, self.zones, _is_table(read_head(path)))


def _is_table(head: bytes) -> bool:
    return head.removeprefix(BOM).startswith(_TABLE)


SOURCE: Final = ZtpfSource()
