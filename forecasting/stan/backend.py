"""Prophet's optimiser with less work around it; the program, its data and its answer are Stan's.

cmdstanpy writes the data number by number in Python, which takes as long as the fit; here the
encoder in C writes the same files.
"""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cmdstanpy import CmdStanMLE, CmdStanModel
from prophet.models import CmdStanPyBackend


class _Program(CmdStanModel):
    """Prophet's compiled program, handed its data and start as files."""

    def optimize(self, data: Any = None, **options: Any) -> CmdStanMLE:
        inits = options.pop("inits", None)
        with TemporaryDirectory(prefix="mqcap-stan-") as folder:
            data_file = _written(data, Path(folder) / "data.json")
            start = _written(inits, Path(folder) / "start.json")
            return super().optimize(data=data_file, inits=start, **options)


class Backend(CmdStanPyBackend):
    """Prophet's backend with our way of handing over."""

    def load_model(self) -> CmdStanModel:
        """Prophet's program as it comes with the package."""
        program = importlib.resources.files("prophet") / "stan_model" / "prophet_model.bin"
        return _Program(exe_file=str(program))


def _written(content: dict[str, Any], path: Path) -> str:
    path.write_text(json.dumps(content))
    return str(path)
