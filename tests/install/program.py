"""The built program, and what its help says: the oracle of the manual pages and of the completion."""

import functools
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.argv[1])


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=120, **options)


@functools.cache
def help_of(command):
    result = run(*command, "--help")
    assert result.returncode == 0, result.stderr
    return result.stdout


def commands(parent=()):
    """Every command as a tuple of words, from the lists of commands in the help."""
    found = [parent]
    listed = re.findall(r"^(?:Commands|Benchmarks|Reports):\n((?:  .*\n)+)", help_of(parent), re.MULTILINE)
    for name in re.findall(r"^  ([a-z]+) ", "".join(listed), re.MULTILINE):
        found += commands((*parent, name))
    return found


def options(command):
    """What the help of a command lists: (names, word for the value or "")."""
    # A help text is at least two spaces further on.
    lines = re.findall(r"^  (?:(-[a-zA-Z]),)?(--[a-z-]+)(?: (?!Excludes:)(\S+))?", help_of(command), re.MULTILINE)
    return [([short] * bool(short) + [name], value) for short, name, value in lines]


def words(command):
    return " ".join(("aureole", *command))
