"""What the scene generators share: writing scene files that read well and do not change from run to run.

A generator writes to scenes/, or to the folder that its command line names.
"""

import argparse
import json
import math
import pathlib
import sys

def folder():
    """The folder to write to, by the command line of the generator that runs."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where to write (default: scenes/)",
                        default=pathlib.Path(__file__).resolve().parents[2] / "scenes")
    path = parser.parse_args().folder
    if not path.is_dir():
        parser.error(f"found {path}, expected a folder")
    return path


SCENES = folder()
LINE = 120


def tidy(value):
    """Rounds numbers to five decimals, and drops the decimals of whole ones."""
    if isinstance(value, float):
        rounded = round(value, 5)
        return int(rounded) if rounded == int(rounded) else rounded
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [tidy(item) for item in value]
    return value


def pretty(value, indent=0):
    """JSON text: whatever fits on a line stands on one; long arrays are wrapped, not stacked."""
    flat = json.dumps(value, separators=(", ", ": "))
    if indent + len(flat) <= LINE or not isinstance(value, (dict, list)) or not value:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {pretty(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + "\n" + " " * indent + "}"
    lines, line = [], inner
    for index, item in enumerate(value):
        text = json.dumps(item, separators=(",", ":")) + ("," if index + 1 < len(value) else "")
        if len(line) + len(text) > LINE and line.strip():
            lines.append(line.rstrip())
            line = inner
        line += text + " "
    lines.append(line.rstrip())
    return "[\n" + "\n".join(lines) + "\n" + " " * indent + "]"


def write(name, scene):
    path = SCENES / name
    path.write_text(pretty(tidy({"$schema": "aureole.schema.json", "version": 1, **scene})) + "\n")
    print(path)


def srgb(code):
    """'#rrggbb' as linear Rec. 709, rounded to three decimals."""
    def linear(v):
        return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
    return [round(linear(int(code[i:i + 2], 16) / 255), 3) for i in (1, 3, 5)]


class Random:
    """A 64-bit linear congruential generator (Knuth's MMIX constants): the same numbers everywhere, for ever."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(4):
            self.uniform()

    def uniform(self, low=0.0, high=1.0):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return low + (high - low) * (self.state >> 40) / 2**24

    def choice(self, items):
        return items[min(int(self.uniform() * len(items)), len(items) - 1)]


def polar(radius, degrees):
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


def latheMesh(profile, segments):
    """Turns a profile of (radius, height), from the bottom up, about the Y axis; outward is to its right.

    Gives positions and triangles; points of radius 0 become a single vertex each. Normals are left to the caller.
    """
    positions, triangles, rings = [], [], []
    for radius, height in profile:
        count = 1 if radius == 0 else segments
        rings.append((len(positions), count))
        for i in range(count):
            x, z = polar(radius, 360 * i / segments)
            positions.append([x, height, z])
    for (low, lowCount), (high, highCount) in zip(rings, rings[1:]):
        for i in range(segments):
            j = (i + 1) % segments
            a, b = low + i % lowCount, low + j % lowCount
            c, d = high + i % highCount, high + j % highCount
            if lowCount > 1:
                triangles.append([a, c, b])
            if highCount > 1:
                triangles.append([b, c, d])
    return positions, triangles
