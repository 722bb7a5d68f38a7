#!/usr/bin/env python3
"""Measures how the error of a picture falls with its samples, for each way to draw directions, lights and numbers.

Usage: variance.py AUREOLE [-o FOLDER] [--size N] [--most N] [--reference N] [--scene NAME]... [--option ARGUMENT]...

Renders each scene with each strategy at 1, 4, 16... samples per pixel against a converged picture of its own, and
writes to FOLDER (the current one by default):

  variance.md    a table for each scene: mean squared errors, the slope of their logarithm against that of the samples
                 (-1 for independent samples), and how many times less the error is at equal samples than another's
  variance.svg   the same as a plot
  variance.json  the figures

--option is handed to 'aureole render' as it is: --option=--backend --option=reference renders on the CPU. Needs nothing
but Python and the program.
"""

import argparse
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

from plot import LineChart, svg_file

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

STRATEGIES = {  # name: options of aureole render
    "uniform": ["--sampling", "uniform", "--light-sampling", "bsdf"],
    "cosine": ["--sampling", "cosine", "--light-sampling", "bsdf"],
    "bsdf": ["--sampling", "bsdf", "--light-sampling", "bsdf"],
    "lights": ["--sampling", "bsdf", "--light-sampling", "lights"],
    "mis, uniform": ["--sampling", "uniform", "--light-sampling", "mis"],
    "mis, cosine": ["--sampling", "cosine", "--light-sampling", "mis"],
    "mis": ["--sampling", "bsdf", "--light-sampling", "mis"],
    "mis, sobol": ["--sampling", "bsdf", "--light-sampling", "mis", "--sampler", "sobol"],
}
GAINS = [("cosine", "uniform"), ("bsdf", "cosine"), ("mis", "uniform"), ("mis", "cosine"), ("mis", "bsdf"),
         ("mis", "lights"), ("mis, sobol", "mis")]

BALLS = {
    "version": 1,
    "assets": {
        "ball": {"sphere": {"centre": [0, 0.5, 0], "radius": 0.5, "subdivisions": 4}},
        "floor": {"box": {"min": [-2, -0.1, -2], "max": [2, 0, 2]}},
    },
    "materials": {
        "floor": {"albedo": 0.5},
        "clay": {"albedo": [0.7, 0.35, 0.2]},
        "satin": {"albedo": 0.8, "metalness": 1, "roughness": 0.3},
    },
    "instances": {
        "floor": {"asset": "floor", "material": "floor"},
        "left": {"asset": "ball", "material": "clay", "translate": [-0.65, 0, 0]},
        "right": {"asset": "ball", "material": "satin", "translate": [0.65, 0, 0]},
    },
    "cameras": {"main": {"position": [0, 1.4, 4], "target": [0, 0.45, 0], "verticalFov": 32}},
    "voxels": {"resolution": 256},
}


