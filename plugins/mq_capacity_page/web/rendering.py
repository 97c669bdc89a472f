"""Templates with their files: Jinja with escaping always on, ``presentation`` as filters.

Scripts and styles are all our own files from this server.
"""

import base64
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse
from jinja2 import Environment
from markupsafe import Markup

from mq_capacity_page.charts import moment_words
from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.pages.whatif.form import field_words
from mq_capacity_page.web.context import View
from mqcap.domain.numbers import figure, percent, probability, share, unit_words
from mqcap.notifications.acknowledgements import reason_of
from mqcap.presentation import dates, display_units, labels, quantities
from mqcap.presentation.ledger_text import BASIS_WORDS, dates_text, outcome_text, probabilities_text
from mqcap.presentation.summary_text import count_words, crossing_words
from mqcap.presentation.summary_words import short_cost
from mqcap.queries.resources import resource_path
from mqcap.reports.make import html_environment
from mqcap.steps.step_words import step_words

PACKAGE: Final = Path(__file__).parents[1]
STATIC: Final = PACKAGE / "static"
TEMPLATES: Final = PACKAGE / "templates"
ERROR_STYLE: Final = (TEMPLATES / "error.css").read_text(encoding="utf-8")
"""Part of the error page itself: a reader who is not signed in may not fetch a file."""
MEDIA_TYPES: Final = {
    "page.css": "text/css",
    "theme.js": "text/javascript",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-dark.svg": "image/svg+xml",
}
"""Every file that is served; any other name is not found."""


@cache
def asset_link(name: str) -> str:
    """Return the relative address of a file, with a hash of its content: a changed one is new."""
    return f"static/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def inline_source(text: str) -> str:
    """Return the source of a content security policy that allows exactly this inline text."""
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


FILTERS: Final = {
    "percent": percent,
    "probability": probability,
    "day": dates.day_words,
    "shortday": dates.short_day,
    "instant": dates.instant,
    "span": dates.span,
    "sentence": labels.as_sentence,
    "metric": labels.metric_label,
    "needed": labels.needed,
    "number": figure,
    "unit": lambda stored: unit_words(display_units.scale(stored).unit),
    "one_date_form": dates.in_one_form,
    "basis": BASIS_WORDS.__getitem__,
    "outcome": outcome_text,
    "count_words": count_words,
    "short_cost": short_cost,
    "used": lambda row: 100 * min(1.0, max(0.0, row.used_ratio or 0.0)),
    "quantity": quantities.quantity,
    "at_a_glance": quantities.at_a_glance,
    "share": share,
    "field_words": field_words,
    "step_words": step_words,
    "moment": moment_words,
    "dates_of": dates_text,
    "probabilities_of": probabilities_text,
}
GLOBALS: Final = {
    "severity_word": labels.SEVERITY_LABELS.__getitem__,
    "severity_sign": labels.SEVERITY_SIGNS.__getitem__,
    "class_word": labels.CLASS_LABELS.__getitem__,
    "kind_word": labels.kind_label,
    "reason_of": reason_of,
    "asset": asset_link,
    "path_of": lambda line: resource_path(line.finding.key),
    "crossing_words": crossing_words,
    "navigation": navigation,
    "zone": lambda: display_units.current().zone,
}
HEADERS: Final = {"Cache-Control": "private, no-cache"}
"""No shared cache keeps what a signed-in reader sees."""


def render(
    template: str, frame: View, view: View | None = None, *, status: int = 200
) -> HTMLResponse:
    """Return a page: its template with the frame around it and the view inside it."""
    return _response(template, status, frame=frame, view=view)


def render_part(template: str, **variables: Any) -> HTMLResponse:
    """Return a part of a page, which a script puts in its place."""
    return _response(template, 200, **variables)


def render_error(
    status: int, title: str, detail: str, hint: str, sign_in: str = ""
) -> HTMLResponse:
    """Return an error page; it needs neither store nor login.

    ``sign_in`` is the address of the login form, for those whom another login would help.
    """
    return _response("error.html", status, title=title, detail=detail, hint=hint, sign_in=sign_in)


def link(path: str, /, **parameters: object) -> str:
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
    environment = html_environment(TEMPLATES)
    environment.filters.update(FILTERS)
    environment.globals.update(GLOBALS, link=link)
    environment.globals["error_style"] = Markup(ERROR_STYLE)  # noqa: S704 - our own file
    return environment
