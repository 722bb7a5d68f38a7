#!/usr/bin/env python3
"""Writes the tables of speeds in README.md and the pages of tests/bench from tests/bench/results.json, which names device,
driver, program and commit of each figure. Usage: tools/results.py [--check]

A row that compares with peers either has its figures, or says where tools/bench/suite.sh measured them: "suite" names
an entry of "suites", which has the suite.json and the commit it ran at; "own" and "peer" name a benchmark, the
beginning of a table's title, columns that its rows must have, and how the row's name begins ("by": in which column).
Of several rows the best counts. A table with "suite" and "cells" is all of one suite: a cell is where the figures of a
column are, and a row has what is to be added to each ("where"); "times" scales a figure, and "over" says where another
one is that it is divided by; "like" is a table to take the rest from.

A page has a line '<!-- results NAME -->' where the table NAME begins, and '<!-- end of results -->' where it ends; what
is between them is replaced. With --check nothing is written, and a page that is not as it would be written is an error:
so neither a figure of a page nor one of the JSON can be changed alone."""

import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "tests/bench/results.json"
END = "<!-- end of results -->\n"
# Of two figures the less is the better where they have one of these units.
TIMES = ("us", "ms", "s")


def shown(value):
    """A figure with three digits at least, as 46.6, 5310 or 13 042; none as an empty cell."""
    if value is None or isinstance(value, str):
        return value or ""
    text = f"{value:.0f}" if value >= 1000 else f"{value:g}"
    return f"{text[:-3]} {text[-3:]}" if len(text) > 4 and text.isdigit() else text


def ratio(row):
    """How many times as fast aureole is as its peer."""
    ours, peers = row["aureole"][0], row["peer"][0]
    times = peers / ours if row["unit"] in TIMES else ours / peers
    return f"{times:.2g}"


def found_in(documents, wanted, unit):
    """The best figure that a suite has of what is wanted, its row and its document."""
    found = []
    for document in documents:
        for table in document["tables"] if document["benchmark"] == wanted["benchmark"] else []:
            for row in table["rows"] if table["title"].startswith(wanted["table"]) else []:
                name = str(row.get(wanted.get("by", ""), ""))
                if (row.get(wanted["figure"]) is not None
                        and all(row.get(key) == value for key, value in wanted.get("where", {}).items())
                        and name.startswith(tuple(wanted.get("begins", [""])))
                        and name.endswith(wanted.get("ends", "")) and not name.endswith(wanted.get("not", "\n"))):
                    found.append((row[wanted["figure"]], name, document))
    if not found and wanted.get("optional"):
        return None
    if not found:
        sys.exit(f"error: {RESULTS.name}: found nothing of {json.dumps(wanted)} in its suite")
    return min(found, key=lambda figure: figure[0] if unit in TIMES else -figure[0])


def figure_text(value):
    """Three digits, as the others have them, and all of those before the point."""
    return float(f"{value:.3g}") if value < 1000 else round(value)


def figure_of(results, suite, wanted, unit, is_own):
    """A figure of a suite with the name of its run, which is put among the others; none where it may be missing."""
    found = found_in(results["suites"][suite]["reports"], wanted, unit)
    if found is None:
        return None
    value, name, document = found
    value *= wanted.get("times", 1)
    if "over" in wanted:
        value /= found_in(results["suites"][suite]["reports"], {**wanted, **wanted["over"]}, unit)[0]
    run = {"program": wanted.get("as", name.split(",")[0]), "date": document["date"][:10], "device": document["device"],
           "driver": document["driver"].removeprefix("NVIDIA ")}
    if is_own:
        run.update(program=f"aureole bench {document['benchmark']}", commit=results["suites"][suite]["commit"])
    label = " ".join(run.values())
    results["runs"][label] = run
    return [figure_text(value), label]


def rows_of_cells(results, table):
    """The rows of a table that is all of one suite, and the runs of its figures."""
    rows, runs = [], []
    for row in table["rows"]:
        figures = []
        for cell in table["cells"]:
            wanted = {**cell, "where": {**cell.get("where", {}), **row["where"]}}
            wanted["table"] = row.get("table", {}).get(wanted["table"], wanted["table"])
            is_own = cell.get("begins", [""]) == ["aureole"] or cell.get("own", False)
            figures.append(figure_of(results, table["suite"], wanted, table["unit"], is_own))
        rows.append([row["what"]] + [figure and figure[0] for figure in figures])
        runs += [figure[1] for figure in figures if figure]
    return rows, list(dict.fromkeys(runs))


