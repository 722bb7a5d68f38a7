"""How compare.py speaks with a renderer that is a library of Python: by lines of JSON with a process of its own, since
Blender's library wants one version of Python and Mitsuba takes several, and both may crash.

The worker says {"version": ..., "device": ...} when it is ready. Then it is sent {"spp": N, "seed": S, "file": EXR} for
each render and answers {"seconds": T}, or {"error": ...}, after which it ends."""

import json
import os
import sys
import traceback


def serve(start):
    """Runs a worker. `start(folder, size, device)` loads the scene in the folder, with that size of picture or (0, 0)
    for the scene's own, and returns (about, render): a dictionary for the first answer, and a function of (spp, seed,
    file) that writes an EXR file and returns the seconds that rendering took."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print must not come between the answers

    def answer(values):
        print(json.dumps(values), file=answers, flush=True)

    folder, width, height, device = sys.argv[1:]
    try:
        about, render = start(folder, (int(width), int(height)), device)
        answer(about)
        for line in sys.stdin:
            wanted = json.loads(line)
            answer({"seconds": render(wanted["spp"], wanted["seed"], wanted["file"])})
    except Exception as error:  # noqa: BLE001, as libraries raise what they like
        traceback.print_exc()
        answer({"error": f"{type(error).__name__}: {error}"})
