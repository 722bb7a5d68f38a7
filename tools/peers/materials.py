"""Materials in the form that all renderers of the comparison get.

A dictionary: "kind" (lambert, coated, metal or glass), "albedo" and "emission" (three numbers each; the emission is
radiance), and by kind "roughness" (the root of GGX's alpha), "ior", "absorption" (per unit of length). What is not
compared is refused by ValueError."""

KEYS = {"model", "albedo", "roughness", "metalness", "ior", "absorption", "emission", "emissionStrength"}


def vector(value, place):
    """Three numbers, of one or three."""
    values = value if isinstance(value, list) else [value] * 3
    if len(values) != 3 or not all(isinstance(v, (int, float)) for v in values):
        raise ValueError(f"{place}: found {value!r}, expected a number or three")
    return [float(v) for v in values]


def of_scene(description, place):
    """Of a scene's material; an albedo that is a checker stays the scene's description of it."""
    unknown = sorted(set(description) - KEYS)
    if unknown:
        raise ValueError(f"{place}/{unknown[0]}: found a key that is not compared, expected {', '.join(sorted(KEYS))}")
    model = description.get("model")
    if model is None:
        model = "metallic-roughness" if {"roughness", "metalness"} & set(description) else "lambert"
    strength = description.get("emissionStrength", 1)
    material = {"emission": [e * strength for e in vector(description.get("emission", 0), f"{place}/emission")]}
    if model == "lambert":
        material.update(kind="lambert")
    elif model == "metallic-roughness":
        metalness = description.get("metalness", 0)
        if metalness not in (0, 1):
            raise ValueError(f"{place}/metalness: found {metalness}, expected 0 or 1")
        material.update(
            kind="metal" if metalness else "coated",
            roughness=description.get("roughness", 1),
            ior=description.get("ior", 1.5),
        )
    elif model == "dielectric":
        material.update(
            kind="glass",
            roughness=description.get("roughness", 0),
            ior=description.get("ior", 1.5),
            absorption=vector(description.get("absorption", 0), f"{place}/absorption"),
        )
    else:
        raise ValueError(f"{place}/model: found {model!r}, expected lambert, metallic-roughness or dielectric")
    albedo = description.get("albedo", 1 if model == "dielectric" else 0.8)
    material["albedo"] = albedo if isinstance(albedo, dict) else vector(albedo, f"{place}/albedo")
    return material


def of_gltf(material, place):
    """Of a material as glTF says it."""
    surface = material.get("pbrMetallicRoughness", {})
    strength = material.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
    return of_scene(
        {
            "model": "metallic-roughness",
            "albedo": surface.get("baseColorFactor", [1, 1, 1, 1])[:3],
            "metalness": surface.get("metallicFactor", 1),
            "roughness": surface.get("roughnessFactor", 1),
            "emission": material.get("emissiveFactor", [0, 0, 0]),
            "emissionStrength": strength,
        },
        place,
    )
