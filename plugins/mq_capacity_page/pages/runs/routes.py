"""From a run of a DAG to the pages of its day, and from the pages to the last runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.runs import view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import link, page
from mqcap.store.step_runs import read_step_runs

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]


@router.get("/runs", response_class=HTMLResponse)
def last_runs(site: SiteDep) -> HTMLResponse:
    """The last runs in Airflow, and the steps of the latest day as the store remembers them."""
    frame = answers.frame(site, None, "runs")
    steps = read_step_runs(site.engine, frame.day) if frame.day else []
    return page("runs.html", frame=frame, asset=asset_link, runs=view.last_runs(), steps=steps)


@router.get("/run")
def run(dag_id: str, run_id: str) -> RedirectResponse:
    """The overview of the day that a run was about."""
    day = view.day_of_run(dag_id, run_id)
    if day is None:
        raise HTTPException(404, f"No run of {dag_id} is called {run_id!r}.")
    return RedirectResponse(link("./", day=day), status_code=303)
