"""Renders with Blender's Cycles what compare.py asks for (worker.py)."""

import pathlib
import time

import worker

BOUNCES = 128


def unbias(settings, device):
    """Turns off what makes Cycles faster and wrong: clamps, thresholds, filters and few bounces."""
    settings.render.engine = "CYCLES"
    cycles = settings.cycles
    cycles.device = "CPU" if device == "CPU" else "GPU"
    cycles.use_adaptive_sampling = cycles.use_denoising = cycles.use_guiding = cycles.use_auto_tile = False
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = cycles.light_sampling_threshold = cycles.blur_glossy = 0
    cycles.caustics_reflective = cycles.caustics_refractive = cycles.use_light_tree = True
    cycles.pixel_filter_type, cycles.sampling_pattern = "BOX", "TABULATED_SOBOL"
    for name in ("max", "diffuse", "glossy", "transmission", "transparent_max", "volume"):
        setattr(cycles, f"{name}_bounces", BOUNCES)
    settings.render.use_persistent_data = True  # the scene stays on the device between renders
    settings.render.film_transparent = settings.render.use_compositing = settings.render.use_sequencer = False
    settings.view_settings.view_transform = "Raw"
    image = settings.render.image_settings
    image.file_format, image.color_depth, image.color_mode, image.exr_codec = "OPEN_EXR", "32", "RGB", "NONE"


def choose_device(bpy, kind):
    """The names of the devices that render."""
    if kind == "CPU":
        return "CPU"
    preferences = bpy.context.preferences.addons["cycles"].preferences
    preferences.compute_device_type = kind
    preferences.get_devices()
    used = []
    for device in preferences.devices:
        device.use = device.type == kind
        used += [device.name] if device.use else []
    if not used:
        raise RuntimeError(f"Cycles found no {kind} device, expected one; --cycles-device names other kinds")
    return f"{kind} {', '.join(used)}"


def start(folder, size, device):
    import bpy
    import cycles_scene

    settings = cycles_scene.load(pathlib.Path(folder), size)
    unbias(settings, device)
    used = choose_device(bpy, device)

    def render(spp, seed, file):
        """Seconds with the file's writing and what Cycles does before a render; the same for few samples and many."""
        settings.cycles.samples, settings.cycles.seed = spp, seed
        settings.render.filepath = file
        started = time.perf_counter()
        bpy.ops.render.render(write_still=True)
        return time.perf_counter() - started

    return {"version": bpy.app.version_string, "device": used}, render


if __name__ == "__main__":
    worker.serve(start)
