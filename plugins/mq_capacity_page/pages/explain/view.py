"""Figures of a finding: inputs with their files, arithmetic, limit, citation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel


class ExplainView(ViewModel):
    """The explanation of one finding, section by section."""

    rule: str
    subject: str
    sections: Sequence[Any]
    """Sections, each with a ``heading`` and ``lines``."""


def explain_view(context: PageContext, rule: str, subject: str, day: date) -> ExplainView:
    """Return the explanation of a finding, computed again from its inputs.

    Raises:
        ConfigurationError: the rule has no finding for the subject on that day.
    """
    from mqcap.rulebook.explain import explanation  # noqa: PLC0415 - imports every rule

    sections = explanation(context.engine, context.settings, rule, subject, day)
    return ExplainView(rule=rule, subject=subject, sections=sections)
