"""Templates: Jinja with escaping always on, and the functions of ``presentation`` as filters."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.web import preferences
from mq_capacity_page.web.assets import TEMPLATES, asset_link, error_style, held_style_ids
from mq_capacity_page.web.page_frame import PageFrame, ViewModel
from mqcap.domain.crossing import reach_words
from mqcap.presentation import display_units, wording

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
    "share": wording.share,
    "unit": lambda stored: wording.chart_scale(stored)[1],
    "reach_words": reach_words,
}
GLOBALS: Final = {
    "severity_word": wording.SEVERITY_WORDS.__getitem__,
    "severity_sign": wording.SEVERITY_SIGNS.__getitem__,
    "class_word": wording.CLASS_WORDS.__getitem__,
    "kind_word": wording.KIND_WORDS.__getitem__,
    "crossing_sentence": wording.crossing_sentence,
    "rate_labels": preferences.RATE_LABELS,
    "asset": asset_link,
    "held_style_ids": held_style_ids,
    "navigation": navigation,
    "shown": display_units.current,
    "here": preferences.current_address,
}
HEADERS: Final = {"Cache-Control": "private, no-cache"}
"""No shared cache keeps what a signed-in reader sees."""


def render(
    template: str, frame: PageFrame, view: ViewModel | None = None, *, status: int = 200
) -> HTMLResponse:
    """Return a page: its template with the frame around it and the view inside it."""
    return _response(template, status, frame=frame, view=view)


def render_no_data(frame: PageFrame) -> HTMLResponse:
    """Return the page of a store in which no day has been evaluated."""
    return render("empty.html", frame)


def render_error(status: int, title: str, detail: str, hint: str) -> HTMLResponse:
    """Return an error page; it needs neither store nor login."""
    return _response("error.html", status, title=title, detail=detail, hint=hint)


def link(path: str, **parameters: object) -> str:
    """Return a relative address; parameters without a value are left out."""
    query = {
        name: value.isoformat() if isinstance(value, date) else str(value)
        for name, value in parameters.items()
        if value not in {None, ""}
    }
    return f"{path}?{urlencode(query)}" if query else path


def _response(template: str, status: int, **variables: Any) -> HTMLResponse:
    text = _environment().get_template(template).render(**variables)
    return HTMLResponse(text, status_code=status, headers=HEADERS)


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
    environment.globals.update(GLOBALS, link=link)
    environment.globals["error_style"] = Markup(error_style())  # noqa: S704 - our own file
    return environment
