"""Pictures as arrays of numbers, and how far they are from each other. Plain Python, a second or so for a megapixel."""

import math
import struct
import sys
import zlib
from array import array
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

import exr  # noqa: E402

WORST = 0.001  # the share of pixels that the trimmed error leaves out
ACROSS = 40  # blocks whose differences are held against their noise
SAME = 1e-4
VARIANCES = ("variance.R", "variance.G", "variance.B")  # channels of files
LUMINANCE = (0.2126, 0.7152, 0.0722)  # of linear Rec. 709


@dataclass
class Picture:
    """Linear Rec. 709: three planes (red, green, blue) of width * height floats, line after line. `variances` are such
    planes too, or none where they are not known: of each value the square of its standard error."""

    width: int
    height: int
    planes: list
    variances: list = field(default_factory=list)


def read_picture(path):
    """An EXR file with the channels R, G and B. Raises ValueError where a value is not finite."""
    values, attributes = exr.read(path)
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    missing = [name for name in "RGB" if name not in values]
    if missing:
        raise ValueError(f"{path}: found the channels {', '.join(values)}, expected R, G and B")
    for name in "RGB":
        # One value that is not finite makes the sum so.
        if not math.isfinite(sum(values[name])):
            bad = next(i for i, v in enumerate(values[name]) if not math.isfinite(v))
            x, y = bad % (right - left + 1), bad // (right - left + 1)
            raise ValueError(f"{path}: found {values[name][bad]} in {name} of pixel {x},{y}, expected finite values")
    variances = [values[name] for name in VARIANCES if name in values]
    return Picture(right - left + 1, bottom - top + 1, [values[name] for name in "RGB"], variances)


def write_picture(path, picture):
    channels = dict(zip("RGB", picture.planes)) | dict(zip(VARIANCES, picture.variances))
    exr.write(path, picture.width, picture.height, channels)


def expect_same_size(a, b):
    if (a.width, a.height) != (b.width, b.height):
        raise ValueError(f"found pictures of {a.width}x{a.height} and {b.width}x{b.height}, expected one size")


def mean_of(pictures):
    """The mean of pictures of one size, each as heavy as another, with its variances where there are several."""
    pictures = list(pictures)
    for other in pictures[1:]:
        expect_same_size(pictures[0], other)
    share = 1 / len(pictures)
    planes = [
        array("f", (sum(values) * share for values in zip(*planes))) for planes in zip(*(p.planes for p in pictures))
    ]
    variances = [
        array("f", (variance_of_mean(values) for values in zip(*planes)))
        for planes in zip(*(p.planes for p in pictures))
    ]
    return Picture(pictures[0].width, pictures[0].height, planes, variances if len(pictures) > 1 else [])


