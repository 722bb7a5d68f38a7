#!/usr/bin/env python3
"""Draws what 'aureole bench ... --json FILE.json' wrote, or suite.sh of several of these.

Usage: report.py FILE.json -o OUTPUT

OUTPUT.html is one page for a browser: what ran where, the tables as plots, the tables themselves, which a click on a
heading sorts, and the pictures that --pictures wrote beside FILE.json, with a slider between each two. It needs nothing
else: no network, no font, no other file. OUTPUT.svg has the page's line charts alone, side by side.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import struct
import sys

sys.dont_write_bytecode = True  # its folder is a package's

from charts import PAGES, finished
from plot import LineChart, chart_markup, escape, figure_text, svg_file

FOLDER = pathlib.Path(__file__).resolve().parent
OPEN = ' open="open"'
SMALL = 480  # pictures narrower than this are shown with their pixels as squares


class InputError(Exception):
    """Names the file, what was found in it and what was expected."""


def load(file):
    """The documents of a file: one of a benchmark, or those of a suite."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{file}: found no JSON ({error}), expected what 'aureole bench --json' writes") from error
    documents = [document]
    if isinstance(document, dict) and isinstance(document.get("reports"), list) and document["reports"]:
        documents = document["reports"]
    for report in documents:
        name = report.get("benchmark") if isinstance(report, dict) else None
        if name not in PAGES:
            raise InputError(f"{file}: found /benchmark {name!r}, expected one of {', '.join(PAGES)}")
    return documents


def head_markup(title, style, script, version):
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
              "base-uri 'none'; form-action 'none'")
    return (f'<head>\n<meta charset="utf-8"/>\n<title>{escape("aureole: " + title)}</title>\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
            f'<meta name="generator" content="aureole {escape(version)}"/>\n<style>{style}</style>\n</head>\n')


def facts_markup(document):
    """Files of older versions lack some of them."""
    facts = [("Device", "device"), ("Driver", "driver"), ("aureole", "aureole"), ("Date", "date"),
             ("Runs (median)", "repeats")]
    markup = "".join(f"<div><dt>{name}</dt><dd>{escape(str(document[key]))}</dd></div>\n"
                     for name, key in facts if key in document)
    if "command" in document:
        # Words that break where lines are too short for them, and nowhere else.
        words = " ".join(f"<span>{escape(word)}</span>" for word in document["command"].split(" "))
        markup += f'<div class="wide"><dt>Command</dt><dd><code>{words}</code></dd></div>\n'
    return f'<dl class="facts">\n{markup}</dl>\n'


def cell_text(value):
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return figure_text(value)
    return "-" if value is None else json.dumps(value)


def cell_markup(value):
    if isinstance(value, str):
        return f'<td class="text">{escape(value)}</td>'
    exact = f' data-value="{json.dumps(value)}"' if isinstance(value, (int, float)) else ""
    return f"<td{exact}>{escape(cell_text(value))}</td>"


def heading_markup(key, value):
    text = key[:-2] + "µs" if key == "us" or key.endswith(" us") else key  # "whole us" reads "whole µs"
    kind = ' class="text"' if isinstance(value, str) else ""
    return f'<th scope="col" data-key="{escape(key)}"{kind}>{escape(text)}</th>'


def table_markup(table):
    markup = f'<figure class="table"><figcaption>{escape(table["title"])}</figcaption>\n'
    if table["rows"]:
        headings = "".join(heading_markup(key, value) for key, value in table["rows"][0].items())
        rows = "".join("<tr>" + "".join(map(cell_markup, row.values())) + "</tr>\n" for row in table["rows"])
        markup += ('<div class="scroll" tabindex="0"><table>\n'
                   f"<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n")
    if table["notes"]:
        notes = "".join(f"<li>{escape(note)}</li>\n" for note in table["notes"])
        markup += f'<ul class="notes">\n{notes}</ul>\n'
    return markup + "</figure>\n"


def picture_markup(picture, kind, folder):
    name = picture["file"]
    if name != pathlib.PurePath(name).name:
        raise InputError(f"{name}: found a folder in the name of a picture, expected one beside the JSON")
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise InputError(f"{folder / name}: cannot be read: {error.strerror}") from error
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise InputError(f"{folder / name}: found no PNG file, expected one")
    width, height = struct.unpack(">II", data[16:24])
    return (f'<figure class="{kind}"><img class="{"small" if width < SMALL else "large"}" '
            f'src="data:image/png;base64,{base64.b64encode(data).decode()}" width="{width}" height="{height}" '
            f'alt="{escape(picture["name"])}"/><figcaption>{escape(picture["name"])}</figcaption></figure>\n')


