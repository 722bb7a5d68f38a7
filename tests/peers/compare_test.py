"""What is measured of renderers, with stand-ins whose speed and error are known, the table, and the command itself.
Arguments: the repository and the program aureole."""

import json
import random
import subprocess
import sys
import tempfile
import types
import unittest
from array import array
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]), sys.argv[2]
PEERS = ROOT / "tools/peers"
sys.path.append(str(PEERS))
del sys.argv[1:]

import errors  # noqa: E402
import kept  # noqa: E402
import measure  # noqa: E402
import renderers  # noqa: E402
import table  # noqa: E402

# A Python with all modules that renders a grey of 0.5, or says why it does not.
STAND_IN = f"""#!{sys.executable}
import sys
if sys.argv[1] == "-c":
    sys.exit(0)
sys.argv.pop(0)
sys.path[:0] = [{str(PEERS)!r}, {str(PEERS.parent)!r}]
import json
import os
import random
from pathlib import Path
import exr
import worker


def start(folder, size, device):
    print("what a library says")
    if "mitsuba" in sys.argv[0] and "still_life" in folder:
        raise RuntimeError("found no lens")
    if "mitsuba" in sys.argv[0] and "chess" in folder:
        os._exit(7)
    parts = json.loads((Path(folder) / "scene.json").read_text())["parts"]

    def render(spp, seed, file):
        made = random.Random(f"{{sys.argv[0]}} {{seed}}")  # so that no two renderers have the same noise
        exr.write(file, *size, {{n: [made.gauss(0.5, 1 / spp) for _ in range(size[0] * size[1])] for n in "RGB"}})
        return 0.01 + spp * 1e-4
    return {{"version": "9", "device": f"{{device}} with {{len(parts)}} parts"}}, render


worker.serve(start)
"""


class StandIn:
    """Takes 0.25 s to start, 0.5 s more for the first render of a length, and a millisecond for a sample of each pixel;
    the error falls as samples^-slope."""

    name, about = "stand-in", {"version": "1", "device": "none"}

    def __init__(self, slope=1.0):
        self.slope, self.seeds, self.lengths, self.spp = slope, [], set(), 0

    def render(self, spp, seed):
        self.seeds.append(seed)
        self.spp = spp
        first = 0.0 if spp in self.lengths else 0.5
        self.lengths.add(spp)
        return 0.25 + first + spp * 1e-3

    def picture(self):
        made = random.Random(self.seeds[-1])
        deviation = (2.0 * self.spp**-self.slope) ** 0.5
        planes = [array("f", (made.gauss(1, deviation) for _ in range(3000))) for _ in range(3)]
        return errors.Picture(60, 50, planes)


def plan(**changes):
    values = {"spp": 64, "seconds": 2, "reference_seconds": 8, "seeds": 1, "full": False, "most_seconds": 60}
    return types.SimpleNamespace(**{**values, **changes})


class MeasureTest(unittest.TestCase):
    def test_quick(self):
        renderer = StandIn()
        row, mean = measure.Measurement(renderer, plan()).row()
        self.assertAlmostEqual(row["samples_per_second"] / 3e6, 1)
        self.assertAlmostEqual(row["start_up_seconds"], 0.25)
        self.assertAlmostEqual(row["relmse"] / (2 / 64 / 1.01), 1, delta=0.1)
        self.assertEqual((row["reference_spp"], row["size"], row["spp"]), (8000, [60, 50], 64))
        self.assertAlmostEqual(errors.luminance(mean), 1, delta=0.01)
        self.assertEqual(row["goal"]["from"], "scaled")
        self.assertAlmostEqual(row["goal"]["seconds"] / (2 / 1.01), 1, delta=0.1)
        self.assertEqual(len(set(renderer.seeds)), len(renderer.seeds))

    def test_full(self):
        """Where the error falls faster than one over the samples, the time is less than what is scaled from few."""
        row, _ = measure.Measurement(StandIn(1.5), plan(full=True, seeds=4)).row()
        truth = (2 / 1.01 / 1e-3) ** (2 / 3) * 1e-3
        self.assertEqual(row["goal"]["from"], "measured")
        self.assertAlmostEqual(row["goal"]["seconds"] / truth, 1, delta=0.08)
        self.assertGreater(64e-3 * row["relmse"] / 1e-3, 1.5 * truth)
        self.assertAlmostEqual(row["goal"]["tried"][-1]["relmse"], 1e-3, delta=5e-5)

    def test_too_long(self):
        """What is longer than --most-seconds is scaled from a render of that time, not from one of 64 samples."""
        row, _ = measure.Measurement(StandIn(1.2), plan(full=True, seeds=4, most_seconds=0.4)).row()
        goal = row["goal"]
        self.assertEqual((goal["from"], [render["spp"] for render in goal["tried"]]), ("scaled", [400]))
        self.assertAlmostEqual(goal["seconds"] / (2 * 0.4 * 400**-1.2 / 1.01 / 1e-3), 1, delta=0.1)

    def test_means(self):
        rows = [{"renderer": name} for name in ("aureole", "mitsuba")]
        means = [errors.Picture(2, 1, [array("f", [value] * 2)] * 3) for value in (1.5, 1.0)]
        self.assertEqual(measure.compare_means(rows, means), 1)
        self.assertAlmostEqual(rows[0]["mean_ratio"], 1.5)
        self.assertEqual((rows[0]["base"], rows[1]["block_difference"]), ("mitsuba", 0))
        self.assertEqual(measure.compare_means(rows[:1], means[:1]), 0)


