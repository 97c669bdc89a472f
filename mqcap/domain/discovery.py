"""Discovery of modules that register themselves."""

import importlib
import pkgutil
from types import ModuleType


def load_all(package: ModuleType) -> tuple[ModuleType, ...]:
    """Import the direct submodules of ``package`` in name order and return them."""
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    return tuple(importlib.import_module(f"{package.__name__}.{name}") for name in names)
