"""A display of progress for tests."""

from mqcap.progress.shown import LogLines, Work


class Noted(LogLines):
    """A display that notes its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def begun(self, shown: Work) -> None:
        self.calls.append(f"{shown.what} begun")

    def changed(self, shown: Work) -> None:
        self.calls.append(f"{shown.done:g} of {shown.total:g} {shown.unit}")

    def ended(self, shown: Work) -> None:
        self.calls.append(f"{shown.what} ended")

    def close(self) -> None:
        self.calls.append("closed")
