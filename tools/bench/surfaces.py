#!/usr/bin/env python3
"""Measures what voxels cost in a picture: their errors against the triangles, their bytes and the rays per second.

Usage: surfaces.py AUREOLE SCENE|MODEL [-o FOLDER] [--resolutions N,...] [--surfaces NAME,...] [--size WxH] [--spp N]
       [--reference-spp N] [--option ARGUMENT]...

Renders the scene or the model with each surface at each resolution, and its triangles twice with different seeds, and
writes a table in Markdown to the standard output and FOLDER/surfaces.md: of each picture the bytes of its octree, RMSE
and relMSE against the triangles, SSIM, the mean luminance, and millions of rays per second. Above it stand the mean
luminance of the triangles and their noise, which is part of all errors. Pictures, without bloom, stay in FOLDER.

--option is handed to every 'aureole render'. Needs nothing but Python and the program.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import render_stats


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}ended with {result.returncode}")
    return result.stdout


def render(arguments, name, *options):
    """The picture and its statistics."""
    picture, stats = arguments.output / f"{name}.exr", arguments.output / f"{name}.json"
    run(arguments.aureole, "render", arguments.scene, "-o", picture, "--no-bloom", "--denoise", "none",
        "--size", arguments.size, "--stats-json", stats, *options, *arguments.option)
    return picture, render_stats.read(stats)


def difference(arguments, metric, a, b):
    return float(run(arguments.aureole, "compare", a, b, "--metric", metric).split()[1])


def luminance(arguments, picture):
    """The mean, by Rec. 709."""
    means = dict(re.findall(r"^ *([RGB]) .*mean ([^ ]+)", run(arguments.aureole, "info", picture), re.MULTILINE))
    return sum(weight * float(means[name]) for name, weight in (("R", 0.2126), ("G", 0.7152), ("B", 0.0722)))


def table(arguments):
    triangles, again = (render(arguments, f"triangles-{seed}", "--backend", "reference", "--spp",
                               arguments.reference_spp, "--seed", seed)[0] for seed in (1, 2))
    noise = difference(arguments, "rmse", triangles, again) / 2**0.5
    yield f"triangles: mean luminance {luminance(arguments, triangles):.4f}, noise {noise:.4f}"
    yield ""
    yield "| voxels | surface | octree, MB | RMSE | relMSE | SSIM | mean | Mray/s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for resolution in arguments.resolutions.split(","):
        for surface in arguments.surfaces.split(","):
            picture, stats = render(arguments, f"{surface}-{resolution}", "--surface", surface, "--resolution",
                                    resolution, "--spp", arguments.spp)
            errors = [difference(arguments, metric, picture, triangles) for metric in ("rmse", "relmse", "ssim")]
            yield (f"| {resolution} | {surface} | {stats['octree_bytes'] / 1e6:.2f} | {errors[0]:.4f} | "
                   f"{errors[1]:.5f} | {errors[2]:.4f} | {luminance(arguments, picture):.4f} | "
                   f"{stats['rays_per_second'] / 1e6:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("aureole", type=pathlib.Path)
    parser.add_argument("scene", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path())
    parser.add_argument("--resolutions", default="256,512,1024,2048,4096")
    parser.add_argument("--surfaces", default="cubes,planes")
    parser.add_argument("--size", default="640x400")
    parser.add_argument("--spp", default="4096")
    parser.add_argument("--reference-spp", default="2048")
    parser.add_argument("--option", action="append", default=[])
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with open(arguments.output / "surfaces.md", "w", encoding="utf-8") as markdown:
        for line in table(arguments):
            print(line, flush=True)
            print(line, file=markdown)


if __name__ == "__main__":
    main()
