"""A first settings file: what the site answered, and comments on what comes next.

It holds the names, addresses and places that were given, and the grades of the package, which are
ours and marked so. Other figures are left to the defaults of the settings or to the site.
"""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml
from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.files import write_text
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE, FILE_VARIABLE

FILE_NAME: Final = "platform.yaml"

_TEXT: Final = """\
# Settings of mqcap, written by `mqcap init`. Each key can be overridden by the environment, such as
# MQCAP_STORE__URL. `mqcap settings check` prints the merged result, `mqcap doctor` tries it.
# What is not here has its default; mqcap/settings/platform.yaml of the package shows every key.

site:
  name: {name}
  timezone: {timezone}

# One entry per {places}. What no input carries is yours to add: {added}classes
# of systems, holidays (docs/estate.md). `mqcap estate discover` writes a first version from loaded
# data and from pasted DISPLAY output.
{hints}
{estate}

# Files arrive here. Further folders, patterns and object stores: ingest.inputs (docs/inputs.md).
ingest:
  inbox: {inbox}

# Datasets, and the database of daily values, forecasts, findings and tickets. For Airflow on
# several machines both are places that all of them reach, such as s3://bucket/folder, and
# postgresql+psycopg2://host/database, whose password belongs into MQCAP_STORE__URL.
lake: {lake}
store:
  url: {store}

# Who is notified. Without a mail server (section smtp, or Airflow's connection smtp_default) email
# goes to the folder as .eml. Tickets: embedded, or a tracker (docs/alerts.md).
alerts:
  mail_to: {mail_to}
  mail_folder: {mail_folder}
  ticket_backend: embedded

reports:
  folder: {reports}

{grading}
"""


_OF_SYSPLEX: Final = """\
# Beside sysplex and timezone an entry has:
#    smfids: [SMFID]
#    qmgrs: [{name: QMGR, qsg: QSG, class: production, active_log_size_mib: , active_logs: }]
#    cfs: [{name: CF}]"""
_OF_PLACE: Final = """\
# Beside site and timezone an entry of queue managers on Linux and other platforms has
# (docs/distributed.md):
#    scrape_seconds:     how often Prometheus asks
#    hosts: [{name: HOST}]
#    qmgrs: [{name: QMGR, class: production}]"""


@dataclass(frozen=True)
class SiteAnswers:
    """What a site says of itself."""

    name: str
    timezone: str
    """Name of the IANA database, such as Europe/Copenhagen."""
    sysplexes: tuple[str, ...]
    inbox: Path
    mail_to: tuple[str, ...]
    places: tuple[str, ...] = ()
    """Sites of queue managers on Linux and other platforms than z/OS."""

    def named(self, of_sysplexes: str, of_places: str) -> list[str]:
        """Return what is said of sysplexes and of other places; both where none is named."""
        both = ((of_sysplexes, self.sysplexes), (of_places, self.places))
        return [text for text, names in both if names or not (self.sysplexes or self.places)]


def settings_text(answers: SiteAnswers, folder: Path) -> str:
    """Return the file, data below the folder; a ConfigurationError for a wrong answer."""
    text = _TEXT.format(
        name=_value(answers.name),
        timezone=_value(answers.timezone),
        estate=_estate(answers),
        places=" or ".join(answers.named("sysplex", "site of queue managers elsewhere")),
        added="".join(answers.named("sizes and numbers of logs, ", "")),
        hints="\n".join(answers.named(_OF_SYSPLEX, _OF_PLACE)),
        inbox=_value(str(answers.inbox)),
        lake=_value(str(folder / "lake")),
        store=_value(f"sqlite:///{folder / 'store.db'}"),
        mail_to=_value(list(answers.mail_to)),
        mail_folder=_value(str(folder / "mail")),
        reports=_value(str(folder / "reports")),
        grading=package_section("grading"),
    )
    wrong = [address for address in answers.mail_to if "@" not in address]
    if wrong:
        raise ConfigurationError("mail: no address", found=", ".join(wrong), expected="name@host")
    try:
        Settings.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"] if part != "sysplex")
        raise ConfigurationError(
            f"the answer for {key} is not valid",
            found=json.dumps(first.get("input"), ensure_ascii=False, default=str),
            expected=str(first["msg"]),
        ) from error
    return text


def require_new(file: Path) -> None:
    """Refuse a file that is there by a ConfigurationError."""
    if file.exists():
        raise ConfigurationError(
            f"{file} exists already and is left as it is",
            remedy="Name another file with --out, or edit this one.",
        )


def write_first_settings(answers: SiteAnswers, file: Path) -> None:
    """Write the file and make the inbox; nothing and a ConfigurationError where that fails."""
    require_new(file)
    text = settings_text(answers, file.parent)
    try:
        answers.inbox.mkdir(parents=True, exist_ok=True)
        write_text(file, text)
    except OSError as error:
        raise ConfigurationError(
            f"{error.filename or file} cannot be written",
            found=error.strerror or type(error).__name__,
            remedy="Choose folders in which you may write, and that have room.",
        ) from error


def package_section(key: str) -> str:
    """Return a section of the package's settings file with the comments directly above it."""
    lines = DEFAULT_FILE.read_text(encoding="utf-8").splitlines()
    first = lines.index(f"{key}:")
    while lines[first - 1].startswith("#"):
        first -= 1
    last = next((i for i in range(first, len(lines)) if not lines[i].strip()), len(lines))
    return "\n".join(lines[first:last])


def next_steps(answers: SiteAnswers, file: Path) -> tuple[str, ...]:
    """Return the lines to type after the file was written."""
    return (
        f"export {FILE_VARIABLE}={shlex.quote(str(file))}",
        "mqcap doctor",
        *answers.named("mqcap smf check DUMP", "mqcap capture --kind linux"),
        f"mqcap load {answers.named('DUMP', 'FILES')[0]}",
        "mqcap estate discover",
    )


def _value(value: str | list[str]) -> str:
    """Return a value as YAML on one line; a string in JSON's form is one of YAML too."""
    return json.dumps(value, ensure_ascii=False)


def _estate(answers: SiteAnswers) -> str:
    if not (answers.sysplexes or answers.places):
        return "estate: []"
    zone = _value(answers.timezone)
    named = (("sysplex", answers.sysplexes), ("site", answers.places))
    entries = [
        f"  - {{{key}: {_value(name)}, timezone: {zone}}}" for key, names in named for name in names
    ]
    return "\n".join(["estate:", *entries])