def variance_of_mean(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / max(len(values) * (len(values) - 1), 1)


def pixel_errors(pictures, mean):
    """The relative squared error of one render at each pixel, the mean of its channels: (A - B)^2 / 2 / (M^2 + 0.01)
    for renders A and B of different seeds, which differ by the error of both, and M, the mean of many samples. Of more
    than two pictures it is the mean over all pairs, which is their sample variance by (M^2 + 0.01)."""
    pictures = list(pictures)
    if len(pictures) < 2:
        raise ValueError(f"found {len(pictures)} render, expected two of different seeds at least")
    for picture in pictures:
        expect_same_size(picture, mean)
    total = [0.0] * (mean.width * mean.height)
    for channel, plane in enumerate(mean.planes):
        found = zip(*(picture.planes[channel] for picture in pictures))
        total = [
            t + math.dist(values, (sum(values) / len(values),) * len(values)) ** 2 / (m * m + 0.01)
            for t, m, values in zip(total, plane, found)
        ]
    return [t / (3 * (len(pictures) - 1)) for t in total]


def rel_mse(errors):
    """The relative mean square error, of what pixel_errors returned."""
    return math.fsum(errors) / len(errors)


def trimmed_rel_mse(errors, share=WORST):
    """Likewise without the share of pixels (one at least) where it is largest, which fireflies decide."""
    kept = sorted(errors)[: len(errors) - max(1, int(len(errors) * share))]
    return math.fsum(kept) / len(kept) if kept else 0.0


def greys(picture):
    """The luminance of each pixel."""
    return [LUMINANCE[0] * r + LUMINANCE[1] * g + LUMINANCE[2] * b for r, g, b in zip(*picture.planes)]


def luminance(picture):
    """The mean luminance."""
    return math.fsum(greys(picture)) / (picture.width * picture.height)


def mean_ratio(picture, base):
    """(mean luminance of the picture by that of the base, likewise without the WORST share of pixels, one at least,
    where they differ most), since a sun that only one of them shows would decide the first."""
    expect_same_size(picture, base)
    pairs = sorted(zip(greys(picture), greys(base)), key=lambda pair: abs(pair[0] - pair[1]))
    kept = pairs[: len(pairs) - max(1, int(len(pairs) * WORST))] or pairs

    def ratio(some):
        return math.fsum(a for a, _ in some) / max(math.fsum(b for _, b in some), 1e-30)

    return ratio(pairs), ratio(kept)


def blocks(picture, size):
    """A smaller picture of the means of size x size pixels; what is left at the right and below is cut off."""
    width, height = picture.width // size, picture.height // size
    planes = []
    for plane in picture.planes:
        small = array("f")
        for y in range(height):
            lines = [plane[row * picture.width : (row + 1) * picture.width] for row in range(y * size, (y + 1) * size)]
            columns = [sum(values) for values in zip(*lines)]
            small.extend(sum(columns[x * size : (x + 1) * size]) / (size * size) for x in range(width))
        planes.append(small)
    return Picture(width, height, planes)


def block_difference(picture, base):
    """The mean of |A - B| / (B + 0.01) over blocks, of which some 160 fit across: less noise hides what differs."""
    expect_same_size(picture, base)
    size = max(1, picture.width // 160)
    a, b = blocks(picture, size), blocks(base, size)
    found = [abs(x - y) / (y + 0.01) for p, q in zip(a.planes, b.planes) for x, y in zip(p, q)]
    return math.fsum(found) / len(found)


def scores(picture, base, across=ACROSS):
    """By how many standard errors blocks of two pictures with variances differ, in all three channels; so many blocks
    fit across. Where both are of one scene, these are numbers of mean 0 and variance 1. What differs by less than SAME
    of itself does not count: a sky without noise is rounded differently."""
    expect_same_size(picture, base)
    size = max(1, picture.width // across)
    found = []
    for channel in range(3):
        planes = [(p.planes[channel], p.variances[channel]) for p in (picture, base)]
        (a, x), (b, y) = (blocks(Picture(picture.width, picture.height, pair), size).planes for pair in planes)
        found += [
            (p - q) / math.sqrt((v + w) / size**2 + (SAME * q) ** 2) for p, q, v, w in zip(a, b, x, y) if q > 0
        ]
    return found


def score(picture, base):
    """Likewise of the whole pictures' luminance."""
    pixels = picture.width * picture.height
    variance = sum(
        share**2 * math.fsum(plane) for p in (picture, base) for share, plane in zip(LUMINANCE, p.variances)
    )
    return (luminance(picture) - luminance(base)) * pixels / math.sqrt(max(variance, 1e-30))


def difference_png(picture, base, full=0.2):
    """An 8-bit PNG of the relative differences of luminance: red where the picture is brighter than `base`, blue where
    it is darker, white where they are equal; the strongest colour is a difference of `full` and more."""
    expect_same_size(picture, base)
    pixels = bytearray()
    for a, b in zip(greys(picture), greys(base)):
        share = max(-1.0, min(1.0, (a - b) / (b + 0.01) / full))
        pale = round(255 * (1 - abs(share)))
        pixels += bytes((255, pale, pale) if share >= 0 else (pale, pale, 255))
    return png(picture.width, picture.height, bytes(pixels))


def png(width, height, pixels):
    """A PNG file of 8-bit RGB."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + pixels[y * 3 * width : (y + 1) * 3 * width] for y in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines, 9))
        + chunk(b"IEND", b"")
    )
