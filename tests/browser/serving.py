"""The page served to a real browser, and the browser: an installed Chromium, else Playwright's."""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

import uvicorn
from airflow.api_fastapi.core_api.security import get_user
from fastapi import FastAPI
from playwright.sync_api import Browser, sync_playwright

from mq_capacity_page.application import create_application
from mq_capacity_page.web import dependencies as auth
from tests.plugins.web import Manager, Person

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--font-render-hinting=none")
STARTED_WITHIN_SECONDS: Final = 20.0


@contextmanager
def serve() -> Iterator[str]:
    """The address of the page as Airflow mounts it, on a free port, for a user of all rights."""
    page = create_application()
    page.dependency_overrides[get_user] = Person
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
        with patch.object(auth, "get_auth_manager", lambda: Manager({"GET", "PUT"})):
            yield f"http://127.0.0.1:{port}/capacity/"
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
        browser = playwright.chromium.launch(executable_path=result, args=list(FLAGS))
        yield browser
        browser.close()
