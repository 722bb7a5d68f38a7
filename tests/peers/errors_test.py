"""The error measure says what it must of pictures whose error is known. Argument: the repository."""

import math
import random
import statistics
import struct
import sys
import tempfile
import unittest
import zlib
from array import array
from pathlib import Path

sys.path.append(str(Path(sys.argv[1]) / "tools/peers"))
del sys.argv[1:]

import errors  # noqa: E402

RANDOM = random.Random(7)


def even(value, width=20, height=10):
    return errors.Picture(width, height, [array("f", [value] * (width * height)) for _ in range(3)])


def noisy(value, deviation, width=200, height=100):
    planes = [array("f", (RANDOM.gauss(value, deviation) for _ in range(width * height))) for _ in range(3)]
    return errors.Picture(width, height, planes)


def pixels_of(data):
    """The pixels of a PNG file without filters."""
    width, height = struct.unpack_from(">II", data, 16)
    size = struct.unpack_from(">I", data, 33)[0]
    lines = zlib.decompress(data[41 : 41 + size])
    rows = [lines[y * (3 * width + 1) + 1 : (y + 1) * (3 * width + 1)] for y in range(height)]
    return [[tuple(row[3 * x : 3 * x + 3]) for x in range(width)] for row in rows]


class ErrorsTest(unittest.TestCase):
    def test_definition(self):
        found = errors.pixel_errors([even(1.0), even(3.0)], even(2.0))
        self.assertEqual(len(found), 200)
        self.assertAlmostEqual(errors.rel_mse(found), 2 * 2 / 2 / (2 * 2 + 0.01))
        # Of several renders it is their sample variance.
        values = [1.0, 1.5, 2.0, 4.0]
        found = errors.pixel_errors(map(even, values), even(2.0))
        self.assertAlmostEqual(errors.rel_mse(found), statistics.variance(values) / 4.01)

    def test_noise(self):
        """The variance of one render, whether the mean is known well or is that of the renders."""
        for count in (2, 4):
            renders = [noisy(0.5, 0.1) for _ in range(count)]
            for mean in (even(0.5, 200, 100), errors.mean_of(renders)):
                self.assertAlmostEqual(
                    errors.rel_mse(errors.pixel_errors(renders, mean)) / (0.01 / 0.26), 1, delta=0.06
                )

    def test_trimmed(self):
        a, b = even(1.0, 100, 50), even(1.1, 100, 50)
        plain = errors.rel_mse(errors.pixel_errors([a, b], even(1.0, 100, 50)))
        for x in (7, 77, 777, 1777, 4777):  # a thousandth of the pixels
            b.planes[1][x] = 1000
        found = errors.pixel_errors([a, b], even(1.0, 100, 50))
        self.assertGreater(errors.rel_mse(found), 100)
        self.assertAlmostEqual(errors.trimmed_rel_mse(found), plain)

    def test_means(self):
        mean = errors.mean_of([even(1.0), even(2.0), even(6.0)])
        self.assertEqual(list(mean.planes[2]), [3.0] * 200)
        self.assertAlmostEqual(errors.luminance(mean), 3)
        mean.planes[1] = array("f", [0] * 200)
        self.assertAlmostEqual(errors.luminance(mean), 3 * (1 - 0.7152))
        with self.assertRaisesRegex(ValueError, "found pictures of 20x10 and 10x20"):
            errors.mean_of([even(1.0), even(1.0, 10, 20)])
        with self.assertRaisesRegex(ValueError, "found 1 render, expected two"):
            errors.pixel_errors([mean], mean)

    def test_ratio(self):
        picture, base = even(1.02, 100, 50), even(1.0, 100, 50)
        for plane in picture.planes:
            plane[777] = 1e6
        found = errors.mean_ratio(picture, base)
        self.assertGreater(found[0], 100)
        self.assertAlmostEqual(found[1], 1.02, delta=1e-6)

    def test_blocks(self):
        picture = even(0.0, 7, 5)
        for plane in picture.planes:
            plane[:] = array("f", range(35))
        small = errors.blocks(picture, 2)
        self.assertEqual((small.width, small.height), (3, 2))
        self.assertEqual(list(small.planes[0]), [4, 6, 8, 18, 20, 22])
        self.assertAlmostEqual(errors.block_difference(even(1.1), even(1.0)), 0.1 / 1.01, delta=1e-6)
        # Noise is less in blocks: 960 pixels across make blocks of 6 x 6.
        noise = errors.block_difference(noisy(1.0, 0.1, 960, 60), even(1.0, 960, 60))
        self.assertAlmostEqual(noise, 0.1 / 6 * 0.798 / 1.01, delta=5e-4)

    def test_scores(self):
        """Means of one truth differ by about their noise, and others by more."""
        means = [errors.mean_of(noisy(value, 0.1, 120, 60) for _ in range(4)) for value in (0.5, 0.5, 0.52)]
        for variance in means[0].variances:
            self.assertAlmostEqual(statistics.fmean(variance) / (0.01 / 4), 1, delta=0.05)
        found = errors.scores(means[0], means[1])
        self.assertEqual(len(found), 3 * 40 * 20)
        self.assertAlmostEqual(statistics.pstdev(found), 1, delta=0.1)
        self.assertLess(abs(errors.score(means[0], means[1])), 4)
        # 0.02 is 0.85 standard errors of a block of 3 x 3 pixels.
        self.assertAlmostEqual(statistics.fmean(errors.scores(means[2], means[1])), 0.85, delta=0.1)
        one = math.hypot(*errors.LUMINANCE) * math.sqrt(2 * 0.01 / 4 / (120 * 60))
        self.assertAlmostEqual(errors.score(means[2], means[1]) / (0.02 / one), 1, delta=0.1)
        # A sky without noise may be rounded differently.
        skies = [errors.mean_of([even(value), even(value)]) for value in (0.7, 0.70003)]
        self.assertLess(max(map(abs, errors.scores(*skies))), 1)

    def test_pictures_of_differences(self):
        picture = even(1.0)
        for x, value in enumerate((1.0, 2.0, 0.5, 1.101)):
            for plane in picture.planes:
                plane[20 * 3 + x] = value
        rows = pixels_of(errors.difference_png(picture, even(1.0)))
        self.assertEqual(rows[3][:3], [(255, 255, 255), (255, 0, 0), (0, 0, 255)])
        self.assertEqual(rows[3][3], (255, 128, 128))  # half of the 20 % that are full red
        self.assertEqual(set(rows[2]), {(255, 255, 255)})

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.exr"
            planes = [array("f", (c + i / 8 for i in range(6))) for c in range(3)]
            errors.exr.write(path, 3, 2, dict(zip("RGB", planes)))
            found = errors.read_picture(path)
            self.assertEqual((found.width, found.height, found.planes), (3, 2, planes))
            picture = errors.mean_of([found, even(1.0, 3, 2)])
            errors.write_picture(path, picture)
            self.assertEqual(errors.read_picture(path), picture)
            planes[2][4] = float("nan")
            errors.exr.write(path, 3, 2, dict(zip("RGB", planes)))
            with self.assertRaisesRegex(ValueError, r"picture\.exr: found nan in B of pixel 1,1, expected finite"):
                errors.read_picture(path)
            errors.exr.write(path, 3, 2, {"Y": planes[0]})
            with self.assertRaisesRegex(ValueError, r"picture\.exr: found the channels Y, expected R, G and B"):
                errors.read_picture(path)
            path.write_bytes(b"no picture")
            with self.assertRaisesRegex(ValueError, r"picture\.exr: found no EXR"):
                errors.read_picture(path)


unittest.main()
