"""Output of DISPLAY commands and print log maps of the BSDS, pasted into a file."""

from mqcap.ingest.display_output.facts import Fact
from mqcap.ingest.display_output.reading import read_displays

__all__ = ["Fact", "read_displays"]
