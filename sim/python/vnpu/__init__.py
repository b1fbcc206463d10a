# SPDX-License-Identifier: Apache-2.0
"""The virtual NPU in Python.

run() and sweep() start the program ``vnpu`` and return its results as dicts of NumPy arrays, which
``pandas.DataFrame()`` takes as they are:

    import vnpu
    result = vnpu.run("default", overrides={"client.camera.rate_hz": 60})
    result.figures["p99_ms[camera]"]
    result.layers["cycles"].sum()

Device is a device without driver in this process, register by register:

    device = vnpu.Device("edge")
    hex(device.read32("ID"))

Mistakes of the caller are InputError, runs without results RunError, refusals of the device library
DeviceError; their texts are those of ``vnpu`` and of the library.
"""

from ._device import (
    REGISTERS,
    Device,
    DeviceError,
    advance,
    advance_to_interrupt,
    next_event,
    now,
)
from ._native import __version__
from ._program import InputError, RunError
from ._run import RunResult, run
from ._sweep import SweepResult, sweep

__all__ = [
    "REGISTERS",
    "Device",
    "DeviceError",
    "InputError",
    "RunError",
    "RunResult",
    "SweepResult",
    "__version__",
    "advance",
    "advance_to_interrupt",
    "next_event",
    "now",
    "run",
    "sweep",
]
