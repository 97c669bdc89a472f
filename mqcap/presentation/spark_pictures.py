"""PNG of the line of a row: what was measured, what is expected, and the limit.

Pure, without a display: the same values give the same bytes, about one kilobyte.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

WIDTH: Final = 180
HEIGHT: Final = 32
"""Points as shown; the picture has ``_SHARP`` times as many for a phone."""
_SHARP: Final = 2
_SMOOTH: Final = 3
"""It is drawn so many times larger once more, and made smaller, so that lines are smooth."""
_PALETTE: Final = 32
_ROOM: Final = 1.06
_PAPER: Final = "#ffffff"
COLOURS: Final = {"strong": "#1f5fa8", "forecast": "#b45309", "limit": "#b42318"}
"""Of lines on white; ``page.css`` has the same names for both themes."""
Points = Sequence[tuple[float, float]]
"""Place on the time axis and value."""


def spark_png(
    history: Points, ahead: Points, limit: float | None, span: tuple[float, float]
) -> bytes:
    """Return the picture; the axis begins at 0 and ends above the highest value and the limit.

    Args:
        history: Measured, at least one.
        ahead: Expected.
        limit: In the unit of the values.
        span: First and last place of the axis.
    """
    scale = _SHARP * _SMOOTH
    size = (WIDTH * scale, HEIGHT * scale)
    picture = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(picture)
    top = max([value for _, value in (*history, *ahead)] + [limit or 0.0]) * _ROOM or 1.0
    first, last = span

    def places(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        return [
            (size[0] * (at - first) / ((last - first) or 1.0), size[1] * (1 - value / top))
            for at, value in points
        ]

    if limit is not None:
        at = size[1] * (1 - limit / top)
        dash = 4 * scale
        for left in range(0, size[0], 2 * dash):
            pen.line([(left, at), (left + dash, at)], fill=COLOURS["limit"], width=scale)
    for points, colour in (
        (history, COLOURS["strong"]),
        ([*history[-1:], *ahead], COLOURS["forecast"]),
    ):
        if len(points) > 1:
            pen.line(places(points), fill=colour, width=round(1.4 * scale), joint="curve")
    small = picture.resize((WIDTH * _SHARP, HEIGHT * _SHARP), Image.Resampling.LANCZOS)
    result = io.BytesIO()
    small.quantize(_PALETTE).save(result, format="png", optimize=True)
    return result.getvalue()
