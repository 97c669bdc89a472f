"""Scripts and styles; they need no store, so that pages about an error have them too."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import FileResponse

from mq_capacity_page.web.assets import MEDIA_TYPES, asset_path
from mq_capacity_page.web.auth import get_user

YEAR_SECONDS: Final = 31_536_000

router = APIRouter(dependencies=[Depends(get_user)])


@router.get("/static/{name}")
def static(name: str) -> FileResponse:
    """A script, style or icon; its address holds its hash, so it never grows old."""
    path = asset_path(name)
    if path is None:
        raise HTTPException(404, f"No file is called {name!r}.")
    headers = {"Cache-Control": f"private, max-age={YEAR_SECONDS}, immutable"}
    return FileResponse(path, media_type=MEDIA_TYPES[name], headers=headers)
