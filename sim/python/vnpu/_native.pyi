# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, Dict, Optional, Union

import numpy as np

__version__: str
REGISTERS: Dict[str, Dict[str, Any]]

class DeviceError(RuntimeError):
    """A refusal of the device library, with its text; `status` is its name ("VNPU_NO_REGISTER")."""

    status: str

class Device:
    def __init__(
        self,
        config: str,
        *,
        memory_bytes: int,
        memory_address: int,
        timing_only: bool,
        lint: bool,
        settings: Optional[str],
        record: Optional[str],
        on_interrupt: Optional[Callable[[bool], None]],
        on_log: Optional[Callable[[str], None]],
    ) -> None: ...
    def read32(self, offset: int) -> int: ...
    def write32(self, offset: int, value: int) -> None: ...
    def read_resident(self, offset: int, size: int) -> bytes:
        """Bytes of the memory on the device that the host reaches (CONFIG_RESIDENT)."""
    def write_resident(self, offset: int, data: Union[bytes, bytearray, memoryview, np.ndarray]) -> None:
        """Writes that memory."""
    def reset(self) -> None:
        """Power off and on; the host's memory and simulated time stay."""
    def dump(self) -> str:
        """The state as text: registers with their fields, engines, the interrupt line."""
    @property
    def memory(self) -> np.ndarray: ...
    @property
    def memory_address(self) -> int: ...
    @property
    def irq(self) -> bool: ...
    @property
    def interrupts(self) -> int: ...
    @property
    def lint_count(self) -> int: ...
    @property
    def register_bytes(self) -> int: ...

def advance(picoseconds: int) -> None:
    """Lets simulated time pass for all devices. Releases the GIL; Ctrl-C ends it early."""

def advance_to_interrupt(picoseconds: int) -> bool:
    """As advance(), but ends when an interrupt line rises. Returns whether one did."""

def now() -> int:
    """Simulated picoseconds since the first device was made."""

def next_event() -> Optional[int]:
    """Picoseconds until something happens; None if nothing does until the host acts."""
