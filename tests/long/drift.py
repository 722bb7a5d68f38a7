"""A million samples of each pixel: sums that lose nothing. A sum of plain floats would be wrong by a hundredth."""

import json
import math
import subprocess

import checks
import exr
import scenes

ALBEDO = (0.2, 0.1, 0.5)
PARTS = 4
EXACT = 1e-6  # relative


def render(options, scene, output, more):
    stats = output.with_suffix(".json")
    command = [options.aureole, "render", scene, "-o", output, "--size", "8x8", "--stats-json", stats, *more]
    subprocess.run([str(word) for word in command], check=True, stderr=subprocess.PIPE, text=True, timeout=7200)
    return exr.read(output)[0], json.loads(stats.read_text())


def constantCheck(options, folder, backend):
    """Every sample is the same float, and so is their mean."""
    scene = scenes.write(folder / "sky.json", scenes.skyScene())
    image, figures = render(options, scene, folder / f"sky.{backend[0]}.exr", ["--spp", options.samples, *backend[1]])
    error = checks.largest(
        abs(value - truth) / truth for name, truth in zip("RGB", scenes.EMISSION) for value in image[name]
    )
    right = error <= EXACT and figures["samples"] == options.samples
    return checks.Check(f"{backend[0]}: constant", f"wrong by {error:.1e}, limit {EXACT:g}", right)


def partsCheck(options, folder, backend, scene, whole):
    """The whole against the mean, in double precision, of parts that are a fraction as long."""
    ends = [options.samples * part // PARTS // 8 * 8 for part in range(PARTS)] + [options.samples]
    sums = {name: [0.0] * len(whole[name]) for name in "RGB"}
    for first, end in zip(ends, ends[1:]):
        more = ["--samples", f"{first}:{end}", "--aov", "variance", *backend[1]]
        part, _ = render(options, scene, folder / "part.exr", more)
        for name in "RGB":
            sums[name] = [total + (end - first) * value for total, value in zip(sums[name], part[name])]
    errors, noise = [], math.inf
    for name in "RGB":
        for total, value, variance in zip(sums[name], whole[name], whole[f"variance.{name}"]):
            errors.append(abs(value - total / options.samples) / value)
            noise = min(noise, math.sqrt(variance) / value)
    error = checks.largest(errors)
    text = f"differs from {PARTS} parts by {error:.1e}, limit {EXACT:g}; noise of a pixel {noise:.1e}"
    return checks.Check(f"{backend[0]}: sum", text, error <= EXACT)


def run(options, folder):
    found = []
    for backend in (("device", options.device), ("reference", ["--backend", "reference"])):
        found.append(constantCheck(options, folder, backend))
        scene = scenes.write(folder / "drift.json", scenes.boxScene(ALBEDO))
        more = ["--spp", options.samples, "--aov", "variance", *backend[1]]
        whole, figures = render(options, scene, folder / f"box.{backend[0]}.exr", more)
        text = f"{figures['samples']} per pixel in {figures['seconds']['render']:.1f} s"
        found.append(checks.Check(f"{backend[0]}: samples", text, figures["samples"] == options.samples))
        for check in checks.radianceChecks(whole, scenes.boxRadiance(ALBEDO)):
            found.append(check._replace(name=f"{backend[0]}: {check.name}"))
        found.append(partsCheck(options, folder, backend, scene, whole))
    return found
