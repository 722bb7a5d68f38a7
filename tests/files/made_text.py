"""MTL, COLLADA, X and FBX as text: nesting, names in no encoding, textures that are missing."""

from case import Case, refused, unharmed
from made_meshes import CORNERS, obj

MATERIAL = "mtllib a.mtl\nusemtl red\n"
LIBRARY = "newmtl red\nKd 1 0 0\n"


def materials():
    plain = obj(CORNERS)
    yield Case("coloured.obj", MATERIAL + plain, beside={"a.mtl": LIBRARY})
    yield Case("no_library.obj", MATERIAL + plain, words="a.mtl")
    yield Case("no_texture.obj", MATERIAL + plain, words="gone.png", beside={"a.mtl": LIBRARY + "map_Kd gone.png\n"})
    yield Case("outside.obj", MATERIAL + plain, words="leaves the scene folder",
               beside={"a.mtl": LIBRARY + "map_Kd ../../../../../etc/passwd\n"})
    yield Case("absolute.obj", MATERIAL + plain, words="absolute path",
               beside={"a.mtl": LIBRARY + "map_Kd /etc/passwd\n"})
    yield unharmed("numbers.obj", MATERIAL + plain, beside={"a.mtl": "newmtl red\nKd nan inf -1e40\nd 7\nNs -1\n"})
    latin = "mtllib größe.mtl\nusemtl größer\n".encode("latin-1")
    yield Case("latin.obj", latin + plain.encode(), words="does not exist")
    many = "".join(f"newmtl m{i}\nKd 0.5 0.5 0.5\n" for i in range(20_000))
    used = "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(20_000))
    yield Case("many_materials.obj", "mtllib a.mtl\n" + plain + used, beside={"a.mtl": many})


def collada(points="0 0 0 1 0 0 0 1 0", indices="0 1 2", node='<instance_geometry url="#g"/>', unit="1"):
    count = len(points.split())
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g" name="Würfel"><mesh>
<source id="p"><float_array id="a" count="{count}">{points}</float_array>
<technique_common><accessor source="#a" count="{count // 3}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">{node}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def colladas():
    yield Case("plain.dae", collada())
    yield refused("huge.dae", collada("0 0 0 1e30 0 0 0 1e30 0"), "1e+30")
    yield Case("inches.dae", collada(unit="0.0254"))
    yield refused("nan.dae", collada("0 0 0 nan 0 0 0 1 0"))
    yield refused("index.dae", collada(indices="0 1 9"))
    yield refused("negative_index.dae", collada(indices="0 1 -9"))
    yield refused("few_indices.dae", collada(indices="0 1"))
    yield unharmed("no_geometry.dae", collada(node='<instance_geometry url="#h"/>'))
    yield unharmed("nested.dae", collada(node="<node>" * 100_000 + "</node>" * 100_000))
    yield unharmed("itself.dae", collada(node='<instance_node url="#n"/>'))
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "laughs"}">' for i in range(10))
    yield unharmed("entities.dae", collada().replace("<COLLADA", f"<!DOCTYPE COLLADA [{entities}]>\n<COLLADA", 1)
                   .replace("Würfel", "&e9;"))
    outside = '<!DOCTYPE COLLADA [<!ENTITY secret SYSTEM "file:///etc/passwd">]>\n<COLLADA'
    yield unharmed("outside.dae", collada().replace("<COLLADA", outside, 1).replace("Würfel", "&secret;"))
    yield refused("cut_short.dae", collada()[:700])
    yield refused("empty.dae", "")


def direct_x(frames=1, index=2):
    mesh = f"Mesh {{ 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,{index};; }}"
    return "xof 0303txt 0032\n" + "Frame a {\n" * frames + mesh + "\n}" * frames + "\n"


def others():
    yield Case("plain.x", direct_x())
    yield Case("nested.x", direct_x(1000))
    yield refused("index.x", direct_x(index=7))
    yield refused("very_nested.x", direct_x(1_000_000))
    yield refused("compressed.x", b"xof 0303tzip0032" + bytes(range(256)))
    yield refused("empty.x", "")
    fbx = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n"
    yield refused("no_object.fbx", fbx)
    yield refused("nested.fbx", fbx + "A: {\n" * 300_000)
    yield refused("empty.fbx", "")


def cases():
    yield from materials()
    yield from colladas()
    yield from others()
