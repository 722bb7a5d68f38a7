#!/usr/bin/env python3
"""Runs tools/sky_figures.sh where it must fail, and says so: without a network, and on wheels that are none.

Usage: sky_figures_test.py REPOSITORY

What it gets is tested in tests/sky/hosek_figures_test.cpp, where AUREOLE_FULL is 1.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

tool = pathlib.Path(sys.argv[1]) / "tools/sky_figures.sh"
faults = []


def expectFailure(message, left, *arguments, **environment):
    """`left` is what stands in the folder "out" afterwards, None where there is no folder."""
    run = subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, **environment})
    if run.returncode == 0 or message not in run.stderr or "error: " not in run.stderr:
        faults.append(f"{arguments}: found status {run.returncode} and:\n{run.stderr}\nexpected: {message}")
    out = folder / "out"
    names = sorted(p.name for p in out.iterdir()) if out.exists() else None
    if names != left:
        faults.append(f"{arguments}: found {names} in the folder, expected {left}")


def writeWheel(name, **members):
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for member, text in members.items():
            wheel.writestr("mitsuba/data/sunsky/" + member.replace("_bin", ".bin"), text)


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    writeWheel("empty.whl")
    writeWheel("other.whl", sunsky_datasets_bin="tensor_file", LICENSE="text")
    (folder / "text.whl").write_text("text")
    expectFailure("usage: ", None)
    expectFailure("usage: ", None, "out", "empty.whl", "more")
    expectFailure("usage: ", None, "--help")
    expectFailure("there is no file none.whl", None, "out", "none.whl")
    expectFailure("text.whl: found no mitsuba/data/sunsky/sunsky_datasets.bin", None, "out", "text.whl")
    expectFailure("empty.whl: found no mitsuba/data/sunsky/sunsky_datasets.bin", None, "out", "empty.whl")
    expectFailure("sunsky_datasets.bin has another SHA-256", None, "out", "other.whl")
    # Port 9 of this machine answers nothing, and pip has nowhere else to look.
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": "",
               "PIP_NO_CACHE_DIR": "1", "PIP_CONFIG_FILE": os.devnull}
    expectFailure("download a wheel of mitsuba 3.9.1 by other means", None, "out", **nowhere)
    (folder / "out").mkdir()
    (folder / "out/sunsky_datasets.bin").write_text("mine")
    expectFailure("another SHA-256", ["sunsky_datasets.bin"], "out", "other.whl")
    if (folder / "out/sunsky_datasets.bin").read_text() != "mine":
        faults.append("a failed run replaced the file that was there")

print("\n".join(faults) or "sky_figures.sh names its faults")
sys.exit(1 if faults else 0)
