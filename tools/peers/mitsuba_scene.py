"""A Mitsuba scene of what convert.py wrote. To be imported once Mitsuba has its variant."""

import json
import math

import mitsuba as mi
import mitsuba_metal

SKY_ROWS = 1025


def rgb(values):
    return {"type": "rgb", "value": list(values)}


def bsdf_of(part):
    kind, alpha = part["kind"], max(part.get("roughness", 0) ** 2, 1e-3)
    if kind == "lambert":
        inner = {"type": "diffuse", "reflectance": rgb(part["albedo"])}
    elif kind == "coated":  # the model of Kelemen and Szirmay-Kalos, as in aureole
        inner = {
            "type": "roughplastic",
            "distribution": "ggx",
            "alpha": alpha,
            "int_ior": part["ior"],
            "ext_ior": 1.0,
            "nonlinear": False,
            "diffuse_reflectance": rgb(part["albedo"]),
        }
    elif kind == "metal":
        fits = [mitsuba_metal.index_of(f0) for f0 in part["albedo"]]
        gains = [mitsuba_metal.compensation(part["roughness"], f0) for f0 in part["albedo"]]
        inner = {
            "type": "roughconductor",
            "distribution": "ggx",
            "alpha": alpha,
            "eta": rgb(n for n, _ in fits),
            "k": rgb(k for _, k in fits),
            "specular_reflectance": {"type": "rawconstant", "value": gains},
        }
    else:
        rough = {"distribution": "ggx", "alpha": part["roughness"] ** 2} if part["roughness"] > 0 else {}
        return {
            "type": "roughdielectric" if rough else "dielectric",
            "int_ior": part["ior"],
            "ext_ior": 1.0,
            "specular_transmittance": rgb(part["albedo"]),
            **rough,
        }
    return {"type": "twosided", "bsdf": inner}


def sensor_of(camera, size):
    sensor = {
        "type": "thinlens" if camera["aperture"] > 0 else "perspective",
        "fov": camera["vertical_fov"],
        "fov_axis": "y",
        "near_clip": 1e-3,
        "far_clip": 1e5,
        "to_world": mi.ScalarTransform4f().look_at(camera["position"], camera["target"], camera["up"]),
        "sampler": {"type": "independent", "sample_count": 16},
        "film": {
            "type": "hdrfilm",
            "width": size[0],
            "height": size[1],
            "pixel_format": "rgb",
            "component_format": "float32",
            "rfilter": {"type": "box"},
        },
    }
    if camera["aperture"] > 0:
        sensor.update(aperture_radius=camera["aperture"], focus_distance=camera["focus"])
    return sensor


def sky_of(rows):
    """An environment map of many rows, as Mitsuba's first and last row are the poles and not next to them."""
    values = []
    for i in range(SKY_ROWS):
        place = min(max(i / (SKY_ROWS - 1) * len(rows) - 0.5, 0), len(rows) - 1)
        low = min(int(place), len(rows) - 2)
        colour = [a + (b - a) * (place - low) for a, b in zip(rows[low], rows[low + 1])]
        values += colour * 4
    return {"type": "envmap", "bitmap": mi.Bitmap(mi.TensorXf(values, (SKY_ROWS, 4, 3))), "scale": 1.0}


def sun_of(sun, reach):
    """A disk that is far away from all that is up to `reach` from the origin."""
    distance = max(5000.0, 1000 * reach)
    half = math.radians(sun["diameter"]) / 2
    radiance = [e / (math.pi * math.sin(half) ** 2) for e in sun["irradiance"]]
    frame = mi.ScalarTransform4f().look_at([d * distance for d in sun["direction"]], [0, 0, 0], [0, 1, 0])
    return {
        "type": "disk",
        "to_world": frame @ mi.ScalarTransform4f().scale(distance * math.tan(half)),
        "bsdf": {"type": "diffuse", "reflectance": rgb([0, 0, 0])},
        "emitter": {"type": "area", "radiance": rgb(radiance)},
    }


def shapes_of(parts, folder):
    shapes = {}
    for i, part in enumerate(parts):
        shape = {"type": "ply", "filename": str(folder / part["ply"]), "bsdf": bsdf_of(part)}
        if any(part["emission"]):
            shape["emitter"] = {"type": "area", "radiance": rgb(part["emission"])}
        shapes[f"part{i}"] = shape
        if "back" in part:
            # The side that lights little is drawn less often.
            shapes[f"part{i}back"] = {
                **shape,
                "filename": str(folder / part["back"]),
                "emitter": {**shape["emitter"], "sampling_weight": 0.25},
            }
    return shapes


def medium_of(medium, folder):
    described = {
        "type": "heterogeneous" if "grid" in medium else "homogeneous",
        "albedo": rgb(medium["albedo"]),
        "phase": {"type": "hg", "g": medium["anisotropy"]},
    }
    if "grid" not in medium:
        return {**described, "sigma_t": rgb(medium["extinction"])}
    density = {
        "type": "gridvolume",
        "filename": str(folder / medium["grid"]),
        "to_world": mi.ScalarTransform4f([*medium["matrix"], [0, 0, 0, 1]]),
        "filter_type": "trilinear",
        "wrap_mode": "clamp",
        "raw": True,
    }
    return {**described, "sigma_t": density}


def cube_of(medium, folder):
    """The bounds of a volume: a surface that turns nothing."""
    whole = mi.ScalarTransform4f().translate([0.5] * 3) @ mi.ScalarTransform4f().scale([0.5] * 3)
    return {
        "type": "cube",
        "to_world": mi.ScalarTransform4f([*medium["matrix"], [0, 0, 0, 1]]) @ whole,
        "bsdf": {"type": "null"},
        "interior": medium_of(medium, folder),
    }


def load(folder, size):
    """(scene, integrator, width, height) of the scene in `folder`; a size of (0, 0) is the scene's own."""
    converted = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    size = size if size[0] else converted["size"]
    sky = converted["environment"]
    description = {
        "type": "scene",
        "sensor": sensor_of(converted["camera"], size),
        **shapes_of(converted["parts"], folder),
    }
    if "rows" in sky:
        description["environment"] = sky_of(sky["rows"])
    elif any(sky["radiance"]):
        description["environment"] = {"type": "constant", "radiance": rgb(sky["radiance"])}
    if "sun" in sky:
        description["sun"] = sun_of(sky["sun"], converted["reach"])
    medium = converted["medium"]
    if medium and "grid" in medium:
        description["volume"] = cube_of(medium, folder)
    elif medium:
        description["sensor"]["medium"] = medium_of(medium, folder)
    absorbs = any(any(part.get("absorption", [0])) for part in converted["parts"])
    # Mitsuba joins meshes of equal materials, which must not be where they absorb differently.
    scene = mi.load_dict(description, optimize=not absorbs)
    settings = {"max_depth": converted["max_depth"] or -1, "rr_depth": 5}
    if medium:
        # From the fifth hit on, roulette would end one path in twenty at each, and double the error of a cloud.
        settings["rr_depth"] = 64 if "grid" in medium else 5
        kind = "volpathmis" if medium["coloured"] else "volpath"
        return scene, mi.load_dict({"type": kind, **settings}), *size
    if not absorbs:
        return scene, mi.load_dict({"type": "path", **settings}), *size
    import mitsuba_absorption

    return scene, mitsuba_absorption.integrator(scene, converted["parts"], settings), *size
