"""Places of figures: of a site, of distributed queue managers, and their settings."""

from datetime import UTC, date, datetime

import pytest

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.lake.manifest import Manifest, SettingFact, SiteFigureFact
from spark_apps.catalogue import SITE_FIGURES, catalogue, declared_metrics
from spark_apps.digests import DistributedPlacement, Placement, date_digests, distributed_placement
from spark_apps.qmgr_settings import (
    EPOCH,
    FOREVER,
    SettingPeriod,
    in_force_on,
    setting_facts,
    setting_periods,
)
from spark_apps.site_figure_placement import site_figure_placement
from tests.spark_apps.manifests import DAY, manifest

EAST = Place.model_validate(
    {"site": "EAST", "scrape_seconds": 300, "hosts": [{"name": "mq-1"}],
     "qmgrs": [{"name": "QM1"}, {"name": "BOTH"}]}
)  # fmt: skip
WEST = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "BOTH"}]})
JUNE = datetime(2026, 6, 1, tzinfo=UTC)
PERIODS = (
    SettingPeriod("EAST", "QM1", EPOCH, JUNE, 3, 2, None),
    SettingPeriod("EAST", "QM1", JUNE, FOREVER, 9, 2, None),
)
POOL = DeclaredFigure(figure="pool", label="Pool", unit="%", limit=85, step_seconds=60)
FREE = DeclaredFigure(figure="free", label="Free", unit="%", direction=Direction.downward)
FACT = SiteFigureFact(root="EAST", figure="pool", unit="%", has_step=True)
MARCH = datetime(2026, 3, 14, tzinfo=UTC)
IN_JUNE = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_a_queue_manager_of_two_places_belongs_to_none_and_a_host_is_found_by_its_label() -> None:
    place = distributed_placement(Estate(places=(EAST, WEST)), [])
    assert place.site_by_qmgr == {"QM1": "EAST"}
    assert place.scrape_seconds == {"EAST": 300, "WEST": 60}
    assert place.hosts == {("EAST", "mq.1"): "mq-1"}


def test_the_facts_of_a_date_change_only_with_what_its_figures_need() -> None:
    before = DistributedPlacement({"QM1": "EAST"}, {"EAST": 300}, {}, PERIODS[:1])
    after = DistributedPlacement({"QM1": "EAST", "QM2": "EAST"}, {"EAST": 300}, {}, PERIODS)
    may, june = date(2026, 5, 31), date(2026, 6, 1)
    for qmgr, day, is_same in (("QM1", may, True), ("QM1", june, False), ("QM2", may, False)):
        assert (before.facts_of(qmgr, day) == after.facts_of(qmgr, day)) is is_same


def test_a_file_of_a_site_has_the_queue_managers_and_systems_that_the_site_lists() -> None:
    tpf = {"ztpf": [{"name": "TPF1"}]}
    west = Place.model_validate({"site": "WEST", "qmgrs": [{"name": "BOTH"}], **tpf})
    plex = Sysplex.model_validate({"sysplex": "PLEXA", **tpf})
    estate = Estate(sysplexes=(plex,), places=(EAST, west))
    every = distributed_placement(estate, [])
    assert every.site_by_ztpf == {}
    of_west, of_plex = every.of_root("WEST", estate), every.of_root("PLEXA", estate)
    assert of_west.site_by_qmgr == {"BOTH": "WEST"}
    assert of_west.site_by_ztpf == {"TPF1": "WEST"}
    assert of_plex.site_by_qmgr == {"QM1": "EAST"}
    assert of_plex.site_by_ztpf == {"TPF1": "PLEXA"}


@pytest.mark.parametrize(
    ("root", "sites"), [("", [""]), ("EAST", ["EAST"]), ("WEST", ["WEST"]), ("NONE", [""])]
)
def test_captured_settings_are_of_the_site_of_their_input(root: str, sites: list[str]) -> None:
    fact = SettingFact(qmgr="BOTH", from_utc=JUNE, key="log.logprimaryfiles", value="3")
    place = distributed_placement(
        Estate(places=(EAST, WEST)), [manifest("a", root=root, settings=(fact,))]
    )
    assert [period.site for period in place.periods] == sites


def estate(*declared: DeclaredFigure, site: str = "EAST") -> Estate:
    return Estate(
        sysplexes=(Sysplex(sysplex="PLEX1"),), places=(Place(site=site),), site_figures=declared
    )