def resolve(results):
    """Puts the figures of suites, and the runs that these are of, where tables and rows only say where they are."""
    for suite in results.get("suites", {}).values():
        suite["reports"] = json.loads((RESULTS.parent / suite["file"]).read_text())["reports"]
    tables = {name: table for name, table in results.items() if isinstance(table, dict) and "pages" in table}
    for name, table in tables.items():
        if "like" in table:
            results[name] = tables[name] = table = {**tables[table["like"]], **table}
    for table in tables.values():
        if "cells" in table:
            table["made"], table["runs"] = rows_of_cells(results, table)
        for row in table["rows"]:
            if isinstance(row, dict) and "suite" in row:
                row["aureole"] = figure_of(results, row["suite"], row["own"], row["unit"], True)
                row["peer"] = figure_of(results, row["suite"], row["peer"], row["unit"], False)


def name_of(run):
    return run["program"].split(",")[0]


def cells_of(row, runs):
    """The cells of a row, which is a list of them or a comparison with a peer."""
    if isinstance(row, list):
        return [shown(value) for value in row]
    unit = row["unit"]
    peer = runs[row["peer"][1]]
    return [row["what"], f"{shown(row['aureole'][0])} {unit}", f"{shown(row['peer'][0])} {unit}, {name_of(peer)}",
            ratio(row)]


def names_of_runs(table):
    """The runs that a table's figures are of, each once, in the order of the table."""
    names = list(table.get("runs", []))
    for row in table["rows"]:
        names += [row[key][1] for key in ("aureole", "peer") if isinstance(row, dict) and key in row]
    return list(dict.fromkeys(names))


def origins(table, runs):
    """For each device and driver a sentence of which programs the figures are, and when they were measured."""
    machines = {}
    for name in names_of_runs(table):
        run = runs[name]
        commit = f" at {run['commit']}" if "commit" in run else ""
        machines.setdefault(f"{run['device']}, driver {run['driver']}", []).append(
            f"{run['program']}{commit} ({run['date']})")
    lines = []
    for machine, programs in machines.items():
        text = f"{machine[0].upper()}{machine[1:]}: {'; '.join(programs)}."
        lines += textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)
    return lines


def lines_of(table, runs):
    columns = table["columns"]
    rows = [columns, ["---"] + ["---:"] * (len(columns) - 1)]
    rows += [cells_of(row, runs) for row in table.get("made", table["rows"])]
    return ["| " + " | ".join(row) + " |" for row in rows] + [""] + origins(table, runs)


def filled(name, text, results):
    """The page with its tables; its other lines stay."""
    for table in re.findall(r"<!-- results (\S+) -->\n", text):
        if name not in results.get(table, {}).get("pages", []):
            sys.exit(f"error: {name}: found the table '{table}', which {RESULTS.name} does not have for this page")
        begin = f"<!-- results {table} -->\n"
        made = begin + "\n".join(lines_of(results[table], results["runs"])) + "\n" + END
        text = re.sub(re.escape(begin) + ".*?" + re.escape(END), lambda _, made=made: made, text, flags=re.DOTALL)
    return text


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("usage: tools/results.py [--check]")
    results = json.loads(RESULTS.read_text())
    resolve(results)
    tables = {name: table for name, table in results.items() if isinstance(table, dict) and "pages" in table}
    for name in sorted({page for table in tables.values() for page in table["pages"]}):
        page = ROOT / name
        text = page.read_text()
        for table in (table for table, value in tables.items() if name in value["pages"]):
            if f"<!-- results {table} -->\n" not in text:
                sys.exit(f"error: {name}: found no line '<!-- results {table} -->', expected one for that table")
        made = filled(name, text, results)
        if not arguments:
            page.write_text(made)
        elif made != text:
            sys.exit(f"error: {name} is not what {RESULTS.name} says; run tools/results.py and commit both")


if __name__ == "__main__":
    main(sys.argv[1:])
