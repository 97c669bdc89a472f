"""A simulated estate: byte-exact SMF dumps and console logs with planted, known crossings."""

from devtools.simulator.generate import SimulationResult, generate
from devtools.simulator.spec import EstateSpec, load_spec, sample_spec, small_spec
from devtools.simulator.truth import CrossingClass, PlantedTruth, Truth

__all__ = [
    "CrossingClass",
    "EstateSpec",
    "PlantedTruth",
    "SimulationResult",
    "Truth",
    "generate",
    "load_spec",
    "sample_spec",
    "small_spec",
]
