"""Renders an aureole scene with Blender's Cycles, for comparison.

Usage: blender -b --factory-startup --python-exit-code 1 --python tools/peers/cycles.py -- SCENE.json OUT.exr [SPP]
       [--closures]

The scene's surfaces have to come from glTF files that are placed untransformed, with Lambertian materials in place of
some of theirs; its light from them and from a constant environment; film size and camera are the scene's. Bias is turned off where Cycles has it by default: clamping, light
threshold, bounce limits. --closures replaces the importer's Principled shaders by the single closures of the same
meaning (Lambertian diffuse, GGX with multiple scattering, Fresnel coat), to tell differences of materials from those of
light transport.
"""

import json
import math
import pathlib
import sys

import bpy
import numpy
from mathutils import Matrix, Vector

# Debian 12's importer of glTF uses a name that Debian 12's numpy has no more.
numpy.bool = bool


def toBlender(v):
    """Y up to Z up."""
    return Vector((v[0], -v[2], v[1]))


def vec3(value):
    return value if isinstance(value, list) else [value] * 3


def importSurfaces(scene, folder):
    for name, instance in scene["instances"].items():
        if set(instance) - {"asset", "materials"}:
            raise SystemExit(f"instance '{name}' is transformed")
        asset = scene["assets"][instance["asset"]]
        bpy.ops.import_scene.gltf(filepath=str(folder / asset["file"]))
        for replaced, replacement in instance.get("materials", {}).items():
            makeLambertian(bpy.data.materials[replaced], scene["materials"][replacement])


def outputOf(tree):
    return next(n for n in tree.nodes if n.type == "OUTPUT_MATERIAL").inputs["Surface"]


def makeLambertian(material, description):
    if description.get("model") != "lambert":
        raise SystemExit(f"material '{material.name}' is not Lambertian")
    tree = material.node_tree
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.inputs["Color"].default_value = (*vec3(description["albedo"]), 1)
    tree.nodes.remove(next(n for n in tree.nodes if n.type == "BSDF_PRINCIPLED"))
    tree.links.new(outputOf(tree), diffuse.outputs[0])


def addCamera(scene, settings):
    camera = scene["cameras"][scene.get("camera", next(iter(scene["cameras"])))]
    width, height = scene["film"]["size"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle_y = math.radians(camera["verticalFov"])
    thing = bpy.data.objects.new("camera", data)
    position, target = toBlender(camera["position"]), toBlender(camera["target"])
    back = (position - target).normalized()
    right = toBlender(camera.get("up", [0, 1, 0])).cross(back).normalized()
    rotation = Matrix((right, back.cross(right), back)).transposed().to_4x4()
    thing.matrix_world = Matrix.Translation(position) @ rotation
    settings.collection.objects.link(thing)
    settings.camera = thing
    settings.render.resolution_x, settings.render.resolution_y = width, height


def addEnvironment(scene, settings):
    environment = scene["environment"]
    if environment["type"] != "constant":
        raise SystemExit("the environment is not constant")
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*vec3(environment["radiance"]), 1)
    settings.world = world


def closureOf(tree, principled):
    """What the material means, in single closures."""
    value = {key: principled.inputs[key] for key in ("Base Color", "Metallic", "Roughness")}
    colour = tuple(value["Base Color"].default_value)
    roughness = value["Roughness"].default_value
    glossy = tree.nodes.new("ShaderNodeBsdfGlossy")
    glossy.distribution = "MULTI_GGX"
    glossy.inputs["Roughness"].default_value = roughness
    if value["Metallic"].default_value == 1:
        glossy.inputs["Color"].default_value = colour
        return glossy
    glossy.inputs["Color"].default_value = (1, 1, 1, 1)
    diffuse = tree.nodes.new("ShaderNodeBsdfDiffuse")
    diffuse.inputs["Color"].default_value = colour
    fresnel = tree.nodes.new("ShaderNodeFresnel")
    fresnel.inputs["IOR"].default_value = 1.5
    mix = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(mix.inputs[0], fresnel.outputs[0])
    tree.links.new(mix.inputs[1], diffuse.outputs[0])
    tree.links.new(mix.inputs[2], glossy.outputs[0])
    return mix


def replaceByClosures():
    for material in bpy.data.materials:
        tree = material.node_tree
        principled = next((n for n in tree.nodes if n.type == "BSDF_PRINCIPLED"), None) if tree else None
        if principled is None or principled.inputs["Emission Strength"].default_value > 0 and any(
                tuple(principled.inputs["Emission"].default_value)[:3]):
            continue
        closure = closureOf(tree, principled)
        tree.links.new(outputOf(tree), closure.outputs[0])


def unbias(settings, samples):
    settings.render.engine = "CYCLES"
    cycles = settings.cycles
    cycles.samples = samples
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.light_sampling_threshold = 0
    cycles.blur_glossy = 0
    cycles.pixel_filter_type = "BOX"
    for kind in ("max", "diffuse", "glossy", "transmission"):
        setattr(cycles, "max_bounces" if kind == "max" else f"{kind}_bounces", 128)


def main(arguments):
    closures = "--closures" in arguments
    arguments = [a for a in arguments if a != "--closures"]
    path, output = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    scene = json.loads(path.read_text())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    settings = bpy.context.scene
    importSurfaces(scene, path.parent)
    if closures:
        replaceByClosures()
    addCamera(scene, settings)
    addEnvironment(scene, settings)
    unbias(settings, int(arguments[2]) if len(arguments) > 2 else 256)
    image = settings.render.image_settings
    image.file_format, image.color_depth, image.exr_codec = "OPEN_EXR", "32", "ZIP"
    settings.render.filepath = str(output)
    bpy.ops.render.render(write_still=True)


main(sys.argv[sys.argv.index("--") + 1:])
