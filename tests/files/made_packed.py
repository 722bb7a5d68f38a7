"""Files of chunks and archives (3DS, LWO, VOX, FBX, 3MF): lengths that lie, circles, what grows when unpacked."""

import io
import struct
import zipfile

from case import Case, refused, unharmed
from made_meshes import CORNERS, FACES


def chunk_3ds(number, content, length=None):
    return struct.pack("<HI", number, 6 + len(content) if length is None else length) + content


def file_3ds(vertices=4, index=3, mesh_length=None):
    points = struct.pack("<H", vertices) + b"".join(struct.pack("<3f", *corner) for corner in CORNERS)
    faces = struct.pack("<H", 1) + struct.pack("<4H", 0, 1, index, 7)
    mesh = chunk_3ds(0x4100, chunk_3ds(0x4110, points) + chunk_3ds(0x4120, faces), mesh_length)
    return chunk_3ds(0x4D4D, chunk_3ds(0x3D3D, chunk_3ds(0x4000, b"W\xfcrfel\0" + mesh)))


def chunk_lwo(name, content, length=None):
    return name + struct.pack(">I", len(content) if length is None else length) + content + bytes(len(content) % 2)


def file_lwo(index=3, polygon_length=None):
    points = b"".join(struct.pack(">3f", *corner) for corner in CORNERS)
    polygon = b"FACE" + struct.pack(">4H", 3, 0, 1, index)
    body = chunk_lwo(b"LAYR", bytes(16) + b"n\0") + chunk_lwo(b"PNTS", points)
    return chunk_lwo(b"FORM", b"LWO2" + body + chunk_lwo(b"POLS", polygon, polygon_length))


def chunk_vox(name, content=b"", children=b""):
    return name + struct.pack("<II", len(content), len(children)) + content + children


def file_vox(size=(2, 2, 2), cells=((0, 0, 0, 1), (1, 1, 1, 2)), count=None, more=b""):
    body = chunk_vox(b"SIZE", struct.pack("<3I", *size))
    body += chunk_vox(b"XYZI", struct.pack("<I", len(cells) if count is None else count) +
                      b"".join(struct.pack("<4B", *cell) for cell in cells)) + more
    return b"VOX " + struct.pack("<I", 150) + chunk_vox(b"MAIN", children=body)


def transform_vox(node, child):
    return chunk_vox(b"nTRN", struct.pack("<iiiiiii", node, 0, child, -1, 0, 1, 0))


def group_vox(node, children):
    return chunk_vox(b"nGRP", struct.pack(f"<iii{len(children)}i", node, 0, len(children), *children))


def shape_vox(node, model=0):
    return chunk_vox(b"nSHP", struct.pack("<iiiii", node, 0, 1, model, 0))


def model_3mf(mesh=None, objects="", item="1"):
    if mesh is None:
        mesh = "<vertices>" + "".join('<vertex x="{}" y="{}" z="{}"/>'.format(*corner) for corner in CORNERS)
        mesh += "</vertices><triangles>" + "".join('<triangle v1="{}" v2="{}" v3="{}"/>'.format(*f) for f in FACES)
        mesh += "</triangles>"
    return ('<?xml version="1.0" encoding="UTF-8"?><model unit="millimeter" '
            'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>'
            f'<object id="1" type="model"><mesh>{mesh}</mesh></object>{objects}</resources>'
            f'<build><item objectid="{item}"/></build></model>')


def file_3mf(model, extra=()):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/'
                         'package/2006/content-types"><Default Extension="model" ContentType="application/vnd.ms-'
                         'package.3dmanufacturing-3dmodel+xml"/></Types>')
        archive.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/'
                         'package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="r" Type="http://'
                         'schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>')
        with archive.open("3D/3dmodel.model", "w", force_zip64=True) as file:
            for piece in ([model] if isinstance(model, str) else model):
                file.write(piece.encode())
        for name, content in extra:
            archive.writestr(name, content)
    return packed.getvalue()


