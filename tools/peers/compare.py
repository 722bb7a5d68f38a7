#!/usr/bin/env python3
"""Renders the demo scenes with aureole, Mitsuba 3 and Blender's Cycles, as many of them as are installed, and compares
their speed and error. README.md beside this file tells how to install them and in what they differ.

    tools/peers/compare.py                            # all scenes on a GPU, ten minutes
    tools/peers/compare.py --full -o peers            # also renders to the error that times are told for
    tools/peers/compare.py --device cpu --size 64x36 --spp 16 --seconds 1 --reference-seconds 2 cornell
    tools/peers/compare.py --renderers cycles --join a -o b  # the others were measured by an earlier run with -o a

Prints a table in Markdown. -o FOLDER keeps the table (peers.md), what was measured (peers.json), the means
(SCENE-RENDERER.exr) and pictures of where these differ (.png). Ends with status 1 where a renderer failed.
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile
import time

import convert
import errors
import kept
import measure
import media_scenes
import renderers
import table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "scenes", nargs="*", metavar="SCENE", help=f"some of {', '.join(convert.SCENES)}; all unless told"
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the folder for tables and pictures")
    parser.add_argument("--json", type=pathlib.Path, help="another file for what was measured")
    parser.add_argument(
        "--join",
        type=pathlib.Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="of an earlier run with -o, whose rows of other renderers and scenes the table gets too; may be repeated",
    )
    parser.add_argument(
        "--full", action="store_true", help="render for the time that the goal takes, instead of scaling"
    )
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--size", help="WxH instead of the scenes' own")
    parser.add_argument("--spp", type=int, default=64, help="samples per pixel of the renders whose error is told")
    parser.add_argument("--seconds", type=float, default=5, help="of the render that tells the speed, at least")
    parser.add_argument("--reference-seconds", type=float, default=8, help="of each render of the mean")
    parser.add_argument("--seeds", type=int, help="of the mean and, with --full, at the goal; 4 with --full, else 1")
    parser.add_argument("--most-seconds", type=float, default=60, help="that one render may take with --full")
    parser.add_argument(
        "--renderers", default=",".join(renderers.NAMES), help="some of %(default)s; with --join also none, ''"
    )
    parser.add_argument("--aureole", default=str(ROOT / "build/release/src/cli/aureole"), help="the program")
    parser.add_argument("--aureole-option", action="append", default=[], help="handed to each 'aureole render'")
    parser.add_argument("--mitsuba-python", default=sys.executable, help="a Python that has mitsuba")
    parser.add_argument(
        "--mitsuba-device", help="a variant: cuda_ad_rgb or, with --device cpu, llvm_ad_rgb unless told"
    )
    parser.add_argument("--cycles-python", default=sys.executable, help="a Python that has bpy")
    parser.add_argument("--cycles-device", help="OPTIX, HIP and others; CUDA or, with --device cpu, CPU unless told")
    options = parser.parse_args()
    check(options, parser)
    return options


def check(options, parser):
    options.scenes = options.scenes or list(convert.SCENES)
    options.renderers = options.renderers.split(",") if options.renderers or not options.join else []
    options.seeds = options.seeds or (4 if options.full else 1)
    for given, known in ((options.scenes, convert.SCENES), (options.renderers, renderers.NAMES)):
        for name in given:
            if name not in known:
                parser.error(f"found '{name}', expected some of {', '.join(known)}")
    if options.size and not re.fullmatch(r"[1-9]\d*x[1-9]\d*", options.size):
        parser.error(f"--size: found '{options.size}', expected WxH")
    if options.full and options.seeds < 2:
        parser.error(f"--seeds: found {options.seeds}, expected 2 or more with --full")


def film_size(scene, options):
    """[width, height] of the pictures of a scene."""
    if options.size:
        return [int(number) for number in options.size.split("x")]
    if scene in media_scenes.SCENES:
        return list(media_scenes.SIZE)
    return json.loads((ROOT / "scenes" / f"{scene}.json").read_text(encoding="utf-8"))["film"]["size"]


def joined(options):
    """kept.joined of the folders of --join. Raises ValueError where a row does not fit those to come."""
    found = kept.joined(options.join)
    for (scene, name), (row, _) in found.items():
        wanted = [options.spp, film_size(scene, options)]
        if [row["spp"], row["size"]] != wanted:
            raise ValueError(
                f"{scene}, {name}: found {row['spp']} spp of {row['size']} pixels to join, "
                f"expected {wanted[0]} of {wanted[1]}"
            )
    return found


def measured(name, scene, folder, options):
    """The row of a renderer and a scene, and its mean picture; of one that fails, why, and none."""
    converted = folder / scene
    renderer = None
    try:
        if scene in media_scenes.SCENES:
            path = media_scenes.write(scene, folder)
        else:
            path = ROOT / "scenes" / f"{scene}.json"
        if name == "aureole":
            renderer = renderers.Aureole(options, path, folder)
        else:
            if not converted.exists():
                convert.convert(path, converted)
            renderer = renderers.Peer(name, options, converted, folder)
        row, mean = measure.Measurement(renderer, options).row()
        return {"scene": scene, **row}, mean
    except (RuntimeError, ValueError, OSError) as error:
        return {"scene": scene, "renderer": name, "error": str(error)}, None
    finally:
        if renderer:
            renderer.close()


def compared(scene, found, options):
    """The rows of a scene, of what was measured of each renderer by its name; writes its means and the pictures of
    their differences."""
    pairs = [found[name] for name in renderers.NAMES if name in found]
    good = [(row, mean) for row, mean in pairs if mean]
    if good:
        rows, means = zip(*good)
        base = measure.compare_means(rows, means)
        for row, mean in good if options.output else []:
            kept.write_picture(options.output, row, mean)
            if mean is not means[base]:
                file = options.output / f"{scene}-{row['renderer']}.png"
                file.write_bytes(errors.difference_png(mean, means[base]))
    return [row for row, _ in pairs]


def report(rows, missing, options):
    """The table as text; writes it and its figures to files."""
    text = "\n".join([*table.lines(rows), *(f"{name} is missing: {why}" for name, why in missing.items()), ""])
    if options.output:
        (options.output / "peers.md").write_text(text, encoding="utf-8")
    for file in filter(None, (options.json, options.output and options.output / kept.ROWS)):
        found = {
            "schema": kept.SCHEMA,
            "date": time.strftime("%Y-%m-%d"),
            "full": options.full,
            "missing": missing,
            "rows": rows,
        }
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return text


def main():
    options = arguments()
    missing = {name: why for name in options.renderers if (why := renderers.missing(name, options))}
    names = [name for name in options.renderers if name not in missing]
    for name, why in missing.items():
        print(f"{name} is missing: {why}", file=sys.stderr)
    if not names and options.renderers:
        sys.exit("error: found none of the renderers, expected one at least")
    try:
        found = joined(options)
    except (ValueError, OSError) as error:
        sys.exit(f"error: {error}")
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for scene in options.scenes:
            pairs = {name: pair for (of, name), pair in found.items() if of == scene}
            for name in names:
                if name == "cycles" and scene in media_scenes.SCENES:
                    continue  # is handed no media
                print(f"{scene}: {name}", file=sys.stderr)
                pairs[name] = measured(name, scene, pathlib.Path(folder), options)
            rows += compared(scene, pairs, options)
            text = report(rows, missing, options)  # after each scene, in case that a later one takes too long
    print(text, end="")
    sys.exit(any("error" in row for row in rows))


if __name__ == "__main__":
    main()
