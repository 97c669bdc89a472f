"""Fixtures of all tests. Airflow's scratch home must be set before anything imports Airflow."""

from __future__ import annotations

from tests.airflow_home import airflow_home

__all__ = ["airflow_home"]
