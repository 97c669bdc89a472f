"""What a site needs to run: settings, inbox, store, lake, Spark, mail, tracker, Airflow."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import yaml

from mqcap.completeness.days import newest_feeds
from mqcap.completeness.gaps import FeedContext
from mqcap.completeness.utc_offsets import differing_offsets, offsets_of_day
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.domain.names.short_names import listed_names, near_names
from mqcap.domain.subject import Subject
from mqcap.domain.units import GIB_BYTES
from mqcap.installation.airflow_check import airflow_program, check_airflow, database_was_made
from mqcap.installation.check import Check, CheckState, checked, fine, is_fine, optional, to_do
from mqcap.installation.extras import EXTRA_BY_MODULE
from mqcap.installation.first_settings import package_section
from mqcap.lake.location import is_url, open_lake
from mqcap.notifications.smtp import try_server
from mqcap.notifications.tickets.registry import backend, connection_id
from mqcap.progress.shown import work
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE, FILE_VARIABLE, settings_file
from mqcap.settings.models import GradePolicy, policy_of
from mqcap.steps.observe import days_lost_by, refuse_lost_days
from mqcap.store.database import Store, connect, missing_file, newest_revision, schema_revision
from sizing.rulebook.registry import all_rules
from sizing.rulebook.site_rules import site_rule_ids

SPARK_RELEASE: Final = "4.3"
"""That of the extra ``spark``."""
LEAST_JAVA: Final = 17


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
        return to_do("settings", "no settings file, only defaults", remedy)
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
        return optional("settings", found, remedy)
    empty = [
        plex.sysplex
        for plex in estate.sysplexes
        if not any((plex.smfids, plex.qmgrs, plex.cfs, plex.linux, plex.ztpf))
    ]
    if empty:
        found = f"{found}; nothing is described of {', '.join(empty)}"
        remedy = "Name smfids and qmgrs (docs/estate.md): mqcap estate discover, after mqcap load."
        return optional("settings", found, remedy)
    return fine("settings", found)


def _store(settings: Settings) -> Check:
    url = settings.store.url.get_secret_value()
    file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None
    if file is not None and not file.exists():
        folder = folder_check("store", file.parent, "store.url")
        made = fine("store", f"{file}, made when it is needed")
        return made if is_fine([folder]) else folder
    if file is not None and not all(os.access(part, os.W_OK) for part in (file, file.parent)):
        remedy = "Let the user of this command write to it and to its folder, or correct store.url."
        return to_do("store", f"{file} cannot be written to", remedy)
    with _connected(url) as engine:
        revision = schema_revision(engine)
    shown = engine.url.render_as_string(hide_password=True)
    if revision == newest_revision():
        return fine("store", f"{shown}, schema {revision}")
    found = f"{shown}, {f'schema {revision}' if revision else 'empty'}"
    return fine("store", f"{found}; the next command brings it up to date")


@contextmanager
def _connected(url: str) -> Iterator[Store]:
    engine = connect(url)
    try:
        yield engine
    finally:
        engine.dispose()


def _lake(settings: Settings) -> Check:
    found = _place_of_lake(settings.lake)
    url = settings.store.url.get_secret_value()
    if found.state is CheckState.fine and missing_file(url) is None:
        with _connected(url) as engine:
            if schema_revision(engine) == newest_revision():
                refuse_lost_days(settings.lake, days_lost_by(open_lake(settings.lake), engine))
    return found


def _place_of_lake(lake: str) -> Check:
    if not is_url(lake):
        return folder_check("lake", Path(lake), "lake")
    bucket = "/".join(lake.split("/")[:3])
    if lake.startswith("s3://") and not open_lake(bucket).is_dir():
        remedy = "Create the bucket, or correct lake."
        return to_do("lake", f"{lake}: there is no such bucket", remedy)
    next(iter(open_lake(lake).glob("*")), None)
    return fine("lake", f"{lake} can be listed; writing is not tried")


def _spark() -> Check:
    for module in ("pyspark", "polars"):
        if find_spec(module) is None:
            remedy = f"pip install 'mqcap[{EXTRA_BY_MODULE[module]}]'"
            return to_do("Spark", f"no Python package {module}", remedy)
    import pyspark  # noqa: PLC0415 - of an extra

    if not f"{pyspark.__version__}.".startswith(f"{SPARK_RELEASE}."):
        found = f"pyspark {pyspark.__version__}; mqcap and its cluster need {SPARK_RELEASE}"
        return to_do("Spark", found, "pip install 'mqcap[spark]'")
    from spark_apps.runtime.java import java_environment  # noqa: PLC0415 - imports pyspark

    environment = java_environment()
    java = f"{environment['JAVA_HOME']}/bin/java"
    version = _java_version(java, environment)
    if version is None or version < LEAST_JAVA:
        found = f"{java} is {'none that starts' if version is None else f'Java {version}'}"
        remedy = f"Install Java {LEAST_JAVA} or later, or pip install 'mqcap[java]'."
        return to_do("Spark", found, remedy)
    return fine("Spark", f"{pyspark.__version__} with Java {version}")


def _java_version(java: str, environment: dict[str, str]) -> int | None:
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
        return optional("mail", "nobody is notified", "Name addresses in alerts.mail_to.")
    if settings.smtp is None:
        folder = folder_check("mail", settings.alerts.mail_folder, "alerts.mail_folder")
        if not is_fine([folder]):
            return folder
        found = f"no server on the command line; as .eml into {settings.alerts.mail_folder}"
        remedy = "For a server: section smtp of the settings, in Airflow connection smtp_default."
        return optional("mail", found, remedy)
    try_server(settings.smtp)
    found = f"{settings.smtp.host}:{settings.smtp.port} accepts the login; nothing was sent"
    return fine("mail", found)


def _tracker(settings: Settings) -> Check:
    name, options = settings.alerts.ticket_backend, settings.alerts.ticket_options
    connection = connection_id(name)
    if connection is not None and "url" not in options:
        remedy = f"For the command line: alerts.ticket_options.url; for Airflow {connection}."
        return optional("tracker", f"{name} without an address", remedy)
    backend(name, options)
    if connection is None:
        return fine("tracker", f"{name}, in the store")
    return address_check(f"tracker {name}", options["url"], "alerts.ticket_options.url")


def _airflow(settings: Settings) -> Check:
    if airflow_program() is None:
        remedy = "Where Airflow runs: pip install 'mqcap[airflow,spark]' (docs/airflow.md)."
        return optional("Airflow", "not in this environment", remedy)
    if not database_was_made():
        found = "installed; its AIRFLOW_HOME has no database for this command"
        remedy = (
            "make run has one of its own. For another: airflow db migrate, then mqcap airflow "
            "check (docs/airflow.md)."
        )
        return optional("Airflow", found, remedy)
    checks = check_airflow(settings)
    missing = [check.what for check in checks if check.state is CheckState.to_do]
    if missing:
        found = f"lacks {', '.join(missing)}"
        return to_do("Airflow", found, "mqcap airflow check has the commands.")
    return fine("Airflow", checks[0].found)


def folder_check(what: str, folder: Path, key: str) -> Check:
    """Return whether a folder, or the one in which it would be made, can be written to."""
    shown = str(folder.absolute())
    place = next(
        parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists()
    )
    if not place.is_dir():
        return to_do(what, f"{shown}: {place} is no folder", f"Correct {key}, or remove {place}.")
    if not os.access(place, os.W_OK | os.X_OK):
        remedy = f"Let the user of this command write to {place}, or correct {key}."
        return to_do(what, f"{shown}: {place} cannot be written to", remedy)
    free_gib = shutil.disk_usage(place).free / GIB_BYTES
    if free_gib <= 0:
        return to_do(what, f"{shown}: no space left", f"Make room, or correct {key}.")
    made = "" if folder.is_dir() else ", made when it is needed"
    return fine(what, f"{shown}{made}; {free_gib:.1f} GiB free")


def address_check(what: str, address: str, key: str) -> Check:
    """Return whether a server listens at an address such as ``https://host/path``."""
    parts = urlsplit(address)
    host = parts.hostname
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    if not host or port is None:
        return to_do(what, "no address of a server", f"Correct {key}.")
    try:
        socket.create_connection((host, port), timeout=10).close()
    except OSError as error:
        found = f"{host}:{port} does not answer: {error.strerror or error}"
        return to_do(what, found, f"Start the server, or correct {key}.")
    return fine(what, f"{host}:{port} answers; its login is not tried")


