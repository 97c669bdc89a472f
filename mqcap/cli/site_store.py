"""Settings and store of a command, and the day that it is about."""

from datetime import date, datetime

from mqcap.cli.shared.local_run import site_settings
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation import display_units
from mqcap.settings import Settings
from mqcap.store.database import Store, missing_file, open_store
from mqcap.store.findings import day_or_latest, latest_site_date, require_findings


def day_or_newest(settings: Settings, day: datetime | None) -> date:
    """Return the given day, else the newest one; ConfigurationError for a store without any."""
    if day is not None:
        return day.date()
    store = existing_store(settings)
    newest = latest_site_date(store)
    if newest is None:
        raise ConfigurationError(
            "no day to process",
            found=f"a store without observations: {store.url}{_origin(settings)}",
            remedy="Load data first: mqcap load FILE, or put files into the inbox.",
        )
    return newest


def existing_store(settings: Settings) -> Store:
    """Return the store for a command that reads; ConfigurationError where there is none."""
    missing = missing_file(settings.store.url.get_secret_value())
    if missing is not None:
        raise ConfigurationError(
            "there is no store to read",
            found=f"no file {missing.absolute()}{_origin(settings)}",
            expected="the store that loads and daily runs write",
            remedy="Load data first: mqcap load FILE; or name the store that has them: store.url "
            "in the settings file, or MQCAP_STORE__URL.",
        )
    return open_store(settings.store.url.get_secret_value())


def _origin(settings: Settings) -> str:
    """Return where the address of the store comes from, if it is the default."""
    is_named = "url" in settings.store.model_fields_set
    return "" if is_named else " (the default: the settings have no store.url)"


def configured_store(*, may_be_new: bool = False) -> tuple[Settings, Store]:
    """Load the settings, open their store, and print times in the zones of the site.

    With ``may_be_new`` a store that does not exist is made: for commands that answer without data.
    """
    settings = site_settings()
    display_units.use_zones_of(settings)
    if may_be_new:
        return settings, open_store(settings.store.url.get_secret_value())
    return settings, existing_store(settings)


def evaluated_day(day: datetime | None) -> tuple[Settings, Store, date]:
    """Return settings, store, and the day given or newest; ConfigurationError if not evaluated."""
    settings, engine = configured_store()
    site_date = day_or_latest(engine, day)
    require_findings(engine, site_date)
    return settings, engine, site_date
