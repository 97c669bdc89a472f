"""Addresses of the last runs, and of the day that one run was about."""

from __future__ import annotations

from fastapi import HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages.runs import dag_runs
from mq_capacity_page.pages.runs.view import runs_view
from mq_capacity_page.web.dependencies import ContextDep, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import link, render

router = page_router()


@router.get("/runs", response_class=HTMLResponse)
def runs(context: ContextDep) -> HTMLResponse:
    """Return the last runs in Airflow, and the steps of the latest day as the store has them."""
    frame = page_frame(context, None, "runs")
    return render("runs.html", frame, runs_view(context, frame.day, dag_runs.last_runs()))


@router.get("/run")
def run(dag_id: str, run_id: str) -> RedirectResponse:
    """Redirect to the overview of the day that a run was about."""
    day = dag_runs.day_of_run(dag_id, run_id)
    if day is None:
        raise HTTPException(404, f"No run {run_id!r} of the DAG {dag_id}.")
    return RedirectResponse(link("./", day=day), status_code=303)