def pair_markup(pair, folder):
    slider = f"{pair['first']['name']} on the left, {pair['second']['name']} on the right"
    difference = picture_markup(pair["difference"], "difference", folder) if "difference" in pair else ""
    return (f'<section class="pictures">\n<h3>{escape(pair["title"])}</h3>\n<p>{escape(pair["note"])}</p>\n'
            f'<div class="pair">\n{picture_markup(pair["first"], "first", folder)}'
            f'{picture_markup(pair["second"], "second", folder)}<input type="range" min="0" max="100" value="50" '
            f'step="0.1" aria-label="{escape(slider)}"/>\n</div>\n{difference}</section>\n')


def section_markup(document, folder, heading):
    """The plots, pictures and tables of a benchmark's document, below headings of that rank; its pictures are files of
    `folder`."""
    charts = "".join(map(chart_markup, finished(PAGES[document["benchmark"]][2](document))))
    pictures = "".join(pair_markup(pair, folder) for pair in document.get("pictures", []))
    return ((f'<{heading}>Plots</{heading}>\n<div class="charts">\n{charts}</div>\n' if charts else "")
            + (f"<{heading}>Pictures</{heading}>\n{pictures}" if pictures else "")
            + f"<{heading}>Tables</{heading}>\n" + "".join(map(table_markup, document["tables"])))


def own_facts(document):
    """What differs from benchmark to benchmark of a suite."""
    return {key: document[key] for key in ("repeats", "command") if key in document}


def suite_markup(documents, folder):
    """A section for each document, which is folded away but for the first one."""
    return "".join(
        f'<details class="benchmark"{OPEN if number == 0 else ""}>'
        f'<summary><h2>{escape(PAGES[document["benchmark"]][0])}</h2></summary>\n'
        f'<p class="lead">{escape(PAGES[document["benchmark"]][1])}</p>\n{facts_markup(own_facts(document))}'
        f'{section_markup(document, folder, "h3")}</details>\n' for number, document in enumerate(documents))


def page_markup(documents, folder):
    """The page of a benchmark, or of several on one machine."""
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    first = documents[0]
    version = first.get("aureole", "")
    if len(documents) == 1:
        title, measured, _ = PAGES[first["benchmark"]]
        facts, sections = facts_markup(first), section_markup(first, folder, "h2")
    else:
        title = f"Benchmarks on {first['device']}"
        measured = "All benchmarks of aureole on one machine, beside the peers that it has."
        facts = facts_markup({key: first[key] for key in ("device", "driver", "aureole", "date") if key in first})
        sections = suite_markup(documents, folder)
    return ('<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en">\n'
            + head_markup(title, style, script, version)
            + f'<body>\n<header>\n<h1>{escape(title)}</h1>\n<p class="lead">{escape(measured)}</p>\n'
            + facts + "</header>\n<main>\n" + sections
            + f"</main>\n<footer>Measured by aureole {escape(version)}. Times are medians; plots tell each value where the "
            "pointer rests, and tables are sorted by a click on a heading.</footer>\n"
            f"<script>{script}</script>\n</body>\n</html>\n")


def drawn(documents, file, output):
    if output.suffix == ".html":
        return page_markup(documents, file.parent)
    charts = [chart for document in documents for chart in finished(PAGES[document["benchmark"]][2](document))]
    return svg_file([chart for chart in charts if isinstance(chart, LineChart)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="FILE.json", type=pathlib.Path, help="what 'aureole bench --json' or suite.sh wrote")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path,
                        help="OUTPUT.html, a page, or OUTPUT.svg, its line charts")
    arguments = parser.parse_args()
    output = arguments.output
    if output.suffix not in (".html", ".svg"):
        parser.error(f"-o: found {output}, expected a name that ends in .html or .svg")
    try:
        text = drawn(load(arguments.file), arguments.file, output)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{arguments.file}: found no table as 'aureole bench --json' writes it ({error!r})") from error
    part = output.with_name(output.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, output)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error


if __name__ == "__main__":
    try:
        main()
    except InputError as problem:
        sys.exit(f"report.py: error: {problem}")
