#!/usr/bin/env python3
"""Renders models and pictures from strangers: each must give a picture or a clear error, never a signal or a hang.

    tests/files/run.py PROGRAM [FOLDER...] [--made]

Every model of an extension that aureole reads is rendered by itself; every picture as a texture, as an environment and
as a kernel of bloom, where it may be one. A table says what became of them. Ends with status 1 where there is a fault:
a signal, a hang, an exit code other than 0 and 3, an error that does not name the file, anything left behind.
"""

import argparse
import collections
import concurrent.futures
import os
import sys
import tempfile
from pathlib import Path

import made
from trial import ERROR, FAULT, MODELS, PICTURE, ROLES, Runner, Trial, extension_of


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="aureole")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="of files of one origin")
    parser.add_argument("--made", action="store_true", help="also extremes that are made for the purpose")
    parser.add_argument("--most", type=int, default=0, metavar="N",
                        help="of each extension and folder, only N files, evenly spread")
    parser.add_argument("--backend", choices=["gpu", "reference"], default="gpu")
    parser.add_argument("--seconds", type=float, default=180.0, help="after which a run counts as hung (%(default)g)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at the same time (%(default)s)")
    parser.add_argument("--log", type=Path, metavar="FILE", help="what was said of each file")
    arguments = parser.parse_args()
    if not arguments.folders and not arguments.made:
        parser.error("found neither a folder nor --made, expected something to try")
    for folder in arguments.folders:
        if not folder.is_dir():
            parser.error(f"{folder}: found no folder, expected one of models and pictures")
    arguments.program = arguments.program.resolve()
    return arguments


def spread(files, most):
    """At most that many of them (0: all), evenly spread."""
    if most == 0 or len(files) <= most:
        return files
    return [files[i * len(files) // most] for i in range(most)]


def trials_of(folder, most):
    by_extension = collections.defaultdict(list)
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_file() and extension_of(path) in [*MODELS, *ROLES]:
                by_extension[extension_of(path)].append(path)
    origin = folder.resolve().name
    for extension, files in sorted(by_extension.items()):
        for path in spread(files, most):
            for role in ROLES.get(extension, ["model"]):
                yield Trial(origin, path, role)


def check_made(case, outcome):
    """Makes a fault of an outcome that is not what the case was made for."""
    if outcome.kind == FAULT:
        return
    if case.expected not in (outcome.kind, "either"):
        outcome.why = f"{outcome.kind}, expected {case.expected}"
        outcome.kind = FAULT
    elif case.words.encode() not in outcome.messages:
        outcome.why = f"expected '{case.words}' in its messages"
        outcome.kind = FAULT


def run_all(runner, trials, cases, jobs):
    """Yields (trial, outcome) in the order of trials."""
    def run(trial):
        outcome = runner.run(trial)
        if trial.path in cases:
            check_made(cases[trial.path], outcome)
        return outcome

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from zip(trials, pool.map(run, trials))


def log_outcome(log, trial, outcome):
    words = [outcome.kind, trial.role, str(trial.path)] + ([outcome.why] if outcome.why else [])
    log.write("  ".join(words).encode("utf-8", "surrogateescape") + b"\n")
    for line in outcome.messages.splitlines():
        if line.startswith((b"aureole: error", b"warning")) or outcome.kind == FAULT:
            log.write(b"    " + line[:2000] + b"\n")


class Table:
    """Counts by extension and origin."""

    COLUMNS = ["runs", "pictures", "dark", "errors", "contained", "faults"]

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.files = set()

    def add(self, trial, outcome):
        self.files.add(trial.path)
        for key in ((trial.format, trial.origin), ("all", "")):
            row = self.rows[key]
            row["runs"] += 1
            row["pictures"] += outcome.kind == PICTURE
            row["dark"] += outcome.dark
            row["errors"] += outcome.kind == ERROR
            row["contained"] += outcome.contained
            row["faults"] += outcome.kind == FAULT

    def print(self):
        widest = max(len(origin) for _, origin in self.rows)
        print(f"{'format':6}  {'origin':{widest}}" + "".join(f"{name:>11}" for name in self.COLUMNS))
        for key in sorted(self.rows, key=lambda key: (key[0] == "all", key)):
            numbers = "".join(f"{self.rows[key][name]:>11}" for name in self.COLUMNS)
            print(f"{key[0]:6}  {key[1]:{widest}}{numbers}")
        print(f"{len(self.files)} files; dark: pictures that are black; contained: errors of readers that died or met "
              "a limit")


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="aureole-files-") as scratch:
        runner = Runner(arguments.program, Path(scratch), arguments.seconds, arguments.backend)
        trials = [trial for folder in arguments.folders for trial in trials_of(folder, arguments.most)]
        cases = made.write_all(Path(scratch, "made")) if arguments.made else []
        trials += [trial for trial, _ in cases]
        if not trials:
            sys.exit(f"found no file of an extension that aureole reads: {', '.join([*MODELS, *ROLES])}")
        table = Table()
        with open(arguments.log or os.devnull, "wb") as log:
            for trial, outcome in run_all(runner, trials, {trial.path: case for trial, case in cases}, arguments.jobs):
                table.add(trial, outcome)
                log_outcome(log, trial, outcome)
                if outcome.kind == FAULT:
                    print(f"FAULT: {trial.path} ({trial.role}): {outcome.why}", flush=True)
        table.print()
        return 1 if table.rows["all", ""]["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
