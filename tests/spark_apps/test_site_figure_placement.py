"""What the settings say about site figures."""

from __future__ import annotations

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.lake.manifest import SiteFigureFact
from spark_apps.digests import Placement, date_digests
from spark_apps.site_figure_placement import (
    declared_metrics,
    known_metrics,
    site_figure_placement,
)
from tests.spark_apps.manifests import DAY, manifest

POOL = DeclaredFigure(figure="pool", label="Pool", unit="%", limit=85, step_seconds=60)
FREE = DeclaredFigure(figure="free", label="Free", unit="%", direction=Direction.downward)
FACT = SiteFigureFact(root="EAST", figure="pool", unit="%", has_step=True)


def estate(*declared: DeclaredFigure, site: str = "EAST") -> Estate:
    return Estate(
        sysplexes=(Sysplex(sysplex="PLEX1"),), places=(Place(site=site),), site_figures=declared
    )


def digest(of: Estate, *facts: SiteFigureFact) -> str:
    place = Placement(site_figures=site_figure_placement(of))
    return date_digests([manifest(site_figures=facts)], place, ())[DAY]


def test_declared_figures_have_a_prefix_and_known_ones_their_own_name() -> None:
    place = site_figure_placement(estate(POOL, FREE))
    assert (place.metrics["pool"], place.metrics["ims_checkpoint_minutes"]) == (
        "site_pool",
        "ims_checkpoint_minutes",
    )
    assert place.roots == {"PLEX1", "EAST"}
    assert (place.units["free"], place.steps) == ("%", {"pool": 60})


def test_a_declared_figure_is_a_metric_and_is_forecast_when_it_has_a_limit() -> None:
    pool, free, _lowest = declared_metrics([POOL, FREE])
    assert (pool.name, pool.label, pool.forecast) == ("site_pool", "Pool", True)
    assert (free.direction, free.forecast) == (Direction.downward, False)
    assert pool.subject_kind is SubjectKind.site_object


def test_a_figure_of_which_low_is_bad_has_its_lowest_hour_too() -> None:
    *_, lowest = declared_metrics([POOL, FREE.model_copy(update={"limit": 10.0})])
    assert (lowest.name, lowest.lowest_of) == ("site_free_lowest", "site_free")
    assert (lowest.label, lowest.direction) == ("Free, lowest hour", Direction.downward)
    assert lowest.forecast
    known = {metric.name: metric.lowest_of for metric in known_metrics() if metric.lowest_of}
    assert known == {"ims_checkpoint_minutes_lowest": "ims_checkpoint_minutes"}


def test_a_date_is_stale_when_a_figure_in_its_files_is_declared_in_another_way() -> None:
    other = POOL.model_copy(update={"step_seconds": 120})
    assert digest(estate(POOL), FACT) != digest(estate(), FACT)
    assert digest(estate(POOL), FACT) != digest(estate(other), FACT)
    assert digest(estate(POOL), FACT) != digest(estate(POOL, site="WEST"), FACT)
    assert digest(estate(POOL), FACT) == digest(estate(POOL, FREE), FACT)
    falling = POOL.model_copy(update={"direction": Direction.downward})
    assert digest(estate(POOL), FACT) != digest(estate(falling), FACT)


def test_a_date_without_site_figures_does_not_depend_on_what_is_declared() -> None:
    assert digest(estate(POOL)) == digest(estate())
