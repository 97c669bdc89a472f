"""Accuracy and speed of forecasts on public data: ``python -m devtools.benchmarks.forecast``."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy loads: processes share the cores
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
