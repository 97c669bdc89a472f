"""Inputs of z/TPF: spooled displays and console lines, and the documented table."""

from __future__ import annotations

import re
from typing import Final

from mqcap.ingest.text_reading import TextInput
from mqcap.ingest.ztpf.reading import ZtpfReading, is_table

_MESSAGE: Final = re.compile(r"^MQSC\d{4}[IWE] ", re.MULTILINE)

SOURCE: Final = TextInput(
    name="ztpf",
    order=53,
    title="z/TPF displays, console or table",
    description="stamped ZMQSC displays or console lines of z/TPF, or its table (CSV)",
    recognises=lambda text: is_table(text.head) or _MESSAGE.search(text.head) is not None,
    begin=ZtpfReading,
)
