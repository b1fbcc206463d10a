# SPDX-License-Identifier: Apache-2.0
"""Starts the program vnpu."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple


class InputError(ValueError):
    """The input is wrong: the text of vnpu with file, place and expectation (its exit code 2)."""


class RunError(RuntimeError):
    """vnpu ended without results: the last line that it wrote."""


class Ended(NamedTuple):
    """A process that has ended with exit code 0 or 1."""

    is_good: bool
    messages: List[str]  # lines of its standard error, without the leading "vnpu: "


def program() -> str:
    """The path of vnpu: $VNPU_PROGRAM, else that of the package's prefix, else that of $PATH."""
    named = os.environ.get("VNPU_PROGRAM")
    if named:
        return named
    # <prefix>/lib/python3/dist-packages/vnpu/_program.py
    beside = Path(__file__).resolve().parents[4] / "bin" / "vnpu"
    found = str(beside) if beside.exists() else shutil.which("vnpu")
    if found is None:
        raise RunError("there is no program vnpu, expected it in $PATH or $VNPU_PROGRAM")
    return found


def execute(arguments: Sequence[str]) -> Ended:
    """Runs vnpu. Ctrl-C interrupts it and the processes that it started."""
    process: "Optional[subprocess.Popen[str]]" = None
    try:
        with _interrupts_held():
            process = subprocess.Popen(
                [program(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                start_new_session=True,  # so that only this process forwards a Ctrl-C, once
            )
        errors = process.communicate()[1]
    except BaseException:
        if process is not None:
            _interrupt(process)
        raise
    messages = [line[6:] if line.startswith("vnpu: ") else line for line in errors.splitlines()]
    if process.returncode == 2:
        raise InputError("\n".join(messages))
    if process.returncode not in (0, 1):
        raise RunError("\n".join(messages[-1:]) or f"vnpu ended with {process.returncode}")
    return Ended(process.returncode == 0, messages)


def execute_for(file: Path, arguments: Sequence[str]) -> Tuple[Dict[str, Any], Ended]:
    """Runs vnpu; returns the JSON object that it writes to `file`, too."""
    file.unlink(missing_ok=True)
    ended = execute(arguments)
    try:
        return json.loads(file.read_text(encoding="utf-8")), ended
    except FileNotFoundError:
        raise RunError("\n".join(ended.messages) or f"vnpu wrote no {file.name}") from None


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """A Ctrl-C meanwhile comes afterwards: a process whose start it interrupts would go on unseen."""
    handler = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or handler in (None, signal.SIG_IGN):
        yield
        return
    held: List[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            signal.raise_signal(signal.SIGINT)


def _interrupt(process: "subprocess.Popen[str]") -> None:
    for number, seconds in ((signal.SIGINT, 10), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.communicate(timeout=seconds)
            return
        except subprocess.TimeoutExpired:
            continue
