"""What a site needs to run: settings, inbox, store, lake, Spark, mail, tracker, Airflow."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mqcap.domain.estate import Sysplex
from mqcap.installation.airflow_check import check_airflow
from mqcap.installation.airflow_program import airflow_program, database_was_made
from mqcap.installation.check import Check, CheckState, checked, is_fine
from mqcap.installation.extras import EXTRA_BY_MODULE
from mqcap.installation.places import address_check, folder_check, inbox_check
from mqcap.installation.records_check import records_check
from mqcap.installation.stated_rules import grades_check, unknown_rules
from mqcap.lake.location import is_url, open_lake
from mqcap.notifications.smtp import try_server
from mqcap.notifications.tickets.registry import backend, connection_id
from mqcap.progress.shown import work
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE, FILE_VARIABLE, settings_file
from mqcap.steps.lost_days import days_lost_by, refuse_lost_days
from mqcap.store.database import connect, missing_file, newest_revision, schema_revision

SPARK_RELEASE: Final = "4.3"
"""That of the extra ``spark``."""
LEAST_JAVA: Final = 17
"""Of that Spark."""
_SQLITE: Final = "sqlite:///"
_S3: Final = "s3://"


def examine(settings: Settings) -> Iterator[Check]:
    """Yield a check of each part, as soon as it is known. Nothing is written or sent."""
    yield _settings(settings)
    yield grades_check(settings)
    yield from unknown_rules(settings)
    yield inbox_check(settings.ingest.inbox, "ingest.inbox")
    parts: dict[str, Callable[[], Check | None]] = {
        "store": lambda: _store(settings),
        "lake": lambda: _lake(settings),
        "records": lambda: records_check(settings),
        "Spark": _spark,
        "mail": lambda: _mail(settings),
        "tracker": lambda: _tracker(settings),
        "Airflow": lambda: _airflow(settings),
    }
    for name, check in parts.items():
        with work(f"check {name}"):
            found = checked(name, check)
        if found is not None:
            yield found


def _settings(settings: Settings) -> Check:
    file = settings_file()
    if file == DEFAULT_FILE:
        remedy = f"mqcap init writes one; {FILE_VARIABLE} names it."
        return Check(CheckState.to_do, "settings", "no settings file, only defaults", remedy)
    estate = settings.complete_estate()
    managers = sum(len(plex.qmgrs) for plex in estate.sysplexes)
    elsewhere = sum(len(place.qmgrs) for place in estate.places)
    counts = (
        ("sysplexes", len(estate.sysplexes), managers),
        ("sites" if not estate.sysplexes else "other sites", len(estate.places), elsewhere),
    )
    named = [f"{what}: {count} (queue managers: {of})" for what, count, of in counts if count]
    found = f"{file}; {', '.join(named) or 'no estate'}"
    if not estate.sysplexes and not estate.places:
        remedy = "Describe the estate (docs/estate.md): mqcap estate discover, after mqcap load."
        return Check(CheckState.optional, "settings", found, remedy)
    empty = [plex.sysplex for plex in estate.sysplexes if not _describes(plex)]
    if empty:
        found = f"{found}; nothing is described of {', '.join(empty)}"
        remedy = "Name smfids and qmgrs (docs/estate.md): mqcap estate discover, after mqcap load."
        return Check(CheckState.optional, "settings", found, remedy)
    return Check(CheckState.fine, "settings", found)


def _describes(plex: Sysplex) -> bool:
    """Whether an entry names any system, queue manager or coupling facility."""
    return any((plex.smfids, plex.qmgrs, plex.cfs, plex.linux, plex.ztpf))


def _store(settings: Settings) -> Check:
    url = settings.store.url.get_secret_value()
    file = Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None
    if file is not None and not file.exists():
        folder = folder_check("store", file.parent, "store.url")
        made = Check(CheckState.fine, "store", f"{file}, made when it is needed")
        return made if is_fine([folder]) else folder
    if file is not None and not all(os.access(part, os.W_OK) for part in (file, file.parent)):
        remedy = "Let the user of this command write to it and to its folder, or correct store.url."
        return Check(CheckState.to_do, "store", f"{file} cannot be written to", remedy)
    engine = connect(url)
    try:
        revision = schema_revision(engine)
    finally:
        engine.dispose()
    shown = engine.url.render_as_string(hide_password=True)
    if revision == newest_revision():
        return Check(CheckState.fine, "store", f"{shown}, schema {revision}")
    found = f"{shown}, {f'schema {revision}' if revision else 'empty'}"
    return Check(CheckState.fine, "store", f"{found}; the next command brings it up to date")


def _lake(settings: Settings) -> Check:
    found = _place_of_lake(settings)
    url = settings.store.url.get_secret_value()
    if found.state is not CheckState.fine or missing_file(url) is not None:
        return found
    engine = connect(url)
    try:
        if schema_revision(engine) != newest_revision():
            return found
        refuse_lost_days(settings.lake, days_lost_by(open_lake(settings.lake), engine))
    finally:
        engine.dispose()
    return found


def _place_of_lake(settings: Settings) -> Check:
    if not is_url(settings.lake):
        return folder_check("lake", Path(settings.lake), "lake")
    if settings.lake.startswith(_S3) and not open_lake(_bucket_of(settings.lake)).is_dir():
        remedy = "Create the bucket, or correct lake."
        return Check(CheckState.to_do, "lake", f"{settings.lake}: there is no such bucket", remedy)
    next(iter(open_lake(settings.lake).glob("*")), None)
    return Check(CheckState.fine, "lake", f"{settings.lake} can be listed; writing is not tried")


def _bucket_of(address: str) -> str:
    return f"{_S3}{address.removeprefix(_S3).partition('/')[0]}"


def _spark() -> Check:
    for module in ("pyspark", "polars"):
        if find_spec(module) is None:
            remedy = f"pip install 'mqcap[{EXTRA_BY_MODULE[module]}]'"
            return Check(CheckState.to_do, "Spark", f"no Python package {module}", remedy)
    import pyspark  # noqa: PLC0415 - of an extra

    if not f"{pyspark.__version__}.".startswith(f"{SPARK_RELEASE}."):
        found = f"pyspark {pyspark.__version__}; mqcap and its cluster need {SPARK_RELEASE}"
        return Check(CheckState.to_do, "Spark", found, "pip install 'mqcap[spark]'")
    from spark_apps.runtime.java import java_environment  # noqa: PLC0415 - imports pyspark

    environment = java_environment()
    java = f"{environment['JAVA_HOME']}/bin/java"
    version = _java_version(java, environment)
    if version is None or version < LEAST_JAVA:
        found = f"{java} is {'none that starts' if version is None else f'Java {version}'}"
        remedy = f"Install Java {LEAST_JAVA} or later, or pip install 'mqcap[java]'."
        return Check(CheckState.to_do, "Spark", found, remedy)
    return Check(CheckState.fine, "Spark", f"{pyspark.__version__} with Java {version}")


def _java_version(java: str, environment: dict[str, str]) -> int | None:
    """Return the release of a Java; ``None`` where it does not start."""
    try:
        done = subprocess.run(  # noqa: S603 - the Java that Spark would start
            [java, "-version"], env=environment, capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    found = re.search(r'version "(\d+)', done.stderr)
    return int(found[1]) if found else None


def _mail(settings: Settings) -> Check:
    if not settings.alerts.mail_to:
        remedy = "Name addresses in alerts.mail_to."
        return Check(CheckState.optional, "mail", "nobody is notified", remedy)
    if settings.smtp is None:
        folder = folder_check("mail", settings.alerts.mail_folder, "alerts.mail_folder")
        if not is_fine([folder]):
            return folder
        found = f"no server on the command line; as .eml into {settings.alerts.mail_folder}"
        remedy = "For a server: section smtp of the settings, in Airflow connection smtp_default."
        return Check(CheckState.optional, "mail", found, remedy)
    try_server(settings.smtp)
    found = f"{settings.smtp.host}:{settings.smtp.port} accepts the login; nothing was sent"
    return Check(CheckState.fine, "mail", found)


def _tracker(settings: Settings) -> Check:
    name, options = settings.alerts.ticket_backend, settings.alerts.ticket_options
    connection = connection_id(name)
    if connection is not None and "url" not in options:
        remedy = f"For the command line: alerts.ticket_options.url; for Airflow {connection}."
        return Check(CheckState.optional, "tracker", f"{name} without an address", remedy)
    backend(name, options)
    if connection is None:
        return Check(CheckState.fine, "tracker", f"{name}, in the store")
    return address_check(f"tracker {name}", options["url"], "alerts.ticket_options.url")


def _airflow(settings: Settings) -> Check:
    if airflow_program() is None:
        remedy = "Where Airflow runs: pip install 'mqcap[airflow,spark]' (docs/airflow.md)."
        return Check(CheckState.optional, "Airflow", "not in this environment", remedy)
    if not database_was_made():
        found = "installed; its AIRFLOW_HOME has no database for this command"
        remedy = (
            "make run has one of its own. For another: airflow db migrate, then mqcap airflow "
            "check (docs/airflow.md)."
        )
        return Check(CheckState.optional, "Airflow", found, remedy)
    checks = check_airflow(settings)
    missing = [check.what for check in checks if check.state is CheckState.to_do]
    if missing:
        found = f"lacks {', '.join(missing)}"
        return Check(CheckState.to_do, "Airflow", found, "mqcap airflow check has the commands.")
    return Check(CheckState.fine, "Airflow", checks[0].found)
