"""The limits of the settings in the form that the inputs want them."""

from __future__ import annotations

from mqcap.ingest.inputs.archives import UnpackLimits
from mqcap.settings import Settings


def unpack_limits(settings: Settings) -> UnpackLimits:
    """How much one archive or gzip file may unpack to."""
    return UnpackLimits(settings.ingest.unpacked_max_mib, settings.ingest.unpacked_max_ratio)
