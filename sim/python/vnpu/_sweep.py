# SPDX-License-Identifier: Apache-2.0
"""Sweeps."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._program import execute_for
from ._run import PathLike, folder_for, store_arguments, value_text
from ._tables import Table, read_table


@dataclass(frozen=True)
class SweepResult:
    """The results of a sweep.

    points: points.csv, an array per axis, the seed, and an array per figure: one element per point
        without an error. A figure that has the name of an axis gets ".1": the axis "rate_hz", the
        figure "rate_hz.1".
    rows: sweep.csv, an array per axis, and for each figure of the table its mean, min, max and
        ratio over the seeds: one element per combination of values.
    data: sweep.json, the same for all figures, with the reasons of failures.
    is_good: whether no point failed.
    messages: what vnpu wrote to its standard error.
    """

    points: Table
    rows: Table
    data: Dict[str, Any]
    is_good: bool
    messages: List[str]

    @property
    def failures(self) -> List[Dict[str, Any]]:
        """The points that failed: the values of the axes, seed and error."""
        return [
            {**row["labels"], **failure} for row in self.data["rows"] for failure in row["failures"]
        ]


def sweep(
    scenario: PathLike,
    axes: Optional[Mapping[str, Iterable[Any]]] = None,
    *,
    seeds: Union[int, Sequence[int], None] = None,
    columns: Optional[Sequence[str]] = None,
    baseline: Optional[Mapping[str, Any]] = None,
    jobs: Optional[int] = None,
    sqlite: Optional[PathLike] = None,
    label: str = "",
    out: Optional[PathLike] = None,
) -> SweepResult:
    """Runs every combination of values with every seed, in processes: ``vnpu sweep``.

    scenario: without `axes`, a shipped sweep or a sweep file; with them, the base scenario.
    axes: values by key: {"client.camera.rate_hz": [10, 20, 30]}.
    seeds: their number or a list; default: 1.
    columns: figures of `rows`; default: those of sweep files.
    baseline: values by the names of axes, for the ratios.
    jobs: processes at the same time; default: one per processor.
    sqlite: a database to append the results to, with `label` as the name of the sweep.
    out: folder for tables and points, from which a later call goes on; default: none is kept.

    Raises InputError and RunError as run(). Releases the GIL; Ctrl-C ends the sweep, after which
    the points that are done are in `out`.
    """
    with folder_for(out) as folder:
        file = os.fspath(scenario)
        if axes is not None:
            folder.mkdir(parents=True, exist_ok=True)
            text = _sweep_text(file, axes, seeds, columns, baseline)
            file = str(folder / "sweep.toml")
            Path(file).write_text(text, encoding="utf-8")
        elif seeds is not None or columns is not None or baseline is not None:
            raise TypeError("seeds, columns and baseline are given without axes, expected both")
        arguments = ["sweep", file, "--quiet", "--out", str(folder)]
        arguments += [] if jobs is None else ["--jobs", str(int(jobs))]
        arguments += store_arguments(sqlite, label)
        data, ended = execute_for(folder / "sweep.json", arguments)
        return SweepResult(
            points=read_table(folder / "points.csv"),
            rows=read_table(folder / "sweep.csv"),
            data=data,
            is_good=ended.is_good,
            messages=ended.messages,
        )


def _sweep_text(
    scenario: str,
    axes: Mapping[str, Iterable[Any]],
    seeds: Union[int, Sequence[int], None],
    columns: Optional[Sequence[str]],
    baseline: Optional[Mapping[str, Any]],
) -> str:
    path = Path(scenario)
    base = str(path.resolve()) if path.exists() else scenario
    lines = ["[sweep]", 'name = "sweep"', f"scenario = {value_text(base)}"]
    if seeds is not None:
        lines.append(f"seeds = {_list_text(seeds) if isinstance(seeds, Iterable) else int(seeds)}")
    if columns is not None:
        lines.append(f"columns = {_list_text(columns)}")
    if baseline is not None:
        pairs = (f"{value_text(key)} = {value_text(str(value))}" for key, value in baseline.items())
        lines.append("baseline = { " + ", ".join(pairs) + " }")
    for key, values in axes.items():
        lines += ["[[axis]]", f"key = {value_text(key)}", f"values = {_list_text(values)}"]
    return "\n".join(lines) + "\n"


def _list_text(values: Iterable[Any]) -> str:
    return "[" + ", ".join(value_text(value) for value in values) + "]"
