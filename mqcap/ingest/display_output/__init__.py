"""Answers of DISPLAY commands and prints of the BSDS, as somebody pasted them into a file."""

from mqcap.ingest.display_output.facts import Fact
from mqcap.ingest.display_output.reading import read_displays

__all__ = ["Fact", "read_displays"]
