"""Airflow's login and permissions.

Airflow neither authenticates nor authorises for the applications that plugins mount, so every
route depends on ``get_user``: 401 without a valid session cookie or bearer token, 403 for a user
who may not read the daily DAG. Routes that change something depend on ``get_operator`` too: 403
for a user who may not edit that DAG, which operators may and viewers may not.
"""

from typing import Annotated, Final, Literal

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.base_user import BaseUser
from airflow.api_fastapi.auth.managers.models.resource_details import DagDetails
from airflow.api_fastapi.core_api.security import get_user as get_airflow_user
from airflow.configuration import conf
from fastapi import Depends, HTTPException

DAG_ID: Final = "mqcap_daily"
"""The DAG whose permissions decide."""

__all__ = [
    "get_airflow_user",
    "get_operator",
    "get_user",
    "may_edit",
    "swagger_is_enabled",
    "user_name",
]


def get_user(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """Return the signed-in user if the user may read the DAG; 403 otherwise."""
    return _allowed(user, "GET", "read")


def get_operator(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """Return the signed-in user if the user may edit the DAG; 403 otherwise."""
    return _allowed(user, "PUT", "edit")


def may_edit(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> bool:
    """Return true for an operator; pages offer their forms only to operators."""
    return _is_authorized(user, "PUT")


def user_name(user: object) -> str:
    """Return the name of a user as Airflow shows it; empty for users without a name."""
    get_name = getattr(user, "get_name", None)
    return str(get_name()) if get_name else ""


def _allowed(user: BaseUser, method: Literal["GET", "PUT"], verb: str) -> BaseUser:
    if not _is_authorized(user, method):
        raise HTTPException(403, f"Your Airflow role may not {verb} the DAG {DAG_ID}.")
    return user


def _is_authorized(user: BaseUser, method: Literal["GET", "PUT"]) -> bool:
    details = DagDetails(id=DAG_ID)
    return get_auth_manager().is_authorized_dag(method=method, details=details, user=user)


def swagger_is_enabled() -> bool:
    """Return whether Airflow serves pages of its REST API, which load Swagger UI from a server."""
    return bool(conf.getboolean("api", "enable_swagger_ui"))
