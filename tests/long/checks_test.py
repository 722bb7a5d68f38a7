"""The checks of long renders tell good ones from bad ones, and read what the program writes."""

import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))  # exr

import checks  # noqa: E402
import exr  # noqa: E402
import scenes  # noqa: E402
from watch import Line, Record, Usage  # noqa: E402

PROGRAM = sys.argv.pop(1)


def usage(leak=0.0, threads=8):
    """An hour of 100 MiB that first fill up, then `leak` bytes more each second."""
    return [
        Usage(second, int((100 << 20) * min(1.0, (second + 60) / 300) + leak * second), threads, 5, 0)
        for second in range(3600)
    ]


def lines(speed=lambda share: 1.0, count=1000):
    """Progress whose speed depends on the share that is done."""
    found = []
    seconds = 0.0
    for i in range(1, count + 1):
        seconds += 1.0 / speed(i / count)
        share = i / count
        found.append(Line(seconds, share, seconds * (1 - share) / share, 2.0 + i))
    return found


def rightOf(found):
    return [check.right for check in found]


def picture(offset, noise=1e-3):
    """A picture whose pixels lie about 2 as their variance says, and `offset` beside it."""
    values = [2.0 + offset + (noise if i % 2 else -noise) for i in range(1024)]
    return {"R": values, "variance.R": [noise * noise] * 1024}


class Checks(unittest.TestCase):
    def test_memory(self):
        self.assertEqual(rightOf(checks.memoryChecks(usage())), [True, True, True])
        self.assertEqual(rightOf(checks.memoryChecks(usage(leak=2000))), [False, True, True])
        # The copy of the film that goes into a file.
        saves = [Usage(one.seconds, one.resident + (280 << 20) * (one.seconds >= 3590), 8, 5, 0) for one in usage()]
        self.assertEqual(rightOf(checks.memoryChecks(saves)), [True, True, True])
        # The program's own end lets go of what it has.
        ends = usage() + [Usage(3600 + i, 20 << 20, 2, 3, 0) for i in range(600)]
        self.assertEqual(rightOf(checks.memoryChecks(ends, 0.0, 3600.0)), [True, True, True])
        self.assertEqual(rightOf(checks.memoryChecks(ends)), [True, False, True])
        grows = [one if one.seconds < 3000 else Usage(one.seconds, one.resident, 12, 5, 0) for one in usage()]
        self.assertEqual(rightOf(checks.memoryChecks(grows)), [True, False, True])

    def test_eta(self):
        self.assertTrue(all(rightOf(checks.etaChecks(lines(), False))))
        slows = lines(lambda share: 1.0 if share < 0.5 else 0.3)
        self.assertFalse(all(rightOf(checks.etaChecks(slows, False))))
        # Where only the clock was slow, other programs took the processor.
        self.assertTrue(all(rightOf(checks.etaChecks(slows, True))))
        hopes = [Line(line.seconds, line.share, line.eta / 2, line.processor) for line in lines()]
        self.assertFalse(all(rightOf(checks.etaChecks(hopes, True))))
        wrong = [Line(line.seconds, line.share ** 2, line.eta, line.processor) for line in lines()]
        self.assertFalse(all(rightOf(checks.etaChecks(wrong, True))))

    def test_progress(self):
        good = lines()
        self.assertTrue(all(rightOf(checks.progressChecks(good, 1001.0, 1000.0))))
        self.assertFalse(all(rightOf(checks.progressChecks(good[:-1], 1001.0, 999.0))))
        self.assertFalse(all(rightOf(checks.progressChecks([good[5], *good], 1001.0, 1000.0))))
        self.assertFalse(all(rightOf(checks.progressChecks(good, 1001.0, 500.0))))
        self.assertFalse(all(rightOf(checks.progressChecks(good, 900.0, 1000.0))))

    def test_checkpoints(self):
        record = Record(lines=lines())
        times = [20.0 * i for i in range(1, 51)]
        self.assertEqual(rightOf(checks.saveChecks(times, 20.0, record)), [True])
        self.assertEqual(rightOf(checks.saveChecks(times[:20] + times[25:], 20.0, record)), [False])
        self.assertEqual(rightOf(checks.saveChecks(times[:3], 20.0, record)), [False])
        self.assertEqual(rightOf(checks.saveChecks([], 20.0, record)), [False])
        self.assertEqual(rightOf(checks.saveChecks([5.0 * i for i in range(200)], 20.0, record)), [False])

    def test_what_is_no_number_is_the_largest(self):
        self.assertEqual(checks.largest([0.5, 2.0, 1.0]), 2.0)
        for place in range(3):
            values = [0.5, 2.0]
            values.insert(place, math.nan)
            self.assertTrue(math.isnan(checks.largest(iter(values))))

    def test_radiance(self):
        self.assertEqual(rightOf(checks.radianceChecks(picture(0.0), [2.0], "R")), [True])
        self.assertEqual(rightOf(checks.radianceChecks(picture(2e-4), [2.0], "R")), [False])  # of all, six sigma
        broken = picture(0.0)
        broken["R"][7] = 2.0 + 7e-3
        self.assertEqual(rightOf(checks.radianceChecks(broken, [2.0], "R")), [False])
        broken["R"][7] = float("nan")
        self.assertEqual(rightOf(checks.radianceChecks(broken, [2.0], "R")), [False])


class Pictures(unittest.TestCase):
    def test_closed_forms(self):
        """What is read has the values that the program tells, and those of the closed forms."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for scene, expected, worst in (
                (scenes.boxScene((0.5, 0.25, 0.75)), scenes.boxRadiance((0.5, 0.25, 0.75)), 0.05),
                (scenes.skyScene(), scenes.EMISSION, 1e-6),
            ):
                file, picture = scenes.write(folder / "scene.json", scene), folder / "out.exr"
                command = [PROGRAM, "render", file, "-o", picture, "--size", "40x40", "--spp", "64"]
                subprocess.run([*command, "--backend", "reference"], check=True, stderr=subprocess.DEVNULL, timeout=100)
                info = [PROGRAM, "info", "--json", picture]
                told = subprocess.run(info, check=True, capture_output=True, timeout=100)
                values, attributes = exr.read(picture)
                self.assertEqual(attributes["aureole.samples"], b"0:64")
                for channel in json.loads(told.stdout)["channels"]:
                    found = values[channel["name"]]
                    self.assertEqual(len(found), 1600)
                    self.assertEqual((min(found), max(found)), (channel["min"], channel["max"]))
                for channel, truth in zip("RGB", expected):
                    self.assertAlmostEqual(sum(values[channel]) / 1600 / truth, 1.0, delta=worst)


unittest.main()
