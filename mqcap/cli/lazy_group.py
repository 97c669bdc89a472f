"""The commands by name: each is imported when it is called, the help is printed without them."""

from collections import UserDict
from importlib import import_module
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperGroup


class LazyEntry(NamedTuple):
    """A command or a group of commands."""

    module: str
    """Below ``mqcap.cli``; after a colon the name of its ``Typer`` there, ``app`` without one."""
    help: str
    """First line of its own help."""


SECTIONS: Final[dict[str, dict[str, LazyEntry]]] = {
    "Daily": {
        "report": LazyEntry("day", "Print the day on a screen, or write a report as files."),
        "findings": LazyEntry("day", "Print the findings of a day, most urgent first."),
        "why": LazyEntry("findings", "Show why a figure grew, by queue, application or channel."),
        "explain": LazyEntry("findings", "Show how every figure of a finding was derived."),
        "scorecard": LazyEntry("day", "Print what happened, and whether it was forecast."),
        "tickets": LazyEntry("operate:tickets", "List tickets and acknowledge them."),
    },
    "Data": {
        "land": LazyEntry("steps", "Copy new input files into the lake."),
        "load": LazyEntry("steps", "Land, decode and aggregate inputs."),
        "withdraw": LazyEntry("steps", "Let a loaded file count no more."),
        "backfill": LazyEntry(
            "steps", "Replay a range of days; notifications are stored, not sent."
        ),
        "smf": LazyEntry("smf.commands", "Inspect SMF dumps and other inputs."),
        "export": LazyEntry("export", "Write what is stored as CSV, Parquet or JSON lines."),
        "forecast-csv": LazyEntry("csv_forecast", "Forecast every daily series of a CSV file."),
    },
    "Plans": {
        "plan": LazyEntry("plan", "Print what to change, by when, a line per resource."),
        "lose": LazyEntry("plan", "Print what survivors carry when a facility or member is lost."),
        "whatif": LazyEntry("findings", "Evaluate a day again under a what-if scenario."),
        "change-pack": LazyEntry(
            "findings", "Write control statements for the plans of a day, for review."
        ),
        "transports": LazyEntry(
            "plan", "Print which channels could use SMC, IGQ or shared queues."
        ),
        "drivers": LazyEntry("day", "Print the driver of each series that has one."),
        "unit-costs": LazyEntry("plan", "Print costs that are learnt from the site's own data."),
    },
    "Operate": {
        "run": LazyEntry("steps", "Run all steps of one day: load, forecast, judge, notify."),
        "runs": LazyEntry("day", "Print the steps that ran for a day."),
        "verify": LazyEntry("steps", "Print how accurate past forecasts were."),
        "doctor": LazyEntry("site", "Check settings, files, services; say what to do."),
        "store": LazyEntry("operate:store", "Check and back up the store, delete old data."),
        "outbox": LazyEntry("operate:outbox", "Inspect the notification outbox."),
        "metrics": LazyEntry("operate", "Print metrics of the platform for Prometheus."),
        "audit-record": LazyEntry("operate", "Write the audit record of a day as JSON."),
    },
    "Rules": {
        "rules": LazyEntry("findings:rules", "List, show and verify the rules of the rulebook."),
    },
    "Site": {
        "init": LazyEntry("site", "Write a commented settings file."),
        "settings": LazyEntry("site:settings", "Check the settings."),
        "estate": LazyEntry("site:estate", "Describe the estate."),
        "capture": LazyEntry("site", "Print the script or job that makes the files of a platform."),
        "airflow": LazyEntry("site:airflow", "Put the product into an existing Airflow."),
        "local": LazyEntry("local:local", "Run the complete platform on this machine."),
        "simulate": LazyEntry("local", "Write the inputs of a simulated estate."),
    },
}
"""Every command, in the sections and order of the help."""
COMMANDS: Final = {
    name: command for section in SECTIONS.values() for name, command in section.items()
}


class LazyCommands(UserDict[str, Any]):
    """The commands by name, each imported when it is taken."""

    def __getitem__(self, name: str) -> Any:
        entry = self.data[name]
        if isinstance(entry, LazyEntry):
            module, _, name_of_app = entry.module.partition(":")
            app = getattr(import_module(f"mqcap.cli.{module}"), name_of_app or "app")
            app.rich_markup_mode = None
            group = typer.main.get_group(app)
            self.data[name] = group.commands.get(name, group)
            self.data[name].name = name
        return self.data[name]


class LazyGroup(TyperGroup):
    """The application: a command is imported when it is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - fixed signature
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as above
        """Write the sections, each command with the whole first line of its help."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in section.items()])
