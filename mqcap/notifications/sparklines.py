"""PNG of the course of a row: what was measured, what is expected, and the limit."""

import io
from collections.abc import Iterable
from datetime import date
from typing import Final

from PIL import Image, ImageDraw

from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.courses import Weeks, weeks_of_rows
from mqcap.store.database import Store

WIDTH: Final = 180
HEIGHT: Final = 32
"""Points as shown; the picture has ``_SHARP`` times as many for a phone."""
_SHARP: Final = 2
_SMOOTH: Final = 3
"""It is drawn so many times larger once more, and made smaller, so that lines are smooth."""
_PALETTE: Final = 32
COLOURS: Final = {"strong": "#1f5fa8", "forecast": "#b45309", "limit": "#b42318"}
"""Of lines on white; ``page.css`` has the same names for both themes."""


def sparklines(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, bytes]:
    """Return a PNG by resource, of rows whose series was measured in these days."""
    weeks = weeks_of_rows(engine, day, rows)
    return {resource: spark(found, day) for resource, found in weeks.items()}


def spark(weeks: Weeks, day: date) -> bytes:
    """Return the PNG of a course around a day; the axis begins at 0."""
    scale = _SHARP * _SMOOTH
    width, height = WIDTH * scale, HEIGHT * scale
    picture = Image.new("RGB", (width, height), "#ffffff")
    pen = ImageDraw.Draw(picture)
    measured, expected, limit = weeks.places(day)
    at, dash = height * (1 - limit), 4 * scale
    for left in range(0, width, 2 * dash):
        pen.line([(left, at), (left + dash, at)], fill=COLOURS["limit"], width=scale)
    for places, colour in ((measured, COLOURS["strong"]), (expected, COLOURS["forecast"])):
        if len(places) > 1:
            line = [(width * x, height * (1 - y)) for x, y in places]
            pen.line(line, fill=colour, width=round(1.4 * scale), joint="curve")
    small = picture.resize((WIDTH * _SHARP, HEIGHT * _SHARP), Image.Resampling.LANCZOS)
    result = io.BytesIO()
    small.quantize(_PALETTE).save(result, format="png", optimize=True)
    return result.getvalue()
