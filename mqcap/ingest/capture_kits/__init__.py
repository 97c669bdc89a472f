"""Scripts that a site runs to make the files of inputs: they display and copy, and change nothing.

They need no credentials and hold none.
"""

from enum import StrEnum
from importlib.resources import files
from typing import Final

from mqcap.ingest.prometheus.names import MEANINGS, ZOS_MEANINGS

_NAMES: Final = "@NAMES@"


class KitKind(StrEnum):
    """Platforms with a kit; the value is also the stem of its file."""

    linux = "linux"
    container = "container"
    zos = "zos"
    ztpf = "ztpf"


def kit_text(kind: KitKind) -> str:
    """Return the script or job of a platform."""
    name = f"{kind}.{'jcl' if kind is KitKind.zos else 'sh'}"
    text = (files("mqcap.ingest.capture_kits") / name).read_text(encoding="ascii")
    return text.replace(_NAMES, "|".join(sorted({*MEANINGS, *ZOS_MEANINGS})))
