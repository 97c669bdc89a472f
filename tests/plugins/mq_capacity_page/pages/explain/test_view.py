"""The explanation of one finding as a model."""

from __future__ import annotations

import pytest

from mq_capacity_page.pages.explain.view import explain_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.errors import ConfigurationError
from tests.plugins import builder


def test_the_explanation_has_a_section_without_heading_and_then_headed_ones(
    context: PageContext,
) -> None:
    view = explain_view(context, "LOG-FILL-30MIN", "PLEX1/CSQ1", builder.DAY)
    headings = [section.heading for section in view.sections]
    assert not headings[0]
    assert all(headings[1:])
    text = "\n".join(line for section in view.sections for line in section.lines)
    assert "limit = 4050 MiB / 1800 s = 2.25 MiB/s" in text
    assert (view.rule, view.subject) == ("LOG-FILL-30MIN", "PLEX1/CSQ1")


def test_a_finding_that_does_not_exist_is_refused(context: PageContext) -> None:
    with pytest.raises(ConfigurationError):
        explain_view(context, "LOG-FILL-30MIN", "PLEX1/CSQ9", builder.DAY)
