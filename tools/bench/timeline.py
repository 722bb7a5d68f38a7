#!/usr/bin/env python3
"""Draws the timeline that 'aureole render --trace' wrote, and tells how much of it the devices worked.

Usage: timeline.py TRACE.json[.gz] [-o OUT.svg] [--from SECONDS] [--to SECONDS]

Prints for each device the share of the time between the beginning of its first waves and the end of its last that it
ran commands. The picture has a row for each thread and device; of spans within each other the inner ones are on top, if they
have a colour of their own.
Needs nothing but Python.
"""

import argparse
import gzip
import html
import json
import math
import pathlib

from plot import PALETTE

WIDTH, ROW, LABEL, TOP = 960.0, 22.0, 150.0, 24.0
NAMED = ("load", "device", "upload", "pipelines", "render", "bloom", "write", "encode", "waves", "write file")
COLOURS = (*PALETTE, "#7b4fa3", "#8c4b1f", "#1d1d1f")  # in their order
OTHER = "#c5cad0"


def read(path):
    """The spans by track, as (begin, end, name) in seconds, and the names of tracks."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as stream:
        events = json.load(stream)["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M"}
    tracks = {track: [] for track in sorted(names)}
    for event in events:
        if event["ph"] == "X":
            begin = event["ts"] * 1e-6
            tracks[event["pid"], event["tid"]].append((begin, begin + event["dur"] * 1e-6, event["name"]))
    for spans in tracks.values():
        spans.sort(key=lambda span: (span[0], -span[1]))
    return names, {track: spans for track, spans in tracks.items() if spans}


def busy_share(spans):
    """Of a device: the share of the time from its first waves to its last, and these times."""
    waves = [span for span in spans if span[2] == "waves"]
    first, last = min(span[0] for span in waves), max(span[1] for span in waves)
    busy, reached = 0.0, first
    for begin, end, _ in spans:
        busy += max(min(end, last) - max(begin, reached), 0.0)
        reached = max(reached, end)
    return busy / (last - first), first, last


def colour_of(name):
    return COLOURS[NAMED.index(name)] if name in NAMED else OTHER


def draw(names, tracks, first, last):
    scale = (WIDTH - LABEL - 10.0) / (last - first)
    height = TOP + ROW * len(tracks) + 46.0
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" font-family="sans-serif" '
             f'font-size="11"><rect width="100%" height="100%" fill="#fff"/>']
    for row, (track, spans) in enumerate(tracks.items()):
        y = TOP + ROW * row
        parts.append(f'<text x="4" y="{y + 14:g}">{html.escape(names[track][:24])}</text>')
        named = first  # the end of the last span with a colour of its own
        drawn = {}  # the end of the last rectangle of each colour, so that none is narrower than a pixel's half
        for begin, end, name in spans:
            if name in NAMED:
                named = max(named, end)
            elif begin < named:
                continue
            begin, end = max(begin, first), min(end, last)
            x, width = LABEL + (begin - first) * scale, (end - begin) * scale
            if width <= 0.0 or (width < 0.4 and x - drawn.get(name, -1.0) < 0.4):
                continue
            drawn[name] = x + max(width, 0.4)
            parts.append(f'<rect x="{x:.1f}" y="{y:g}" width="{max(width, 0.4):.1f}" height="{ROW - 4:g}" '
                         f'fill="{colour_of(name)}"/>')
    bottom = TOP + ROW * len(tracks)
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 600) if (last - first) / s <= 12 or s == 600)
    for tick in range(math.ceil(first / step - 0.01), int(last / step) + 1):
        x = LABEL + (tick * step - first) * scale
        parts.append(f'<path d="M{x:.1f} {TOP - 4:g}V{bottom:g}" stroke="#0002"/>'
                     f'<text x="{x:.1f}" y="{TOP - 8:g}" text-anchor="middle">{tick * step:.3g} s</text>')
    used = [name for name in NAMED if any(span[2] == name for spans in tracks.values() for span in spans)]
    for i, name in enumerate(used):
        x = LABEL + 78.0 * i
        parts.append(f'<rect x="{x:g}" y="{bottom + 14:g}" width="10" height="10" fill="{colour_of(name)}"/>'
                     f'<text x="{x + 14:g}" y="{bottom + 23:g}">{name}</text>')
    return "".join(parts) + "</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--from", dest="first", type=float)
    parser.add_argument("--to", dest="last", type=float)
    arguments = parser.parse_args()
    names, tracks = read(arguments.trace)
    for track, spans in tracks.items():
        if any(span[2] == "waves" for span in spans):
            share, first, last = busy_share(spans)
            print(f"{names[track]}: busy {100.0 * share:.1f} % of {last - first:.3f} s, from {first:.3f} s on")
    if arguments.output:
        every = [span for spans in tracks.values() for span in spans]
        first = min(span[0] for span in every) if arguments.first is None else arguments.first
        last = max(span[1] for span in every) if arguments.last is None else arguments.last
        arguments.output.write_text(draw(names, tracks, first, last), encoding="utf-8")


if __name__ == "__main__":
    main()
