#!/usr/bin/env python3
"""Checks that every #include obeys the table of who may use whom, and that no headers include each other in a circle.

Usage: layering.py REPOSITORY
"""

import pathlib
import re
import sys

# Which modules of src each module may include, besides itself. "shared" is shaders/shared.
# The same table, in words, is in CONTRIBUTING.md.
MAY_USE = {
    "core": [],
    "gpu": ["core"],
    "sandbox": ["core"],
    "ranks": ["core"],
    "settings": ["core"],
    "image": ["core", "sandbox", "settings"],
    "model": ["core", "settings", "image", "shared"],
    "import": ["core", "sandbox", "settings", "image", "model"],
    "worker": ["sandbox", "image", "import"],
    "sky": ["core", "settings", "image"],
    "scene": ["core", "sandbox", "settings", "image", "model", "import", "sky", "shared"],
    "film": ["core", "image", "settings", "scene", "shared"],
    "integrator": ["core", "settings", "model", "sky", "scene", "shared"],
    "voxel": ["core", "settings", "image", "model", "import", "scene", "integrator", "shared"],
    "scan": ["core", "gpu", "shared"],
    "fft": ["core", "gpu", "shared"],
    "texture": ["core", "gpu", "shared"],
    "bloom": ["core", "settings", "image", "gpu", "scan", "fft", "shared"],
    "denoise": ["core", "settings", "image", "gpu", "shared"],
    "render": ["core", "settings", "image", "model", "scene", "film", "integrator", "voxel", "gpu", "shared"],
    "reference": ["core", "settings", "image", "model", "scene", "film", "integrator", "voxel", "shared"],
    "stream": ["core", "gpu", "render", "scan", "shared"],
    "session": ["core", "gpu", "sandbox", "ranks", "settings", "image", "model", "import", "scene", "film", "integrator",
                "voxel", "texture", "bloom", "denoise", "render", "reference", "shared"],
    "cli": ["core", "gpu", "sandbox", "ranks", "settings", "image", "model", "import", "scene", "film", "integrator",
            "voxel", "texture", "bloom", "denoise", "render", "reference", "session", "shared"],
    "bench": ["core", "gpu", "sandbox", "settings", "image", "import", "scene", "film", "integrator", "voxel", "scan", "fft",
              "texture", "bloom", "denoise", "render", "stream", "session", "cli", "shared"],
    "shared": [],
}

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
        generated = name == f"{module}_shaders.h" or (name.startswith(f"{module}_") and name.endswith("_variants.h"))
        return None if generated else f'includes are written "module/{name}"'
    if first not in MAY_USE:
        return f"there is no module {first}"
    if first != module and first not in MAY_USE[module]:
        return f"{module} may not use {first}, only: {', '.join(MAY_USE[module]) or 'nothing'}"
    return None


def shaderComplaint(quoted, name):
    """The same for a shader: it includes shared headers and .glsl files, by their folder."""
    if quoted and (name.startswith("shared/") or ("/" in name and name.endswith(".glsl"))):
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
            sys.exit(f"{path}: {module} is not in the table of {__file__}")
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
