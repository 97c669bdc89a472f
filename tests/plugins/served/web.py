"""Starlette's test client, and answers as a reader sees them."""

from __future__ import annotations

import html
import os
import re
import tempfile
import warnings

import httpx

# Airflow reads its configuration when it is first imported; another test package may have
# chosen a home already.
os.environ.setdefault("AIRFLOW_HOME", tempfile.mkdtemp(prefix="airflow-home-"))

with warnings.catch_warnings():
    # Starlette announces a successor of httpx that Airflow's own pins do not have yet.
    warnings.simplefilter("ignore", UserWarning)
    from fastapi.testclient import TestClient

__all__ = ["TestClient", "rows_of", "text_of"]


def text_of(answer: httpx.Response) -> str:
    """The words of a page without tags, with single spaces."""
    return _words(answer.text)


def rows_of(answer: httpx.Response, table: str = "") -> list[str]:
    """The words of each body row of the tables of a page, or of those of one class."""
    tables = re.findall(r"<table class=\"([^\"]*)\">(.*?)</table>", answer.text, flags=re.DOTALL)
    chosen = " ".join(text for names, text in tables if not table or table in names.split())
    bodies = re.findall(r"<tbody>(.*?)</tbody>", chosen, flags=re.DOTALL)
    rows = re.findall(r"<tr.*?</tr>", " ".join(bodies), flags=re.DOTALL)
    return [_words(row) for row in rows]


def _words(source: str) -> str:
    bare = re.sub(r"<(script|style).*?</\1>", " ", source, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", bare))).strip()