def inbox_check(folder: Path, key: str) -> Check:
    """Return whether the files of a folder can be listed; one that is not there is to be made."""
    what, shown = "inbox", str(folder.absolute())
    if not folder.is_dir():
        return folder_check(what, folder, key)
    if not os.access(folder, os.R_OK | os.X_OK):
        remedy = f"Let the user of this command list and read it, or correct {key}."
        return to_do(what, f"{shown} cannot be read", remedy)
    return fine(what, shown)


def records_check(settings: Settings) -> Check | None:
    """Compare sysplexes and time zones with the newest records; ``None`` where none tell them."""
    if (newest := newest_feeds(settings)) is None:
        return None
    feeds, days = newest
    return _sysplexes(feeds) or _time_zones(feeds, days)


def _sysplexes(feeds: FeedContext) -> Check | None:
    """Return that the records name a sysplex that the settings do not have; else ``None``."""
    recorded = {Subject(feed.subject).sysplex for feed in feeds.arrivals} - {UNKNOWN_SYSPLEX}
    stated = {plex.sysplex for plex in feeds.estate.sysplexes}
    strange, silent = sorted(recorded - stated), sorted(stated - recorded)
    if not strange:
        return None
    names = listed_names(strange)
    if not silent:
        found = f"of sysplex {names}, which is not in estate"
        return to_do("records", found, f"Add to estate: sysplex: {names}.")
    found = f"of sysplex {names}; in estate is {listed_names(silent)}, of which none have arrived"
    change = f"change sysplex: {' or '.join(silent)} in estate to {' or '.join(strange)}"
    return to_do(
        "records", found, f"If they are the same, {change}; else add an entry for {names}."
    )


