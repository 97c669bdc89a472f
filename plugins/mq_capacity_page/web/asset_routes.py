"""The address of scripts and styles; they need no store, so that error pages have them too."""

from typing import Final

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import FileResponse

from mq_capacity_page.web.assets import MEDIA_TYPES, asset_path
from mq_capacity_page.web.auth import get_user

YEAR_SECONDS: Final = 31_536_000

router = APIRouter(dependencies=[Depends(get_user)])


@router.get("/static/{name}")
def static(name: str) -> FileResponse:
    """Return a script, style or icon; its address holds its hash, so it never goes stale."""
    path = asset_path(name)
    if path is None:
        raise HTTPException(404, f"Unknown file {name!r}.")
    headers = {"Cache-Control": f"private, max-age={YEAR_SECONDS}, immutable"}
    return FileResponse(path, media_type=MEDIA_TYPES[name], headers=headers)
