"""Very many small frames: flat memory, and each of them there."""

import checks
import scenes
import watch

ALBEDO = (0.5, 0.25, 0.75)
SECONDS_OF_FRAME = 1.0  # at the most
SEEN = ("memory of the host", "open files")


def run(options, parent, backend):
    """The checks of a turn within a box."""
    count, folder = options.frames, parent / backend
    folder.mkdir()
    scene = scenes.boxScene(ALBEDO)
    scene["animation"] = {"camera": "inside", "turntable": {"frames": count}}
    file = scenes.write(folder / "frames.json", scene)
    command = [options.aureole, "render", file, "-o", folder / "frame.#.png", "--frames", f"0:{count}", "--spp", "1"]
    command += ["--size", "8x8", "--progress", "json", "--backend", backend]
    command += options.device if backend == "gpu" else []
    record = watch.watch([str(word) for word in command], folder / "none", 60 + SECONDS_OF_FRAME * count, every=0.5)
    if record.code != 0:
        return [checks.Check("end", f"code {record.code}: {record.log[-1:]}", False)]
    written = sum(1 for _ in folder.glob("frame.*.png"))
    early, late = (record.usage[int(share * len(record.usage))].resident for share in (0.1, 0.95))
    # Threads that encode come and go, and what other programs take of devices is no matter of ours.
    seen = [check for check in checks.memoryChecks(record.usage, 0.0, record.ended) if check.name in SEEN]
    return [
        checks.Check("frames", f"{written} in {record.seconds:.1f} s", written == count),
        checks.Check("after a tenth, all", f"{early / 2**20:.1f}, {late / 2**20:.1f} MiB", True),
        *seen,
    ]