def _time_zones(feeds: FeedContext, days: Sequence[date]) -> Check | None:
    """Compare on the newest day of which a record has a UTC offset."""
    day = next((day for day in reversed(days) if offsets_of_day(feeds, day)), None)
    if day is None:
        return None
    differing = differing_offsets(feeds, [day])
    if not differing:
        plexes = listed_names(sorted(offsets_of_day(feeds, day)))
        return fine("records", f"time zone as in estate on {day.isoformat()} ({plexes})")
    found = f"{day.isoformat()}, {' '.join(feed.summary for feed in differing)}"
    remedies = dict.fromkeys(feed.remedy for feed in differing)
    return to_do("records", found, " ".join(remedies))


_NAMED: Final = 5


def grades_check(settings: Settings) -> Check:
    """Compare the grades with those of the package, which change with its releases."""
    section = yaml.safe_load(package_section("grading"))["grading"]
    package = {rule: GradePolicy.model_validate(grade) for rule, grade in section.items()}
    stated = settings.grading
    missing = [rule for rule in package if rule not in stated]
    shared = [rule for rule in package if rule in stated]
    other = [rule for rule in shared if policy_of(stated, rule) != policy_of(package, rule)]
    if not missing and not other:
        return fine("grades", "those of the package")
    found = "; ".join(
        f"{len(rules)} {text}: {', '.join(rules[:_NAMED])}{', ...' if rules[_NAMED:] else ''}"
        for rules, text in ((missing, "of the package are not stated"), (other, "are your own"))
        if rules
    )
    remedy = f"Unless you mean it, take them over from section grading of {DEFAULT_FILE}."
    return optional("grades", found, remedy)


def unknown_rules(settings: Settings) -> Iterator[Check]:
    """Yield a check for each section with rules that this release has not: without effect."""
    known = [*all_rules(), *site_rule_ids(settings.site_figures)]
    sections: Mapping[str, Mapping[str, object]] = {
        "grading": settings.grading,
        "alerts.lead_time_days": settings.alerts.lead_time_days,
    }
    for section, stated in sections.items():
        unknown = sorted(set(stated) - {"default", *known})
        if unknown:
            found = f"no rule of this release has the name {', '.join(unknown)}"
            near = list(dict.fromkeys(name for rule in unknown for name in near_names(rule, known)))
            alike = f"; near: {', '.join(near)}" if near else ""
            remedy = f"Correct or remove it there; mqcap rules list has the names{alike}."
            yield to_do(section, found, remedy)
