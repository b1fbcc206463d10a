# SPDX-License-Identifier: Apache-2.0
"""Scenarios."""

import json
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ._program import execute_for
from ._tables import Table, read_table

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class RunResult:
    """The results of a scenario.

    metrics: metrics.json, all figures by name.
    layers: layers.csv, an array per column: one element per client and model operation, averages
        per execution.
    jobs: jobs.csv, an array per column: one element per executed request; times in ns since
        power-on.
    summary: summary.txt, for people.
    is_good: whether all clients got their answers, without what the scenario does not expect.
    messages: what vnpu wrote to its standard error, such as the reasons of failures.
    """

    metrics: Dict[str, Any]
    layers: Table
    jobs: Table
    summary: str
    is_good: bool
    messages: List[str]

    @property
    def figures(self) -> Dict[str, Optional[float]]:
        """The figures of sharing by name: "antt", "p99_ms.high", "p99_ms[camera]"."""
        figures: Dict[str, Optional[float]] = self.metrics["scheduling"]["figures"]
        return figures

    @property
    def clients(self) -> Dict[str, Dict[str, Any]]:
        """The figures of each client by its name."""
        return {client["name"]: client for client in self.metrics["clients"]}


@contextmanager
def folder_for(out: Optional[PathLike]) -> Iterator[Path]:
    """The folder of the caller, or one that is removed at the end."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="vnpu-") as folder:
        yield Path(folder)


def value_text(value: Any) -> str:
    """A value of Python as TOML."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    elif hasattr(value, "item"):  # a number of NumPy
        value = value.item()
    return json.dumps(value, ensure_ascii=False)


def run(
    scenario: PathLike,
    *,
    overrides: Optional[Mapping[str, Any]] = None,
    seed: Optional[int] = None,
    config: Optional[PathLike] = None,
    timing_only: bool = False,
    isolated: bool = True,
    traces: Sequence[str] = (),
    page: bool = False,
    sqlite: Optional[PathLike] = None,
    label: str = "",
    out: Optional[PathLike] = None,
) -> RunResult:
    """Runs a scenario in virtual time: ``vnpu run``. The same arguments give the same results.

    scenario: the name of a shipped scenario ("default") or a TOML file.
    overrides: values by key, with keys as in axes of sweeps: {"client.camera.rate_hz": 20,
        "scheduling.policy": "tokens"}.
    seed: of inputs, weights and random arrivals; default: the scenario's.
    config: a device in place of the scenario's, by name or TOML file.
    timing_only: simulate times without data.
    isolated: measure each model alone, for figures such as "antt"; takes a run per model.
    traces: "vcd" and "perfetto" files for `out`.
    page: write report.html into `out`.
    sqlite: a database to append the results to, with `label` as the name of the run.
    out: folder for the files of the run; default: none is kept.

    Raises InputError for wrong input and RunError for a run without results. Releases the GIL;
    Ctrl-C ends the run.
    """
    with folder_for(out) as folder:
        arguments = ["run", os.fspath(scenario), "--quiet", "--out", str(folder)]
        for key, value in (overrides or {}).items():
            arguments += ["--set", f"{key}={value_text(value)}"]
        arguments += [] if seed is None else ["--seed", str(int(seed))]
        arguments += [] if config is None else ["--config", os.fspath(config)]
        arguments += ["--timing-only"] if timing_only else []
        arguments += [] if isolated else ["--no-isolated"]
        arguments += ["--trace", ",".join(traces)] if traces else []
        arguments += [] if page else ["--no-html"]
        arguments += store_arguments(sqlite, label)
        metrics, ended = execute_for(folder / "metrics.json", arguments)
        return RunResult(
            metrics=metrics,
            layers=read_table(folder / "layers.csv", ("client", "model", "name", "type")),
            jobs=read_table(folder / "jobs.csv", ("client", "status")),
            summary=(folder / "summary.txt").read_text(encoding="utf-8"),
            is_good=ended.is_good,
            messages=ended.messages,
        )


def store_arguments(sqlite: Optional[PathLike], label: str) -> List[str]:
    """The arguments for a database."""
    if sqlite is None:
        return []
    return ["--sqlite", os.fspath(sqlite)] + (["--label", label] if label else [])
