"""Templates: Jinja with escaping always on, and the words of ``wording`` as filters."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mq_capacity_page.web import preferences
from mq_capacity_page.web.assets import error_style, held_style_ids
from mqcap.domain.crossing import reach_words
from mqcap.presentation import display_units, wording

TEMPLATES: Final = Path(__file__).with_name("templates")
FILTERS: Final = {
    "quantity": wording.quantity,
    "headroom": wording.headroom,
    "day": wording.day_words,
    "shortday": wording.short_day,
    "distance": wording.distance,
    "instant": wording.instant,
    "span": wording.span,
    "bytes": wording.byte_count,
    "metric": wording.metric_words,
    "number": wording.number,
    "unit": lambda stored: wording.chart_scale(stored)[1],
    "reach_words": reach_words,
}
WORDS: Final = {
    "severity_word": wording.SEVERITY_WORDS.__getitem__,
    "severity_sign": wording.SEVERITY_SIGNS.__getitem__,
    "class_word": wording.CLASS_WORDS.__getitem__,
    "kind_word": wording.KIND_WORDS.__getitem__,
    "crossing_sentence": wording.crossing_sentence,
    "rate_words": preferences.RATE_WORDS,
}


def page(template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A template as a response that no shared cache keeps."""
    text = _environment().get_template(template).render(**context)
    return HTMLResponse(text, status_code=status, headers={"Cache-Control": "private, no-cache"})


def link(path: str, **parameters: object) -> str:
    """A relative address; parameters without a value are left out."""
    given = {
        name: value.isoformat() if isinstance(value, date) else str(value)
        for name, value in parameters.items()
        if value not in {None, ""}
    }
    return f"{path}?{urlencode(given)}" if given else path


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(WORDS, link=link, shown=display_units.current, here=preferences.here)
    environment.globals.update(
        held_style_ids=held_style_ids,
        error_style=Markup(error_style()),  # noqa: S704 - our own file
    )
    return environment
