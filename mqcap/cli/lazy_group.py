"""The commands by name: each is imported when it is called, the help is printed without them."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup


class LazyEntry(NamedTuple):
    """A command or a group of commands, in a module that has it in its ``app``."""

    module: str
    """Below ``mqcap.cli``."""
    help: str
    """First line of its own help."""
    is_group: bool = False


# fmt: off
SECTIONS: Final[dict[str, dict[str, LazyEntry]]] = {
    "Daily": {
        "report": LazyEntry("report", "Print what is over its limit, now or by forecast; or write a report as files."),
        "findings": LazyEntry("day.findings", "Print the findings of a day with observed value, limit and date, most urgent first."),
        "why": LazyEntry("why", "Show why a figure grew: its parts by queue, application, channel or structure."),
        "explain": LazyEntry("findings", "Show how every figure of a finding was derived: inputs, sources, arithmetic, forecast."),
        "scorecard": LazyEntry("day.scorecard", "Print what happened and what was forecast, and how the dates of each limit did."),
        "tickets": LazyEntry("tickets", "List tickets and acknowledge them.", is_group=True),
    },
    "Data": {
        "land": LazyEntry("steps", "Copy new input files into the lake, to be decoded by load or by the daily run."),
        "load": LazyEntry("steps", "Land, decode and aggregate inputs, and roll them up to daily observations."),
        "withdraw": LazyEntry("steps", "Let a loaded file count no more: hours and days are computed anew without it."),
        "backfill": LazyEntry("steps", "Replay a range of days in one Spark session; notifications are stored, not sent."),
        "smf": LazyEntry("smf.commands", "Inspect SMF dumps and other inputs.", is_group=True),
        "export": LazyEntry("export", "Write what is stored as CSV, Parquet or JSON lines, by the suffix of the file.", is_group=True),
        "forecast-csv": LazyEntry("csv_forecast", "Forecast every daily series of a CSV file; with thresholds, date their crossings too."),
    },
    "Plans": {
        "plan": LazyEntry("plan", "Print the plan of each resource whose limits break before the horizon, by urgency."),
        "lose": LazyEntry("loss", "Print what survivors carry when each coupling facility and group member is lost in turn."),
        "whatif": LazyEntry("findings", "Re-evaluate a day under a what-if scenario and print the differences."),
        "change-pack": LazyEntry("findings", "Write control statements for the plans of a day, for review; nothing is executed."),
        "transports": LazyEntry("costs", "Print which channels of a sysplex could move to SMC-R, SMC-D, IGQ or shared queues."),
        "drivers": LazyEntry("drivers", "Print the driver of each series that has one: elasticity, gain, plan; and what is wrong."),
        "unit-costs": LazyEntry("costs", "Print costs that are learnt from the site's own data, and whether they are used."),
    },
    "Operate": {
        "run": LazyEntry("steps", "Run all steps of one day: load, forecast, evaluate the rules, notify."),
        "runs": LazyEntry("day.runs", "Print the steps that ran for a day: when each last ended well, and its counts."),
        "verify": LazyEntry("steps", "Verify past forecasts against observed values and print their accuracy."),
        "doctor": LazyEntry("installation.doctor", "Check settings, inbox, store, lake, Spark, mail, tracker and Airflow; say what to do."),
        "store": LazyEntry("store", "Check and back up the store, delete old data.", is_group=True),
        "outbox": LazyEntry("outbox", "Inspect the notification outbox.", is_group=True),
        "metrics": LazyEntry("platform_metrics", "Print runs, files, forecasts, problems and deliveries as metrics for Prometheus."),
        "audit-record": LazyEntry("audit_record", "Write the audit record of a day as JSON: runs, files, findings, notifications, responses."),
    },
    "Rules": {
        "rules": LazyEntry("rules", "List, show and verify the rules of the rulebook.", is_group=True),
    },
    "Site": {
        "init": LazyEntry("installation.init", "Write a commented settings file from what is given, and ask for the rest on a terminal."),
        "settings": LazyEntry("settings", "Check the settings.", is_group=True),
        "estate": LazyEntry("estate", "Describe the estate.", is_group=True),
        "capture": LazyEntry("capture", "Print the script or job that makes the files of a platform: read-only, without secrets."),
        "airflow": LazyEntry("installation.airflow", "Put the product into an existing Airflow.", is_group=True),
        "local": LazyEntry("local", "Run the complete platform on this machine.", is_group=True),
        "simulate": LazyEntry("simulate", "Write the inputs of a simulated estate (SMF, console logs, Prometheus), and its truth."),
    },
}
# fmt: on
"""Every command, in the sections and order of the help."""
COMMANDS: Final = {name: each for section in SECTIONS.values() for name, each in section.items()}


class LazyCommands(MutableMapping[str, Any]):
    """The commands by name, each imported when it is taken."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            entry = COMMANDS[name]
            app = import_module(f"mqcap.cli.{entry.module}").app
            app.rich_markup_mode = None
            group = typer.main.get_group(app)
            self._loaded[name] = group if entry.is_group else group.commands[name]
            self._loaded[name].name = name
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(TyperGroup):
    """The application: a command is imported when it is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - fixed signature
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as above
        """Write the sections, each command with the whole first line of its help."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in section.items()])
