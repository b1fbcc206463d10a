# SPDX-License-Identifier: Apache-2.0
"""The tables of vnpu.run() and vnpu.sweep() as frames of pandas, against what pandas itself reads."""

import sys
import tempfile
import unittest
from pathlib import Path

try:
    import pandas as pd
except ImportError:
    print("no pandas")
    sys.exit(0)

import vnpu


class Frames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def checkFrame(self, table, name):
        """The frame is the one that pandas makes of the file, column by column and type by type."""
        frame = pd.DataFrame(table)
        read = pd.read_csv(self.folder / name)
        self.assertGreater(len(read), 1)
        texts = read.columns[[values.dtype == object for _, values in read.items()]]
        read[texts] = read[texts].fillna("")
        pd.testing.assert_frame_equal(frame, read)
        return frame

    def test_layers_and_jobs_of_a_run(self):
        result = vnpu.run("default", out=self.folder, isolated=False, timing_only=True)
        layers = self.checkFrame(result.layers, "layers.csv")
        jobs = self.checkFrame(result.jobs, "jobs.csv")
        # What people do with it: executions of a client, and the slowest layer.
        frames = jobs.groupby("client").size()
        for name, client in result.clients.items():
            self.assertEqual(frames[name], client["frames"]["executed"])
        slowest = layers.loc[layers["cycles"].idxmax()]
        self.assertEqual(slowest["cycles"], max(result.layers["cycles"]))

    def test_rows_and_points_of_a_sweep(self):
        sweep = vnpu.sweep(
            "default", {"client.camera.rate_hz": [10, 30]}, seeds=2, columns=["antt"], out=self.folder
        )
        rows = self.checkFrame(sweep.rows, "sweep.csv")
        points = self.checkFrame(sweep.points, "points.csv")
        axis = "rate_hz"
        means = points.groupby(axis)["antt"].mean()
        self.assertEqual(len(means), 2)
        for rate, mean in means.items():
            row = rows[rows[axis] == rate]
            self.assertAlmostEqual(row["antt_mean"].item(), mean, places=12)


if __name__ == "__main__":
    unittest.main()
