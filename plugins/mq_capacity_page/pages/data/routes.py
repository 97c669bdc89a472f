"""Addresses of the data of a day, and of the day that one run was about."""

from typing import Annotated

from fastapi import HTTPException, Query
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages.data import dag_runs
from mq_capacity_page.pages.data.view import data_view, files_view
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.rendering import link, render

router = page_router()


@router.get("/data", response_class=HTMLResponse)
def data(
    context: ContextDep,
    day: OptionalDay = None,
    problems: bool = False,
    start: Annotated[int, Query(ge=0)] = 0,
    about: OptionalDay = None,
) -> HTMLResponse:
    """Return feeds, checks that wait for settings, files, runs in Airflow, and steps of a day."""
    frame = page_frame(context, day, "data")
    if frame.day is None:
        return render("empty.html", frame)
    files = files_view(context, frame.day, problems, start, about)
    return render(
        "data.html", frame, data_view(context, frame.day, files, *dag_runs.runs_or_problem())
    )


@router.get("/run")
def run(dag_id: str, run_id: str) -> RedirectResponse:
    """Redirect to the board of the day that a run was about."""
    day = dag_runs.day_of_run(dag_id, run_id)
    if day is None:
        raise HTTPException(404, f"No run {run_id!r} of the DAG {dag_id}.")
    return RedirectResponse(link("./", day=day), status_code=303)
