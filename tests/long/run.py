#!/usr/bin/env python3
"""Long renders: that memory stays flat, progress true, checkpoints come on time, and a million samples lose nothing.

    tests/long/run.py --aureole PROGRAM [--minutes N] [--samples N] [--frames N] [--device DEVICE] [--size WxH]
                      [--json FILE]

Renders a sealed box, whose light is known in closed form, for N minutes (10 unless told otherwise; 0: not), then
pictures of 8 x 8 pixels with N samples of each (a million; 0: not) and N frames of as many pixels, by both backends
(10,000; 0: none), and holds what it sees against what must be. Ends with status 1 where something is wrong. Needs
Python's standard library and a program, nothing else; on lavapipe a million samples and 10,000 frames take some ten
minutes each, on a GPU less.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))  # exr

import drift  # noqa: E402
import frames  # noqa: E402
import steady  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aureole", required=True, type=Path, help="the program")
    parser.add_argument("--minutes", type=float, default=10, help="length of the long render; 0: none")
    parser.add_argument("--samples", type=int, default=1_000_000, help="of each pixel in the test of sums; 0: none")
    parser.add_argument("--frames", type=int, default=10_000, help="small ones, by each backend; 0: none")
    parser.add_argument("--device", default="", help="as 'aureole render --device' takes it")
    parser.add_argument("--size", default="64x48", help="of the long render's picture")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    options.aureole = options.aureole.resolve()
    options.device = ["--device", options.device] if options.device else []
    options.render = ["--size", options.size, *options.device]
    return options


def tell(title, found):
    print(f"{title}")
    for check in found:
        print(f"  {'ok   ' if check.right else 'WRONG'}  {check.name:<22} {check.figure}", flush=True)


def main():
    options = arguments()
    figures = {}
    found = []
    with tempfile.TemporaryDirectory(prefix="aureole-long-") as name:
        folder = Path(name)
        if options.minutes > 0:
            figures, found = steady.run(options, folder)
            tell(f"{options.minutes:g} minutes on {figures.get('device', 'no device')}", found)
        for backend in ("reference", "gpu") if options.frames > 0 else ():
            small = frames.run(options, folder, backend)
            tell(f"{options.frames} frames by the backend {backend}", small)
            found += small
        if options.samples > 0:
            sums = drift.run(options, folder)
            tell(f"{options.samples} samples of each pixel", sums)
            found += sums
    wrong = sum(not check.right for check in found)
    if options.json:
        figures["checks"] = [check._asdict() for check in found]
        figures["wrong"] = wrong
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    print(f"{len(found)} checks, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
