"""Airflow's login and permissions: the only place of the page that imports Airflow.

Airflow neither authenticates nor authorises for the applications that plugins mount, so every
route depends on ``get_user``: 401 without a valid session cookie or bearer token, 403 for a user
who may not read the daily DAG. What changes something depends on ``get_operator`` too: 403 for
a user who may not edit that DAG, which is what operators may and viewers may not.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.base_user import BaseUser
from airflow.api_fastapi.auth.managers.models.resource_details import DagDetails
from airflow.api_fastapi.core_api.security import get_user as get_airflow_user
from fastapi import Depends, HTTPException

DAG_ID: Final = "mqcap_daily"
"""Whose permissions decide."""

__all__ = ["get_airflow_user", "get_operator", "get_user", "may_answer"]


def get_user(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """A signed-in user who may read."""
    _require(user, "GET", "read")
    return user


def get_operator(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """A signed-in user who may acknowledge and trigger."""
    _require(user, "PUT", "edit")
    return user


def may_answer(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> bool:
    """Whether the user is an operator, for pages that offer a form only to those."""
    return _is_authorized(user, "PUT")


def _require(user: BaseUser, method: Literal["GET", "PUT"], verb: str) -> None:
    if not _is_authorized(user, method):
        raise HTTPException(403, f"Your Airflow role may not {verb} the DAG {DAG_ID}.")


def _is_authorized(user: BaseUser, method: Literal["GET", "PUT"]) -> bool:
    details = DagDetails(id=DAG_ID)
    return get_auth_manager().is_authorized_dag(method=method, details=details, user=user)
