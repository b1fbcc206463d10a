# SPDX-License-Identifier: Apache-2.0
"""vnpu.run() and vnpu.sweep(), against the files that the program itself writes."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import vnpu
from vnpu._program import program

SCENARIO = """
[scenario]
name = "small"
duration = "10 ms"
config = "edge"

[[client]]
name = "keyword"
uid = 10101
model = "zoo:ds_cnn"
arrival = "poisson"
rate_hz = 1000

[[client]]
name = "loop"
uid = 10102
model = "zoo:ds_cnn"
arrival = "closed_loop"
"""


class Scenario(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "small.toml"
        self.file.write_text(SCENARIO)

    def checkColumns(self, table, file):
        """All cells of a table are those of the CSV file."""
        with open(file, newline="") as lines:
            header, *rows = list(csv.reader(lines))
        self.assertGreater(len(rows), 2)
        self.assertEqual([name.removesuffix(".1") for name in table], header)
        for i, (name, values) in enumerate(table.items()):
            self.assertEqual(values.shape, (len(rows),), name)
            for value, row in zip(values, rows):
                cell = row[i]
                if values.dtype.kind in "iu":
                    self.assertEqual(int(value), int(cell), name)
                elif values.dtype.kind == "f":
                    self.assertTrue(np.isnan(value) if cell == "" else value == float(cell), name)
                else:
                    self.assertEqual(value, cell, name)


class RunTest(Scenario):
    def test_results_are_those_of_the_program(self):
        result = vnpu.run(
            self.file,
            overrides={"client.keyword.rate_hz": 2000, "client.keyword.priority": "high"},
            seed=3,
            out=self.folder / "python",
        )
        other = self.folder / "program"
        text = SCENARIO.replace("rate_hz = 1000", 'rate_hz = 2000\npriority = "high"')
        (self.folder / "changed.toml").write_text(text)
        subprocess.run(
            [program(), "run", str(self.folder / "changed.toml"), "--seed", "3", "--out", other],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.assertEqual(result.metrics, json.loads((other / "metrics.json").read_text()))
        self.assertEqual(result.summary, (other / "summary.txt").read_text())
        self.checkColumns(result.layers, other / "layers.csv")
        self.checkColumns(result.jobs, other / "jobs.csv")
        self.assertTrue(result.is_good)
        self.assertEqual(result.layers["cycles"].dtype, np.float64)
        self.assertEqual(result.jobs["arrival_ns"].dtype, np.int64)
        self.assertEqual(result.clients["keyword"]["priority"], "high")
        self.assertEqual(result.figures, result.metrics["scheduling"]["figures"])

    def test_the_version_is_that_of_the_program(self):
        printed = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(printed.stdout.split()[-1], vnpu.__version__)

    def test_errors_have_the_text_of_the_program(self):
        for overrides, text in (
            ({"client.none.rate_hz": 1}, "--set client.none.rate_hz=1: the key names client none"),
            ({"scenario.duration": "soon"}, 'with --set scenario.duration="soon": '),
        ):
            with self.assertRaises(vnpu.InputError) as caught:
                vnpu.run(self.file, overrides=overrides)
            self.assertTrue(str(caught.exception).startswith(text), str(caught.exception))
        with self.assertRaises(vnpu.InputError) as caught:
            vnpu.run("no such scenario")
        ended = subprocess.run(
            [program(), "run", "no such scenario"], capture_output=True, text=True
        )
        self.assertEqual(f"vnpu: {caught.exception}\n", ended.stderr)

    def test_a_run_without_results_is_an_error_even_beside_older_ones(self):
        fake = self.folder / "vnpu"
        fake.write_text("#!/bin/sh\necho 'vnpu: out of luck' >&2\nexit 1\n")
        fake.chmod(0o755)
        (self.folder / "metrics.json").write_text("{}")
        with mock.patch.dict(os.environ, VNPU_PROGRAM=str(fake)):
            with self.assertRaises(vnpu.RunError) as caught:
                vnpu.run(self.file, out=self.folder)
        self.assertEqual(str(caught.exception), "out of luck")

    def test_results_are_appended_to_a_database(self):
        import sqlite3

        file = self.folder / "results.sqlite"
        result = vnpu.run(self.file, sqlite=file, label="a", isolated=False)
        vnpu.run(self.file, sqlite=file, label="b", isolated=False)
        with sqlite3.connect(file) as database:
            rows = database.execute(
                "SELECT label, value FROM metric JOIN run ON run.id = run_id "
                "WHERE kind = 'client' AND name = 'loop' AND quantity = 'p99_ms' ORDER BY label"
            ).fetchall()
        self.assertEqual(rows, [(label, result.figures["p99_ms[loop]"]) for label in "ab"])

    def test_other_threads_run_meanwhile(self):
        ticks = []
        end = threading.Event()

        def tick():
            while not end.wait(0.001):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        vnpu.run(self.file)
        stop = time.monotonic()
        end.set()
        thread.join()
        self.assertGreater(sum(begin < moment < stop for moment in ticks), 5)

    def test_ctrl_c_ends_the_run_and_its_processes(self):
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import vnpu\n"
                "print('begin', flush=True)\n"
                "try:\n"
                f"    vnpu.run({str(self.file)!r}, overrides={{'scenario.duration': '1000 s'}})\n"
                "except KeyboardInterrupt:\n"
                "    print('interrupted')\n",
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(child.stdout.close)
        self.assertEqual(child.stdout.readline(), "begin\n")
        end = time.monotonic() + 60
        programs = []
        while not programs and child.poll() is None and time.monotonic() < end:
            programs = self.programs_of(child.pid)
        self.assertEqual(len(programs), 1)
        os.kill(child.pid, signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], "interrupted\n")
        for one in programs:
            self.assertFalse(Path(f"/proc/{one}").exists())

    def test_ctrl_c_during_the_start_of_the_program_ends_it(self):
        started = []

        class Interrupting(subprocess.Popen):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                started.append(self.pid)
                os.kill(os.getpid(), signal.SIGINT)

        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with mock.patch("subprocess.Popen", Interrupting):
            with self.assertRaises(KeyboardInterrupt):
                vnpu.run(self.file, overrides={"scenario.duration": "1000 s"})
        self.assertEqual(len(started), 1)
        self.assertFalse(Path(f"/proc/{started[0]}").exists())

    def programs_of(self, process):
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True
        )
        return [int(one) for one in listed.stdout.split()]


class SweepTest(Scenario):
    def test_axes_of_python_are_those_of_a_sweep_file(self):
        arguments = {"seeds": [1, 5], "columns": ["antt", "p99_ms[loop]"]}
        result = vnpu.sweep(
            self.file, {"client.keyword.rate_hz": [500, 2000]}, out=self.folder / "a", **arguments
        )
        sweep = self.folder / "sweep.toml"
        sweep.write_text(
            "[sweep]\nname = 'sweep'\nscenario = 'small.toml'\nseeds = [1, 5]\n"
            "columns = ['antt', 'p99_ms[loop]']\n"
            "[[axis]]\nkey = 'client.keyword.rate_hz'\nvalues = [500, 2000]\n"
        )
        other = vnpu.sweep(sweep, out=self.folder / "b", jobs=1)
        for file in ("points.csv", "sweep.csv", "sweep.json"):
            text = (self.folder / "a" / file).read_text()
            self.assertEqual(text, (self.folder / "b" / file).read_text())
        self.checkColumns(result.points, self.folder / "a" / "points.csv")
        self.assertEqual(result.data, other.data)
        self.assertEqual(result.points["rate_hz"].tolist(), [500, 500, 2000, 2000])
        self.assertEqual(result.points["rate_hz.1"].dtype, np.float64)  # the figure
        self.assertEqual(result.points["seed"].tolist(), [1, 5, 1, 5])
        mean = result.points["antt"].reshape(2, 2).mean(axis=1)
        np.testing.assert_allclose(result.rows["antt_mean"], mean, rtol=1e-12)
        self.assertTrue(result.is_good)
        self.assertEqual(result.failures, [])

    def test_wrong_arguments(self):
        with self.assertRaises(vnpu.InputError) as caught:
            vnpu.sweep(self.file, {"client.keyword.rate_hz": [-1]})
        self.assertIn("rate_hz=-1", str(caught.exception))
        with self.assertRaises(TypeError):
            vnpu.sweep("default", seeds=3)


if __name__ == "__main__":
    unittest.main()
