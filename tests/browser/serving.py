"""The page served to a real browser, and the browser: an installed Chromium, else Playwright's."""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, Playwright, sync_playwright

from mq_capacity_page.application import create_application
from mq_capacity_page.web import auth

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--font-render-hinting=none")
STARTED_WITHIN_SECONDS: Final = 20.0

__all__ = ["Rights", "Served", "chromium", "serve"]


@dataclass
class Rights:
    """An auth manager of one user whose rights a test may change."""

    methods: set[str] = field(default_factory=lambda: {"GET", "PUT"})

    def is_authorized_dag(self, *, method: str, details: Any, user: object) -> bool:
        return method in self.methods


class Person:
    """Signed-in user of the served page."""

    def get_name(self) -> str:
        return "anna"


@dataclass(frozen=True)
class Served:
    """A running page."""

    address: str
    rights: Rights


@contextmanager
def serve() -> Iterator[Served]:
    """The page under ``/capacity``, as Airflow mounts it, on a free port of this machine."""
    rights = Rights()
    page = create_application()
    page.dependency_overrides[auth.get_airflow_user] = Person
    root = FastAPI()
    root.mount("/capacity", page)
    server = uvicorn.Server(uvicorn.Config(root, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + STARTED_WITHIN_SECONDS
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        with patch.object(auth, "get_auth_manager", lambda: rights):
            yield Served(f"http://127.0.0.1:{port}/capacity/", rights)
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium; without an installed one Playwright fetches its own, once."""
    result = next((path for name in NAMES if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        if result is None and not Path(playwright.chromium.executable_path).exists():
            subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)
        browser = _launch(playwright, result)
        yield browser
        browser.close()


def _launch(playwright: Playwright, path: str | None) -> Browser:
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS))