def digest(of: Estate, *facts: SiteFigureFact) -> str:
    place = Placement(site_figures=site_figure_placement(of))
    return date_digests([manifest(site_figures=facts)], place, ())[DAY]


def test_declared_figures_have_a_prefix_and_known_ones_their_own_name() -> None:
    place = site_figure_placement(estate(POOL, FREE))
    assert place.metrics["pool"] == "site_pool"
    assert place.metrics["ims_checkpoint_minutes"] == "ims_checkpoint_minutes"
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
    known = {
        metric.name: metric.lowest_of for metric in catalogue()[SITE_FIGURES] if metric.lowest_of
    }
    assert known == {"ims_checkpoint_minutes_lowest": "ims_checkpoint_minutes"}


def test_a_date_is_stale_when_a_figure_in_its_files_is_declared_in_another_way() -> None:
    other = POOL.model_copy(update={"step_seconds": 120})
    falling = POOL.model_copy(update={"direction": Direction.downward})
    now = digest(estate(POOL), FACT)
    for changed in (estate(), estate(other), estate(falling), estate(POOL, site="WEST")):
        assert digest(changed, FACT) != now
    assert digest(estate(POOL, FREE), FACT) == now
    assert digest(estate(POOL)) == digest(estate())


def row(stanza: str, key: str, value: str) -> dict[str, object]:
    return {"qmgr": "QM1", "from_utc": MARCH, "stanza": stanza, "key": key, "value": value}


def facts(*rows: dict[str, object]) -> dict[str, str]:
    return {fact.key: fact.value for fact in setting_facts(rows)}


def source(moment: datetime, **values: int) -> Manifest:
    settings = tuple(
        SettingFact(qmgr="QM1", from_utc=moment, key=f"log.log{name}files", value=str(value))
        for name, value in values.items()
    )
    return manifest(moment.isoformat(), source="qm_ini", settings=settings)


def test_settings_that_enter_figures_are_taken_the_other_ones_of_the_log_by_default() -> None:
    primary = row("log", "logprimaryfiles", "10")
    numbers = {"primaryfiles": "3", "secondaryfiles": "2", "filepages": "4096"}
    defaults = {f"log.log{name}": number for name, number in numbers.items()}
    assert facts(row("log", "logpath", "/x")) == defaults
    given = facts(primary, row("log", "logpath", "/x"), row("x", "y", "1"))
    assert given == defaults | {"log.logprimaryfiles": "10"}
    for key in ("maxchannels", "maxactivechannels"):
        assert facts(row("channels", key, "400")) == {f"channels.{key}": "400"}


@pytest.mark.parametrize("value", ["0", "-1", "many", ""])
def test_what_is_no_number_above_zero_is_no_setting(value: str) -> None:
    assert facts(row("channels", "maxchannels", value)) == {}


def site_of(root: str, _qmgr: str) -> str:
    return root or "EAST"


def test_a_later_capture_holds_from_its_time_on_and_an_equal_one_changes_nothing() -> None:
    first, same = (source(moment, primary=3, secondary=2) for moment in (MARCH, IN_JUNE))
    always = (SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None),)
    assert setting_periods([first], site_of) == setting_periods([same, first], site_of) == always
    assert setting_periods([source(IN_JUNE, primary=9, secondary=2), first], site_of) == (
        SettingPeriod("EAST", "QM1", EPOCH, IN_JUNE, 3, 2, None),
        SettingPeriod("EAST", "QM1", IN_JUNE, FOREVER, 9, 2, None),
    )


def test_captures_of_two_sites_are_of_two_queue_managers() -> None:
    west = source(IN_JUNE, primary=9, secondary=2).model_copy(update={"root": "WEST"})
    assert setting_periods([west, source(MARCH, primary=3, secondary=2)], site_of) == (
        SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None),
        SettingPeriod("WEST", "QM1", EPOCH, FOREVER, 9, 2, None),
    )


def test_a_period_is_in_force_on_the_dates_it_touches() -> None:
    period = SettingPeriod("EAST", "QM1", MARCH, IN_JUNE, 3, 2, None)
    days = (date(2026, 3, 13), date(2026, 3, 14), date(2026, 6, 1), date(2026, 6, 2))
    assert [in_force_on(period, day) for day in days] == [False, True, True, False]
