"""Reads what 'aureole render --stats-json' wrote, of any version that is read here. Which changes make a version stands
in CONTRIBUTING.md, "Versions of files"; src/core/format_version.h says the same of the other kinds of files."""

import json

OLDEST, NEWEST = 1, 1
READS = str(NEWEST) if OLDEST == NEWEST else f"{OLDEST} to {NEWEST}"


def check_version(file, found):
    """Raises ValueError, with the file and both versions, for statistics that are too new, too old or damaged."""
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise ValueError(f"{file}: the file is damaged: found version {found!r} of statistics, expected {READS}")
    if not OLDEST <= found <= NEWEST:
        age = "a newer" if found > NEWEST else "an older"
        raise ValueError(f"{file}: written by {age} aureole: version {found} of statistics, this one reads {READS}")


def read(file):
    """The statistics by their keys. Raises ValueError for a file that has none, or some of another version."""
    with open(file, encoding="utf-8") as stream:
        figures = json.load(stream)
    check_version(file, figures.get("schema") if isinstance(figures, dict) else None)
    return figures
