# SPDX-License-Identifier: Apache-2.0
"""The device, register by register."""

import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping, Optional, Union

import numpy as np

from . import _native
from ._native import DeviceError, advance, advance_to_interrupt, next_event, now

__all__ = [
    "REGISTERS",
    "Device",
    "DeviceError",
    "Field",
    "Register",
    "advance",
    "advance_to_interrupt",
    "next_event",
    "now",
]


@dataclass(frozen=True)
class Field:
    """A field of a register: its lowest bit, its bits as a mask, and what it means."""

    shift: int
    mask: int
    meaning: str

    def of(self, value: int) -> int:
        """The field's part of a register's value."""
        return (value & self.mask) >> self.shift


@dataclass(frozen=True)
class Register:
    """A register, or `count` equal ones that are `stride` bytes apart. `offset` is in bytes."""

    name: str
    offset: int
    count: int
    stride: int
    access: str
    meaning: str
    fields: Mapping[str, Field]

    def at(self, index: int) -> int:
        """The offset of an element."""
        if not 0 <= index < self.count:
            raise IndexError(f"{self.name}[{index}], expected an index below {self.count}")
        return self.offset + index * self.stride


#: All registers by name, as in vnpu/registers.h.
REGISTERS: Dict[str, Register] = {
    name: Register(
        name=name,
        **{
            **entry,
            "fields": {field: Field(*parts) for field, parts in entry["fields"].items()},
        },
    )
    for name, entry in _native.REGISTERS.items()
}

_ELEMENT = re.compile(r"(\w+)(?:\[(\d+)\])?")


def _find(register: str) -> "tuple[Register, int]":
    match = _ELEMENT.fullmatch(register)
    if match is None or match[1] not in REGISTERS:
        raise KeyError(f"there is no register {register}, expected one of vnpu.REGISTERS")
    found = REGISTERS[match[1]]
    return found, found.at(int(match[2] or 0))


def _offset(register: Union[int, str]) -> int:
    return _find(register)[1] if isinstance(register, str) else int(register)


class Device(_native.Device):
    """A device without driver, with memory at its bus.

    All devices of a process share one simulated time, which passes only in advance() and
    advance_to_interrupt(). All devices are made before the first of these calls; reset() starts one
    anew. All calls belong on the thread that made the first device.

    memory: the host's memory as a NumPy array of bytes, which the device reads and writes from
        `memory_address` on; other addresses are bus errors.
    irq: whether the interrupt line is high. interrupts: how often it rose.
    lint_count: with lint, the number of mistakes so far. register_bytes: the size of the window.
    """

    def __init__(
        self,
        config: str = "edge",
        *,
        memory_bytes: int = 64 << 20,
        memory_address: int = 0x8000_0000,
        timing_only: bool = False,
        lint: bool = False,
        settings: Optional[str] = None,
        record: Optional[str] = None,
        on_interrupt: Optional[Callable[[bool], None]] = None,
    ) -> None:
        """Makes a powered device.

        config: a shipped configuration ("edge") or a file.
        timing_only: commands take their time, but move and compute no data.
        lint: check the accesses; mistakes are lines of `log`.
        settings: a file with [power], [dram] and [[fault]], as of ``vnpu serve --device``.
        record: a file for all traffic, for ``vnpu replay``.
        on_interrupt: called with the level when the interrupt line changes; must not use a device.
        """
        #: Lines of the device's log and of its checks.
        self.log: List[str] = []
        super().__init__(
            config,
            memory_bytes=memory_bytes,
            memory_address=memory_address,
            timing_only=timing_only,
            lint=lint,
            settings=settings,
            record=record,
            on_interrupt=on_interrupt,
            on_log=self.log.append,
        )

    def read32(self, register: Union[int, str]) -> int:
        """The value of a register, by offset or name: "STATUS", "DOORBELL[3]"."""
        return super().read32(_offset(register))

    def write32(self, register: Union[int, str], value: int) -> None:
        """Writes a register."""
        super().write32(_offset(register), int(value))

    def fields(self, register: str) -> Dict[str, int]:
        """Reads a register; the values of its fields by name."""
        found, offset = _find(register)
        value = super().read32(offset)
        return {name: field.of(value) for name, field in found.fields.items()}

    def view(self, address: int, count: int, dtype: "np.typing.DTypeLike" = np.uint8) -> np.ndarray:
        """`count` elements of the host's memory at a bus address, to read and to write."""
        first = address - self.memory_address
        size = count * np.dtype(dtype).itemsize
        if first < 0 or size < 0 or first + size > self.memory.size:
            raise IndexError(
                f"{size} bytes at {address:#x}, expected a range within the {self.memory.size} "
                f"bytes at {self.memory_address:#x}"
            )
        return self.memory[first : first + size].view(dtype)
