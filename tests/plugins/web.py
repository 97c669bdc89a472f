"""Starlette's test client, and the page as Airflow serves it."""

from __future__ import annotations

import os
import tempfile
import warnings

# Airflow reads its configuration when it is first imported; another test package may have
# chosen a home already.
os.environ.setdefault("AIRFLOW_HOME", tempfile.mkdtemp(prefix="airflow-home-"))

with warnings.catch_warnings():
    # Starlette announces a successor of httpx that Airflow's own pins do not have yet.
    warnings.simplefilter("ignore", UserWarning)
    from fastapi.testclient import TestClient

__all__ = ["TestClient"]
