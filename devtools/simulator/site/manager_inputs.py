"""Further inputs about a queue manager, by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from devtools.simulator.site.amqsrua_text import amqsrua_text
from devtools.simulator.site.display_captures import display_captures
from devtools.simulator.site.mq_json_records import mq_json_lines
from devtools.simulator.site.site_figures import FigureSlice
from devtools.simulator.site.site_spec import SiteInput
from devtools.simulator.site.statistics_messages import amqsevt_json, amqsmon_text

TEXT_OF_INPUT: Final[Mapping[SiteInput, Callable[[FigureSlice], str]]] = {
    SiteInput.amqsrua: amqsrua_text,
    SiteInput.mq_json: mq_json_lines,
    SiteInput.amqsevt: amqsevt_json,
    SiteInput.amqsmon: amqsmon_text,
    SiteInput.display: display_captures,
}
SUFFIXES: Final[Mapping[SiteInput, str]] = {
    SiteInput.amqsrua: "txt",
    SiteInput.mq_json: "jsonl",
    SiteInput.amqsevt: "jsonl",
    SiteInput.amqsmon: "txt",
    SiteInput.display: "txt",
}
