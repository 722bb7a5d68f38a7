#!/usr/bin/env python3
"""Checks that the files exist which documents, and comments of src and shaders, name, and that what documents say to be in
a file is there.

Usage: file_names.py REPOSITORY
"""

import pathlib
import re
import sys

TOP = ("src", "shaders", "tests", "tools", "scenes")
PATH = re.compile(rf"(?<![\w/.-])(?:{'|'.join(TOP)})/[\w./*-]*[\w*]")
FILE = re.compile(r"(?<![\w/.*-])(?:[\w-]+/)*[\w-]{2,}\.(?:h|cpp|comp|glsl|py|sh)\b")
# What stands for any name, such as NAME in tests/fuzz/NAME_fuzz.cpp, what users put there themselves, and what is
# installed.
NO_FILE = re.compile(r"[A-Z]{4,}|module/file\.h|scenes/hosek|share/aureole/")


def namesIn(text, isDocument):
    """Yields (line number, name) of the files that a text names."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line if isDocument else line[line.find("//") :] if "//" in line else ""
        for pattern in (PATH, FILE):
            for match in pattern.finditer(words):
                if not NO_FILE.search(match.group()):
                    yield number, match.group()


def missing(text, isDocument, exists):
    """The files that a text names and that `exists` denies, as (line number, name)."""
    return [(number, name) for number, name in namesIn(text, isDocument) if not exists(name)]


# "`NAME` of `FILE`", "`NAME` in `FILE`", "`NAME` (`FILE`)"
SAID = re.compile(r"`(\w+)` (?:(?:of|in) |\()`([\w/-]+\.(?:h|cpp|comp|glsl|py|sh))`")


def notInside(text, contentOf):
    """What a document says to be in a file and is not, as (name, file). `contentOf` gives the text of a file's name."""
    return [(name, file) for name, file in SAID.findall(" ".join(text.split()))
            if not re.search(rf"\b{name}\b", contentOf(file))]


def isThere(root, known):
    """A function that tells whether a name is that of a file, the end of one's path, or a pattern that has some."""
    return lambda name: name in known or (root / name).is_dir() or any(root.glob(name + "*"))


def main(root):
    files = [path.relative_to(root) for top in TOP for path in (root / top).rglob("*") if path.is_file()]
    known = {"/".join(path.parts[i:]) for path in files for i in range(len(path.parts))}
    documents = {root / path for path in files if path.suffix == ".md"} | {root / "README.md", root / "CONTRIBUTING.md"}
    documents -= set((root / "tests" / "bench" / "record").iterdir())  # which tell of files that are gone, too
    sources = [root / path for path in files if path.parts[0] in ("src", "shaders") and path.suffix in
               (".h", ".cpp", ".comp", ".glsl")]
    bad = 0
    for path in sorted(documents) + sorted(sources):
        for number, name in missing(path.read_text(), path in documents, isThere(root, known)):
            bad += 1
            print(f"{path.relative_to(root)}:{number}: names {name}, which is not there")
    for path in sorted(documents):
        inFile = lambda end: "\n".join((root / one).read_text() for one in files if f"/{one}".endswith(f"/{end}"))
        for name, file in notInside(path.read_text(), inFile):
            bad += 1
            print(f"{path.relative_to(root)}: says that {name} is in {file}, which has no such name")
    print(f"{len(documents)} documents and {len(sources)} sources, {bad} names that are not there")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