class TableTest(unittest.TestCase):
    def test_lines(self):
        row = {
            "scene": "glass",
            "renderer": "cycles",
            "version": "4",
            "device": "CPU",
            "base": "mitsuba",
            "spp": 32,
            "samples_per_second": 2.5e6,
            "relmse": 0.01234,
            "relmse_trimmed": 0.004,
            "mean_ratio": 1.00123,
            "mean_ratio_trimmed": 0.99876,
            "block_difference": 0.0123,
            "goal": {"relmse": 1e-3, "seconds": 12.34, "from": "scaled"},
        }
        measured = {**row, "scene": "balls", "goal": {**row["goal"], "from": "measured"}}
        failed = {"scene": "chess", "renderer": "mitsuba", "error": "found no device"}
        lines = list(table.lines([row, measured, failed]))
        self.assertEqual(
            lines[0],
            "| scene | renderer | Msamples/s | relMSE at 32 spp | less worst 0.1 % | s to relMSE 1e-3 | "
            "mean by mitsuba's | less worst 0.1 % | blocks differ by | z of the mean | z of blocks |",
        )
        self.assertEqual(lines[2], "| glass | cycles | 2.5 | 0.0123 | 0.004 | ~12.3 | 1.0012 | 0.9988 | 1.2 % |  |  |")
        scored = {**row, "score": {"mean": -1.23, "spread": 1.016, "most": 4.04, "blocks": 2700}}
        self.assertTrue(list(table.lines([scored]))[2].endswith("| 1.2 % | -1.2 | 1.02, to 4.0 of 2700 |"))
        self.assertEqual(lines[3].split(" | ")[5], "12.3")
        self.assertEqual(lines[4], "| chess | mitsuba | failed |  |  |  |  |  |  |  |  |")
        self.assertEqual(lines[5:], ["chess, mitsuba: found no device", "cycles 4 on CPU"])
        self.assertEqual(len({line.count("|") for line in lines[:5]}), 1)


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.python = self.folder / "python"
        self.python.write_text(STAND_IN)
        self.python.chmod(0o755)

    def run_it(self, *arguments):
        command = [
            sys.executable,
            "-B",
            PEERS / "compare.py",
            "--size",
            "16x9",
            "--spp",
            "4",
            "--seconds",
            "0.02",
            "--reference-seconds",
            "0.05",
            *arguments,
        ]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100)

    def test_all(self):
        out = self.folder / "out"
        done = self.run_it(
            "--aureole",
            PROGRAM,
            "--aureole-option=--backend=reference",
            "--mitsuba-python",
            self.python,
            "--cycles-python",
            self.python,
            "--cycles-device",
            "ABACUS",
            "--device",
            "cpu",
            "-o",
            out,
            "cornell",
            "still_life",
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("| still_life | mitsuba | failed |", done.stdout)
        self.assertIn(
            "still_life, mitsuba: RuntimeError: found no lens; it said last:\nwhat a library says", done.stdout
        )
        self.assertIn("cycles 9 on ABACUS with 4 parts\n", done.stdout)
        self.assertIn("mitsuba 9 on llvm_ad_rgb with 4 parts\n", done.stdout)
        self.assertEqual((out / "peers.md").read_text(), done.stdout)
        found = json.loads((out / "peers.json").read_text())
        rows = {(row["scene"], row["renderer"]): row for row in found["rows"]}
        self.assertEqual((found["schema"], found["missing"], len(rows)), (1, {}, 6))
        cycles = rows["cornell", "cycles"]
        self.assertAlmostEqual(cycles["samples_per_second"], 16 * 9 / 1e-4, delta=1)
        self.assertAlmostEqual(cycles["mean_ratio"], 1, delta=0.02)
        aureole = rows["still_life", "aureole"]
        self.assertEqual((aureole["base"], aureole["mean_ratio"], aureole["size"]), ("aureole", 1, [16, 9]))
        self.assertTrue(0.1 < aureole["mean_luminance"] < 0.6, aureole)
        names = sorted(file.name for file in out.iterdir())
        self.assertEqual(
            names,
            [
                "cornell-aureole.exr",
                "cornell-aureole.png",
                "cornell-cycles.exr",
                "cornell-cycles.png",
                "cornell-mitsuba.exr",
                "peers.json",
                "peers.md",
                "still_life-aureole.exr",
                "still_life-cycles.exr",
                "still_life-cycles.png",
            ],
        )

    def test_some(self):
        """A renderer that is not there is told and left out."""
        nowhere = self.folder / "nowhere"
        done = self.run_it("--aureole", nowhere, "--mitsuba-python", nowhere, "--cycles-python", self.python, "cornell")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"aureole is missing: found no program {nowhere}; build it, or name it by --aureole", done.stdout)
        self.assertIn("mitsuba is missing: ", done.stdout)
        self.assertIn("| cornell | cycles |", done.stdout)
        done = self.run_it("--renderers", "mitsuba", "--mitsuba-python", self.python, "chess")
        self.assertEqual(done.returncode, 1)
        self.assertIn("chess, mitsuba: the process ended with 7; it said last:\nwhat a library says", done.stdout)
        options = types.SimpleNamespace(mitsuba_python=str(self.folder / "bare"))
        (self.folder / "bare").write_text("#!/bin/sh\nexit 1\n")
        (self.folder / "bare").chmod(0o755)
        self.assertRegex(renderers.missing("mitsuba", options), "has no module mitsuba; .* install mitsuba==")

    def test_join(self):
        """Runs of one renderer each, joined, leave what one run of both leaves."""
        both, one, other, neither = (self.folder / name for name in ("both", "one", "other", "neither"))
        python = ["--mitsuba-python", self.python, "--cycles-python", self.python, "cornell"]
        for arguments in (
            ["--renderers", "mitsuba,cycles", "-o", both],
            ["--renderers", "cycles", "-o", one],
            ["--renderers", "mitsuba", "--join", one, "-o", other],
            ["--renderers", "", "--join", other, "-o", neither],
        ):
            done = self.run_it(*arguments, *python)
            self.assertEqual(done.returncode, 0, done.stderr)
        files = {file.name: file.read_bytes() for file in both.iterdir()}
        self.assertEqual(len(files), 3 + 2)
        for folder in (other, neither):
            self.assertEqual({file.name: file.read_bytes() for file in folder.iterdir()}, files)
        self.assertNotEqual((one / "peers.md").read_bytes(), files["peers.md"])
        done = self.run_it("--renderers", "mitsuba", "--join", one, "--size", "9x16", "--spp", "8", *python)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cornell, cycles: found 4 spp of [16, 9] pixels to join, expected 8 of [9, 16]", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_kept(self):
        with self.assertRaisesRegex(ValueError, "found no peers.json, expected the folder of an earlier run"):
            kept.rows(self.folder)
        file = self.folder / "peers.json"
        some = [{"scene": "glass", "error": "no light"}, {"scene": "chess"}]
        file.write_text(json.dumps({"schema": 1, "rows": some}))
        self.assertEqual(kept.rows(self.folder), [{"scene": "chess"}])
        file.write_text('{"schema": 2}')
        with self.assertRaisesRegex(ValueError, r"peers\.json: found the schema 2, expected 1"):
            kept.rows(self.folder)

    def test_refused(self):
        nowhere = self.folder / "nowhere"
        none = ["--aureole", nowhere, "--mitsuba-python", nowhere, "--cycles-python", nowhere]
        for arguments, message in (
            (none, "found none of the renderers"),
            (["teapot"], "found 'teapot', expected some of cornell"),
            (["--renderers", "aureole,pov"], "found 'pov', expected some of aureole"),
            (["--size", "16"], "--size: found '16', expected WxH"),
            (["--full", "--seeds", "1"], "--seeds: found 1, expected 2 or more with --full"),
        ):
            done = self.run_it(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


unittest.main()
