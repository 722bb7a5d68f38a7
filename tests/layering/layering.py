#!/usr/bin/env python3
"""Checks that every #include obeys the table of CONTRIBUTING.md, and that no headers include each other in a circle.

Usage: layering.py REPOSITORY
"""

import pathlib
import re
import sys

ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|;]*)(?:;[^|]*)? \|$")


def readTable(text):
    """Which modules of src each module may include, besides itself, by the table of CONTRIBUTING.md. "shared" is
    shaders/shared."""
    table = {}
    for line in text[text.index("| module | may use") :].splitlines()[2:]:
        row = ROW.match(line)
        if not row:
            break
        used = re.findall(r"\w+", row.group(2).replace(" and ", " "))
        if used[:3] == ["everything", "above", "but"]:
            used = [module for module in table if module not in used[3:]]
        elif used == ["nothing"]:
            used = []
        table.update({module: used for module in re.findall(r"\w+", row.group(1))})
    return table


MAY_USE = readTable((pathlib.Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text())

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(text):
    """Yields (line number, True for quotes, included name)."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def complaint(module, quoted, name):
    """What is wrong with a file of `module` including `name`, or None."""
    first = name.split("/")[0]
    if not quoted:
        if first == "vulkan" and module != "gpu" and "gpu" not in MAY_USE[module]:
            return f"{module} must know nothing of Vulkan"
        if first in MAY_USE:
            return "the project's own headers are included with quotes"
        return None
    if "/" not in name:
        generated = name == f"{module}_shaders.h" or (name.startswith(f"{module}_") and
                                                      name.endswith(("_variants.h", "_sources.h")))
        return None if generated else f'includes are written "module/{name}"'
    if first not in MAY_USE:
        return f"there is no module {first}"
    if first != module and first not in MAY_USE[module]:
        return f"{module} may not use {first}, only: {', '.join(MAY_USE[module]) or 'nothing'}"
    return None


def shaderComplaint(quoted, name):
    """The same for a shader: it includes shared headers and .glsl files, by their folder, and what others install."""
    if not quoted:
        return None
    if name.startswith("shared/") or ("/" in name and name.endswith(".glsl")):
        return None
    return "a shader includes shared/FOLDER/*.h and FOLDER/*.glsl only"


def checkText(module, text):
    """All complaints about a file's text, as (line, included name, complaint). `module` is "shader" for GLSL files."""
    found = []
    for number, quoted, name in includes(text):
        wrong = shaderComplaint(quoted, name) if module == "shader" else complaint(module, quoted, name)
        if wrong:
            found.append((number, name, wrong))
    return found


def sourceFiles(root):
    """Yields (module, path) of every file to check."""
    for folder in sorted((root / "src").iterdir()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield folder.name, path
    for path in sorted((root / "shaders" / "shared").rglob("*.h")):
        yield "shared", path
    for path in sorted((root / "shaders").rglob("*")):
        if path.suffix in (".comp", ".glsl"):
            yield "shader", path


def circles(graph):
    """The circles of a graph, a set of names that each can be reached from all others for each circle. `graph` has the
    names that each name leads to."""
    reached = {}
    for start in graph:
        reached[start], waiting = set(), list(graph[start])
        while waiting:
            name = waiting.pop()
            if name not in reached[start]:
                reached[start].add(name)
                waiting += graph.get(name, ())
    return {frozenset(other for other in reached[name] if name in reached.get(other, ())) for name in graph
            if name in reached[name]}


def headerGraph(root):
    """Which headers each header includes, all by the names that includes call them by."""
    graph = {}
    for base in (root / "src", root / "shaders"):
        for path in base.rglob("*.h"):
            graph[str(path.relative_to(base))] = {name for _, quoted, name in includes(path.read_text()) if quoted}
    return graph


def main(root):
    count, bad = 0, 0
    for module, path in sourceFiles(root):
        if module != "shader" and module not in MAY_USE:
            sys.exit(f"{path}: {module} is not in the table of CONTRIBUTING.md")
        count += 1
        for number, name, wrong in checkText(module, path.read_text()):
            bad += 1
            print(f'{path.relative_to(root)}:{number}: includes "{name}": {wrong}')
    for circle in circles(headerGraph(root)):
        bad += 1
        print(f"these include each other in a circle: {', '.join(sorted(circle))}")
    if count == 0:
        sys.exit(f"found no source files under {root}")
    print(f"{count} files, {bad} wrong includes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