def chunks():
    yield Case("plain.3ds", file_3ds())
    yield unharmed("index.3ds", file_3ds(index=9))
    yield unharmed("vertices.3ds", file_3ds(vertices=65535))
    for length in (0, 5, 0x7FFFFFFF, 0xFFFFFFFF):
        yield unharmed(f"length_{length}.3ds", file_3ds(mesh_length=length))
    yield Case("plain.lwo", file_lwo())
    yield unharmed("index.lwo", file_lwo(index=9))
    for length in (0, 3, 0x7FFFFFFF, 0xFFFFFFFF):
        yield unharmed(f"length_{length}.lwo", file_lwo(polygon_length=length))
    fbx = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    yield refused("no_node.fbx", fbx + bytes(13))
    yield refused("length.fbx", fbx + struct.pack("<IIIB", 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 255) + bytes(100))
    yield refused("itself.fbx", fbx + struct.pack("<IIIB", 27, 0, 0, 0) * 1000)
    for extension in ("3ds", "lwo", "vox", "3mf", "glb", "gltf", "avo"):
        yield refused(f"empty.{extension}", b"")
        yield refused(f"zeros.{extension}", bytes(5000))


def voxels():
    yield Case("plain.vox", file_vox())
    yield refused("size.vox", file_vox(size=(2**31, 2**31, 2**31)))
    yield refused("no_size.vox", file_vox(size=(0, 0, 0)))
    yield refused("count.vox", file_vox(count=2**32 - 1))
    yield unharmed("outside.vox", file_vox(cells=((9, 9, 9, 1),)))
    yield refused("circle.vox", file_vox(more=transform_vox(0, 1) + group_vox(1, [0])))
    yield refused("no_child.vox", file_vox(more=transform_vox(0, 7)))
    yield refused("no_model.vox", file_vox(more=transform_vox(0, 1) + shape_vox(1, 5)))
    deep = b"".join(transform_vox(2 * i, 2 * i + 1) + group_vox(2 * i + 1, [2 * i + 2]) for i in range(100_000))
    yield unharmed("deep.vox", file_vox(more=deep + transform_vox(200_000, 200_001) + shape_vox(200_001)))
    # Each group has the next one twice: 2^60 places.
    doubling = b"".join(transform_vox(2 * i, 2 * i + 1) + group_vox(2 * i + 1, [2 * i + 2] * 2) for i in range(60))
    yield unharmed("doubling.vox", file_vox(more=doubling + transform_vox(120, 121) + shape_vox(121)))


def archives():
    yield Case("plain.3mf", file_3mf(model_3mf()))
    yield Case("thumbnail.3mf", file_3mf(model_3mf(), [("Metadata/thumbnail.png", b"no picture")]))
    yield refused("index.3mf", file_3mf(model_3mf().replace('v3="3"', 'v3="9"')))
    yield refused("nan.3mf", file_3mf(model_3mf().replace('x="1"', 'x="nan"')))
    yield refused("no_model.3mf", file_3mf(""))
    yield refused("cut_short.3mf", file_3mf(model_3mf())[:-40])
    # A gigabyte and a half of blanks in the middle of the model.
    before, after = model_3mf().split("<resources>")
    blanks = " " * (1 << 24)
    yield refused("bomb.3mf", file_3mf([before, *[blanks] * 96, "<resources>", after]))
    yield unharmed("nested.3mf", file_3mf(model_3mf(objects="<a>" * 1_000_000 + "</a>" * 1_000_000)))
    part = '<object id="{}"><components>{}</components></object>'
    itself = part.format(2, '<component objectid="2"/>')
    yield unharmed("itself.3mf", file_3mf(model_3mf(objects=itself, item="2")))
    # Each object has the one before ten times: 10^12 of them.
    doubling = "".join(part.format(i + 1, f'<component objectid="{i}"/>' * 10) for i in range(1, 13))
    yield unharmed("doubling.3mf", file_3mf(model_3mf(objects=doubling, item="13")))
    yield unharmed("outside.3mf", file_3mf(model_3mf(), [("../../escaped", "text"), ("/tmp/escaped", "text")]))


def cases():
    yield from chunks()
    yield from voxels()
    yield from archives()
