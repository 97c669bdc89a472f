"""Airflow's login: the only place of the page that imports Airflow.

Airflow does not authenticate the applications that plugins mount, so every route depends on
``get_user``: 401 without a valid session cookie or bearer token.
"""

from __future__ import annotations

from airflow.api_fastapi.core_api.security import get_user

__all__ = ["get_user"]
