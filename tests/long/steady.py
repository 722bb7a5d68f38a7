"""One render of many minutes: flat memory, true progress, checkpoints on time, right light."""

import json
import subprocess

import checks
import exr
import scenes
import watch

ALBEDO = (0.5, 0.25, 0.75)


def measuredSpeed(options, scene, folder, seconds):
    """Samples per pixel and second, and whether the device is the processor."""
    stats = folder / "speed.json"
    command = [options.aureole, "render", scene, "-o", folder / "speed.exr", "--spp", "100000000"]
    command += ["--time", f"{seconds:g}s", "--aov", "variance", "--stats-json", stats, "--progress", "none"]
    words = [str(word) for word in [*command, *options.render]]
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL, timeout=10 * seconds + 300)
    figures = json.loads(stats.read_text())
    software = "llvmpipe" in figures["device"]
    return figures["samples"] / figures["seconds"]["render"], software


def run(options, folder):
    """The figures of the render, and its checks."""
    wanted = 60 * options.minutes
    every = max(2.0, min(60.0, wanted / 20))
    scene = scenes.write(folder / "box.json", scenes.boxScene(ALBEDO))
    speed, software = measuredSpeed(options, scene, folder, max(3.0, min(30.0, wanted / 20)))
    samples = max(1, round(speed * wanted / 8)) * 8  # what a checkpoint holds
    checkpoint, stats = folder / "box.ckpt", folder / "box.stats.json"
    command = [options.aureole, "render", scene, "-o", folder / "box.exr", "--spp", str(samples), "--aov", "variance"]
    command += ["--checkpoint", checkpoint, "--every", f"{every:g}s", "--stats-json", stats, "--progress", "json"]
    record = watch.watch([str(word) for word in [*command, *options.render]], checkpoint, 10 * wanted + 300)
    if record.code != 0:
        return {}, [checks.Check("end", f"code {record.code}: {record.log[-1:]}", False)]
    figures = json.loads(stats.read_text())
    image, _ = exr.read(folder / "box.exr")
    done = figures["samples"]
    found = [
        checks.Check("samples", f"{done} per pixel, {figures['rays']} rays", done == samples),
        *checks.memoryChecks(record.usage, record.ended - record.lines[-1].seconds, record.ended),
        *checks.progressChecks(record.lines, record.seconds, figures["seconds"]["render"]),
        *checks.etaChecks(record.lines, software),
        *checks.saveChecks(record.saves, every, record),
        *checks.radianceChecks(image, scenes.boxRadiance(ALBEDO)),
    ]
    warnings = [line for line in record.log if not line.startswith("info")]
    found.append(checks.Check("warnings", "; ".join(warnings) or "none", not warnings))
    return {"device": figures["device"], "seconds": record.seconds, "samples": samples, "rays": figures["rays"]}, found
