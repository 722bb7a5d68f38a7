#!/usr/bin/env python3
"""Fails where an option that some help lists was given to the program by no test, in a run that was not refused.

Usage: options_covered_test.py PROGRAM FOLDER NAME...

Each test program NAME that runs PROGRAM adds to FOLDER/NAME/test_NAME.options whenever it ran
(tests/support/cli_test.cpp): lines of a command, a tab and an option. Remove these files before all tests run.
"""

import pathlib
import re
import subprocess
import sys

# "  -o,--output OUT    ...": names of options stand at the beginning of a line, two spaces in.
OPTION = re.compile(r"^  (?:-[a-z],)?(--[a-z-]+)", re.MULTILINE)
COMMAND = re.compile(r"^  ([a-z]+)  ", re.MULTILINE)


def help_of(program, command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_in(text):
    """The commands, or benchmarks, that a help lists below its heading."""
    return COMMAND.findall(re.split(r"\n(?:Commands|Benchmarks):\n", text, maxsplit=1)[-1].partition("\n\n")[0])


def documented(program):
    """The options of each command, and of each benchmark as "bench NAME"."""
    options = {}
    for command in commands_in(help_of(program, [])):
        text = help_of(program, [command])
        options[command] = set(OPTION.findall(text))
        if command == "bench":
            for name in commands_in(text):
                options[f"bench {name}"] = set(OPTION.findall(help_of(program, ["bench", name])))
    return options


def main(program, folder, *names):
    given = set()
    for name in names:
        record = pathlib.Path(folder, name, f"test_{name}.options")
        if not record.is_file():
            sys.exit(f"{record} is missing: run test_{name} first")
        given.update(tuple(line.split("\t")) for line in record.read_text().splitlines())
    options = documented(program)
    if len(options) < 10 or "bench fft" not in options:
        sys.exit(f"found the commands {sorted(options)} in --help, expected all commands and benchmarks")
    missing = [
        f"no test has '{command}' do what {option} asks for"
        for command, listed in sorted(options.items())
        for option in sorted(listed)
        if (command, "-o" if option == "--output" else option) not in given
    ]
    print("\n".join(missing) or f"{sum(map(len, options.values()))} options of {len(options)} commands are given by tests")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
