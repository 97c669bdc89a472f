"""Pictures of pages against the ones that are kept."""

import io
import os
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageStat

GOLDEN: Final = Path(__file__).with_name("golden")
GOLDEN_WIDTH: Final = 320
"""Golden pictures are small: what they hold is the layout and the colours, not the letters."""
TOLERANCE: Final = 10.0
"""Mean difference per channel, of 255; another font of the same size stays below it."""


def difference_from_golden(png: bytes, name: str) -> float:
    """Mean difference of the worst channel; a picture of another size raises AssertionError."""
    taken = _small(png)
    golden = GOLDEN / f"{name}.png"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        taken.save(golden, optimize=True)
    kept = Image.open(golden).convert("RGB")
    assert kept.size == taken.size
    return max(ImageStat.Stat(ImageChops.difference(kept, taken)).mean)


def _small(png: bytes) -> Image.Image:
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    height = round(whole.height * GOLDEN_WIDTH / whole.width)
    return whole.resize((GOLDEN_WIDTH, height), Image.Resampling.BOX)
