"""tools/bench/cluster.py: its model against figures worked out by hand, and a run of it on the CPU."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
sys.path.insert(0, str(SOURCE / "tools/bench"))
import cluster  # pylint: disable=wrong-import-position


class ModelTest(unittest.TestCase):
    # A task takes 2 s beside rendering, a part more 0.5 s, and merging 1 s without any.
    MERGING = {"fixed": 1.0, "each": 0.5}

    def test_a_line_goes_through_points_on_it(self):
        fixed, each = cluster.line_through([(1, 1.5), (2, 2.0), (64, 33.0)])
        self.assertAlmostEqual(fixed, 1.0)
        self.assertAlmostEqual(each, 0.5)

    def test_what_does_not_shrink_with_the_number_of_gpus(self):
        model = cluster.Model(2.0, self.MERGING, 1000)
        self.assertAlmostEqual(model.flat(100, 1), 2 + 100 + 1 + 0.5)
        self.assertAlmostEqual(model.flat(100, 50), 2 + 2 + 1 + 25)
        self.assertAlmostEqual(model.grouped(100, 32), model.flat(100, 32))
        # Groups of 12 at the same time, then 11 of them.
        self.assertAlmostEqual(model.grouped(100, 128), 2 + 100 / 128 + (1 + 6) + (1 + 5.5))

    def test_launching_counts_for_each_job_in_turn(self):
        model = cluster.Model(2.0, self.MERGING, 1000, launch=10.0)
        self.assertAlmostEqual(model.flat(100, 50), 10 + 2 + 2 + 10 + 26)
        self.assertAlmostEqual(model.grouped(100, 128), 10 + 2 + 100 / 128 + 10 + 7 + 10 + 6.5)

    def test_storage_is_shared(self):
        # 1000 bytes at 1000 bytes a second: a second for each part, written and read.
        model = cluster.Model(2.0, self.MERGING, 1000, storage=1000)
        self.assertAlmostEqual(model.flat(100, 50), 2 + 2 + 50 + 1 + 50)
        # All 128 parts are read in no less than 128 s, however many jobs do so.
        self.assertAlmostEqual(model.grouped(100, 128), 2 + 100 / 128 + 128 + 128 + (1 + 11))


class RunTest(unittest.TestCase):
    OPTIONS = ["--option=--backend", "--option=reference"]

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def test_a_copy_of_a_part_is_one_of_other_samples(self):
        part, copy, merged = (self.folder / name for name in ("part.exr", "copy.exr", "merged.exr"))
        subprocess.run([PROGRAM, "render", SOURCE / "scenes/cornell.json", "-o", part, "--size", "24x40", "--samples",
                        "0:8", "--backend", "reference"], check=True, capture_output=True)
        copy.write_bytes(cluster.with_samples(part.read_bytes(), (8, 1016)))
        with self.subTest("its pixels"):
            told = subprocess.run([PROGRAM, "compare", part, copy], check=True, capture_output=True, text=True)
            self.assertEqual(told.stdout.split(), ["mse", "0"])
        subprocess.run([PROGRAM, "merge", copy, part, "-o", merged], check=True, capture_output=True)
        told = subprocess.run([PROGRAM, "info", merged, "--json"], check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(told.stdout)["attributes"]["aureole.samples"], "0:1016")

    def test_it_measures_checks_and_predicts(self):
        figures = self.folder / "figures.json"
        result = subprocess.run([sys.executable, "-B", SOURCE / "tools/bench/cluster.py", PROGRAM, "--size", "48x32",
                                 "--spp", "32", "--tasks", "4", "--repeats", "1", "-o", figures, *self.OPTIONS],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        for heading in ("Start of a task", "Parts", "Merging", "The model against what was run", "Predicted"):
            self.assertIn(f"## {heading}", result.stdout)
        data = json.loads(figures.read_text())
        self.assertEqual([len(m["points"]) for m in data["merging"]], [7, 7])
        self.assertEqual([c["tasks"] for c in data["check"]["checks"]], [1, 2, 4])
        self.assertEqual([p["gpus"] for p in data["predictions"]], [1, 8, 64, 512, 4096])

    def test_a_failure_of_the_program_is_told(self):
        result = subprocess.run([sys.executable, "-B", SOURCE / "tools/bench/cluster.py", PROGRAM,
                                 "--option=--nonsense"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("--nonsense", result.stderr)
        self.assertIn("ended with 2", result.stderr)


if __name__ == "__main__":
    unittest.main()
