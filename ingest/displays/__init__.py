"""Answers of DISPLAY commands and prints of the BSDS, as somebody pasted them into a file."""

from ingest.displays.facts import Fact
from ingest.displays.reading import read_displays

__all__ = ["Fact", "read_displays"]