def png(width, height, pixel):
    """The bytes of an 8-bit RGB PNG."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def sky(x, y):
    """Of 128 x 64: a dim blue sky with a bright window of 6 x 5 pixels."""
    if 40 <= x < 46 and 14 <= y < 19:
        return 255, 244, 214
    return (16, 22, 34) if y < 32 else (10, 9, 8)


def environmentScene(folder):
    (folder / "sky.png").write_bytes(png(128, 64, sky))
    return {**BALLS, "environment": {"type": "image", "file": "sky.png", "scale": 20}}


def panelScene(_):
    """A panel over the balls as large as what it lights."""
    scene = json.loads(json.dumps(BALLS))
    scene["materials"]["panel"] = {"albedo": 0, "emission": 2}
    scene["assets"]["panel"] = {"quad": {"corner": [-1.8, 1.9, -1.5], "u": [3.6, 0, 0], "v": [0, 0, 3]}}
    scene["instances"]["panel"] = {"asset": "panel", "material": "panel"}
    return scene


SCENES = {
    "cornell": ("Cornell box, a small lamp", lambda _: REPOSITORY / "scenes" / "cornell.json"),
    "window": ("Balls under a sky with a bright window", environmentScene),
    "panel": ("Balls under a large panel", panelScene),
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    return done.stdout


class Bench:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder

    def render(self, scene, output, samples, seed, options):
        size = self.arguments.size
        run([self.arguments.aureole, "render", str(scene), "-o", str(output), "--spp", str(samples),
             "--seed", str(seed), "--size", f"{size}x{size}", "--no-bloom", "--progress", "none", "--max-depth", "6", *options,
             *self.arguments.option])

    def errors(self, name, make):
        """{strategy: {samples: mean squared error}}"""
        scene = make(self.folder)
        if isinstance(scene, dict):
            path = self.folder / f"{name}.json"
            path.write_text(json.dumps(scene))
            scene = path
        truth = self.folder / f"{name}.exr"
        # Of a seed of its own, with the strategy that has the least noise.
        self.render(scene, truth, self.arguments.reference, 999983, STRATEGIES["mis, sobol"])
        picture = self.folder / "picture.exr"
        errors = {}
        for strategy, options in STRATEGIES.items():
            errors[strategy] = {}
            samples = 1
            while samples <= self.arguments.most:
                self.render(scene, picture, samples, samples, options)
                text = run([self.arguments.aureole, "compare", str(picture), str(truth)])
                errors[strategy][samples] = float(text.split()[1])
                samples *= 4
            print(f"{name}: {strategy}", file=sys.stderr)
        return errors


def slope(errors):
    """Of log error against log samples, by least squares."""
    points = [(math.log(n), math.log(e)) for n, e in errors.items() if e > 0]
    mx = sum(x for x, _ in points) / len(points)
    my = sum(y for _, y in points) / len(points)
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def gain(better, worse):
    """The geometric mean of how many times less the error is, from 16 samples up."""
    ratios = [math.log(worse[n] / better[n]) for n in better if n >= 16] or [0.0]
    return math.exp(sum(ratios) / len(ratios))


def markdown(results, arguments):
    lines = []
    for name, errors in results.items():
        counts = list(next(iter(errors.values())))
        lines += [f"**{SCENES[name][0]}** ({arguments.size} x {arguments.size}, mean squared error against "
                  f"{arguments.reference} samples)", ""]
        lines += ["| strategy | " + " | ".join(str(n) for n in counts) + " | slope |",
                  "| --- |" + " ---: |" * (len(counts) + 1)]
        for strategy, row in errors.items():
            lines.append(f"| {strategy} | " + " | ".join(f"{row[n]:.2e}" for n in counts) + f" | {slope(row):.2f} |")
        lines += ["", "At equal samples, from 16 up, the error is this many times less: "
                  + ", ".join(f"{a} than {b} **{gain(errors[a], errors[b]):.2f}**" for a, b in GAINS) + ".", ""]
    return "\n".join(lines)


def charts(results):
    """A chart for each scene, both axes logarithmic."""
    found = []
    for name, errors in results.items():
        ticks = [(math.log2(n), str(n)) for n in next(iter(errors.values()))]
        lines = {strategy: [(math.log2(n), e) for n, e in row.items()] for strategy, row in errors.items()}
        found.append(LineChart(SCENES[name][0], "samples per pixel", "mean squared error", ticks, lines, logarithmic=True))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("aureole", help="the program")
    parser.add_argument("-o", "--output", default=".", help="folder for the results")
    parser.add_argument("--size", type=int, default=96, help="width and height of the pictures")
    parser.add_argument("--most", type=int, default=1024, help="samples per pixel of the last measurement")
    parser.add_argument("--reference", type=int, default=65536, help="samples per pixel of the converged pictures")
    parser.add_argument("--scene", action="append", choices=list(SCENES), help="only these; can be repeated")
    parser.add_argument("--option", action="append", default=[], help="handed to aureole render; can be repeated")
    arguments = parser.parse_args()
    output = pathlib.Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        results = {name: bench.errors(name, SCENES[name][1]) for name in arguments.scene or SCENES}
    (output / "variance.md").write_text(markdown(results, arguments))
    (output / "variance.svg").write_text(svg_file(charts(results)))
    (output / "variance.json").write_text(json.dumps(results, indent=1) + "\n")
    print((output / "variance.md").read_text())


if __name__ == "__main__":
    main()
