"""Starlette's test client, answers as a reader sees them, and users with and without rights."""

import html
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final

import httpx
import pytest
from fastapi.testclient import TestClient

__all__ = ["OWN", "Manager", "Person", "TestClient", "a_reader", "rows_of", "text_of", "words_of"]

OWN: Final = {"Sec-Fetch-Site": "same-origin"}
"""What a browser sends with a form of the page itself."""


class Manager:
    """An auth manager of one user with the given rights."""

    def __init__(self, rights: set[str]) -> None:
        self.rights = rights
        self.asked: list[tuple[str, str]] = []

    def is_authorized_dag(self, *, method: str, details: Any, user: object) -> bool:
        self.asked.append((method, details.id))
        return method in self.rights


class Person:
    """A signed-in user."""

    def get_name(self) -> str:
        return "anna"


def text_of(answer: httpx.Response) -> str:
    """The words of a page without tags, with single spaces."""
    return words_of(answer.text)


def rows_of(answer: httpx.Response, table: str = "") -> list[str]:
    """The words of each body row of the tables of a page, or of those of one class."""
    tables = re.findall(r"<table class=\"([^\"]*)\">(.*?)</table>", answer.text, flags=re.DOTALL)
    chosen = " ".join(text for names, text in tables if not table or table in names.split())
    bodies = re.findall(r"<tbody>(.*?)</tbody>", chosen, flags=re.DOTALL)
    rows = re.findall(r"<tr.*?</tr>", " ".join(bodies), flags=re.DOTALL)
    return [words_of(row) for row in rows]


def words_of(source: str) -> str:
    """The words of HTML without tags, with single spaces."""
    bare = re.sub(r"<(script|style).*?</\1>", " ", source, flags=re.DOTALL)
    bare = re.sub(r"<span class=\"nowrap\">(.*?)</span>", r"\1", bare)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", bare))).strip()


@contextmanager
def a_reader(environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[TestClient]:
    """Show the pages of a site, by default that of this process, to one who may read them."""
    from mq_capacity_page.application import create_application  # noqa: PLC0415 - imports Airflow
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above
    from mq_capacity_page.web.dependencies import get_user, may_edit  # noqa: PLC0415 - as above

    with pytest.MonkeyPatch.context() as patch:
        for name in (name for name in environment if name.startswith("MQCAP_")):
            patch.setenv(name, environment[name])
        current_context.cache_clear()
        application = create_application()
        application.dependency_overrides[get_user] = lambda: "reader"
        application.dependency_overrides[may_edit] = lambda: False
        with TestClient(application) as client:
            yield client
        current_context().engine.dispose()
        current_context.cache_clear()
