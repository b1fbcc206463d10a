# SPDX-License-Identifier: Apache-2.0
"""CSV files as dicts of NumPy arrays."""

import csv
from pathlib import Path
from typing import Dict, List, Sequence

import numpy as np

Table = Dict[str, np.ndarray]


def read_table(file: Path, text_columns: Sequence[str] = ()) -> Table:
    """The columns of a CSV file. A column of whole numbers is int64 or uint64, one of numbers and
    empty cells float64 with NaN, any other and those of `text_columns` str. The second column of a
    name, such as a figure that is called as an axis, gets ".1", as in pandas.read_csv()."""
    with open(file, newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    cells = rows[1:]
    names: List[str] = []
    for name in rows[0]:
        before = names.count(name)
        names.append(f"{name}.{before}" if before else name)
    return {
        name: _column([row[i] for row in cells], name in text_columns)
        for i, name in enumerate(names)
    }


def _column(cells: List[str], is_text: bool) -> np.ndarray:
    if is_text:
        return np.array(cells, dtype=str)
    try:
        whole = [int(cell) for cell in cells]
        return np.array(whole, dtype=np.uint64 if whole and max(whole) >= 2**63 else np.int64)
    except (ValueError, OverflowError):
        pass
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells], dtype=np.float64)
    except ValueError:
        return np.array(cells, dtype=str)
