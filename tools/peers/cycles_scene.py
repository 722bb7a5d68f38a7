"""A Blender scene for Cycles of what convert.py wrote."""

import json
import math
from array import array

import bpy
import triangles
from mathutils import Matrix, Vector


def to_blender(v):
    """Y up to Z up."""
    return Vector((v[0], -v[2], v[1]))


def turned(values):
    """Likewise for a flat array of vectors."""
    result = array("f", values)
    result[1::3] = array("f", (-z for z in values[2::3]))
    result[2::3] = values[1::3]
    return result


def add_mesh(settings, path, name, material):
    positions, normals, indices = triangles.read_ply(path)
    positions, normals = turned(positions), turned(normals)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(positions) // 3)
    mesh.vertices.foreach_set("co", positions)
    mesh.loops.add(len(indices))
    mesh.loops.foreach_set("vertex_index", indices)
    mesh.polygons.add(len(indices) // 3)
    mesh.polygons.foreach_set("loop_start", array("i", range(0, len(indices), 3)))
    mesh.update(calc_edges=True)
    mesh.polygons.foreach_set("use_smooth", array("b", [1]) * (len(indices) // 3))
    mesh.normals_split_custom_set_from_vertices(list(zip(*[iter(normals)] * 3)))
    mesh.materials.append(material)
    settings.collection.objects.link(bpy.data.objects.new(name, mesh))


class Nodes:
    """Makes the shader of a material."""

    def __init__(self, tree):
        self.tree = tree

    def make(self, kind, **inputs):
        node = self.tree.nodes.new(kind)
        for key, value in inputs.items():
            values = (*value, 1) if isinstance(value, (list, tuple)) else value
            node.inputs[key.replace("_", " ")].default_value = values
        return node

    def join(self, kind, *inputs):
        node = self.tree.nodes.new(kind)
        for place, source in enumerate(inputs):
            self.tree.links.new(node.inputs[place], source.outputs[0])
        return node

    def metal(self, part):
        """What single scattering loses is given back, and with a white edge the model F82 is Schlick's."""
        node = self.make("ShaderNodeBsdfMetallic", Base_Color=part["albedo"], Roughness=part["roughness"])
        node.fresnel_type, node.distribution = "F82", "MULTI_GGX"
        node.inputs["Edge Tint"].default_value = (1, 1, 1, 1)
        return node

    def coated(self, part):
        glossy = self.make("ShaderNodeBsdfAnisotropic", Color=[1, 1, 1], Roughness=part["roughness"])
        glossy.distribution = "MULTI_GGX"
        return self.join(
            "ShaderNodeMixShader",
            self.make("ShaderNodeFresnel", IOR=part["ior"]),
            self.make("ShaderNodeBsdfDiffuse", Color=part["albedo"], Roughness=0.0),
            glossy,
        )

    def glass(self, part):
        node = self.make("ShaderNodeBsdfGlass", Color=part["albedo"], Roughness=part["roughness"], IOR=part["ior"])
        node.distribution = "MULTI_GGX" if part["roughness"] > 0 else "BECKMANN"
        return node

    def lambert(self, part):
        return self.make("ShaderNodeBsdfDiffuse", Color=part["albedo"], Roughness=0.0)

    def emission(self, radiance):
        strength = max(radiance)
        return self.make("ShaderNodeEmission", Color=[e / strength for e in radiance], Strength=strength)


def material_of(part):
    material = bpy.data.materials.new(part["name"])
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    nodes, output = Nodes(tree), tree.nodes.new("ShaderNodeOutputMaterial")
    surface = getattr(nodes, part["kind"])(part)
    if any(part.get("absorption", [0])):
        # The coefficient is (1 - colour) * density.
        density = max(part["absorption"])
        medium = nodes.make(
            "ShaderNodeVolumeAbsorption", Color=[1 - a / density for a in part["absorption"]], Density=density
        )
        tree.links.new(output.inputs["Volume"], medium.outputs[0])
    if any(part["emission"]):
        light = nodes.emission(part["emission"])
        surface = nodes.join("ShaderNodeAddShader", surface, light) if any(part["albedo"]) else light
        material.cycles.emission_sampling = "FRONT_BACK" if "back" in part else "FRONT"
    tree.links.new(output.inputs["Surface"], surface.outputs[0])
    return material


def add_camera(settings, camera):
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.angle_y = "VERTICAL", math.radians(camera["vertical_fov"])
    data.clip_start, data.clip_end = 1e-3, 1e5
    if camera["aperture"] > 0:
        data.dof.use_dof, data.dof.focus_distance = True, camera["focus"]
        # The radius is focal length / (2 f-number); the focal length is in millimetres.
        data.dof.aperture_fstop = data.lens * 1e-3 / (2 * camera["aperture"])
    placed = bpy.data.objects.new("camera", data)
    position, target = to_blender(camera["position"]), to_blender(camera["target"])
    back = (position - target).normalized()
    right = to_blender(camera["up"]).cross(back).normalized()
    placed.matrix_world = Matrix.Translation(position) @ Matrix((right, back.cross(right), back)).transposed().to_4x4()
    settings.collection.objects.link(placed)
    settings.camera = placed


def add_sky(settings, sky):
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    settings.world = world
    background = world.node_tree.nodes["Background"]
    background.inputs["Strength"].default_value = 1
    if "radiance" in sky:
        background.inputs["Color"].default_value = (*sky["radiance"], 1)
        return
    image = bpy.data.images.new("sky", 64, len(sky["rows"]), float_buffer=True, is_data=True)
    # Blender's first row is the lowest.
    image.pixels.foreach_set(array("f", (c for row in reversed(sky["rows"]) for c in [*row, 1.0] * 64)))
    image.update()
    texture = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    texture.image = image
    world.node_tree.links.new(background.inputs["Color"], texture.outputs[0])


def add_sun(settings, sun):
    lamp = bpy.data.lights.new("sun", "SUN")
    strongest = max(sun["irradiance"])
    lamp.energy, lamp.color = strongest, [e / strongest for e in sun["irradiance"]]
    lamp.angle = math.radians(sun["diameter"])
    placed = bpy.data.objects.new("sun", lamp)
    placed.rotation_euler = to_blender(sun["direction"]).to_track_quat("Z", "Y").to_euler()
    settings.collection.objects.link(placed)


def load(folder, size):
    """Blender's scene of that in `folder`; a size of (0, 0) is the scene's own."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    settings = bpy.context.scene
    converted = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    for part in converted["parts"]:
        add_mesh(settings, folder / part["ply"], part["name"], material_of(part))
    add_camera(settings, converted["camera"])
    add_sky(settings, converted["environment"])
    if "sun" in converted["environment"]:
        add_sun(settings, converted["environment"]["sun"])
    render = settings.render
    render.resolution_x, render.resolution_y = size if size[0] else converted["size"]
    render.resolution_percentage = 100
    return settings
