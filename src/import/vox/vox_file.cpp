#include "import/vox/vox_file.h"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/printable.h"
#include "core/to_number.h"
#include "image/byte_reader.h"

namespace aureole::vox {

namespace {

Dictionary readDictionary(ByteReader& reader) {
    Dictionary result;
    for (auto left = reader.read<std::uint32_t>("a dictionary's size"); left > 0; --left) {
        std::string key(reader.text("a dictionary's key"));
        result[std::move(key)] = reader.text("a dictionary's value");
    }
    return result;
}

std::uint32_t readNumber(ByteReader& reader, const char* what) {
    return reader.read<std::uint32_t>(what);
}

/// Takes in one chunk after the other.
class Parser {
public:
    explicit Parser(VoxFile& file)
        : file_(file) {}

    void chunk(const std::string& id, ByteReader content) {
        if (id == "SIZE") {
            size(content);
        } else if (id == "XYZI") {
            voxels(content);
        } else if (id == "RGBA") {
            palette(content);
        } else if (id == "nTRN") {
            transform(content);
        } else if (id == "nGRP") {
            group(content);
        } else if (id == "nSHP") {
            shape(content);
        } else if (id == "MATL") {
            const std::uint32_t index = readNumber(content, "a material's index");
            file_.materials[index & 0xffU] = readDictionary(content); // the last one, 256, is written for index 0
        } else if (id == "MATT") {
            oldMaterial(content);
        } else if (id == "LAYR") { // IMAP only orders the palette on the screen: indices of voxels stay those of RGBA
            const auto layer = static_cast<std::int32_t>(readNumber(content, "a layer's index"));
            file_.layers[layer] = readDictionary(content);
        } else if (id == "rCAM") {
            const auto camera = static_cast<std::int32_t>(readNumber(content, "a camera's number"));
            file_.cameras[camera] = readDictionary(content);
        } else if (id == "rOBJ") {
            Dictionary settings = readDictionary(content);
            const std::string type = settings["_type"];
            file_.settings[type] = std::move(settings);
        }
    }

private:
    void size(ByteReader& content) {
        Model model;
        model.offset = content.offset();
        for (glm::length_t i = 0; i < 3; ++i) {
            model.size[i] = readNumber(content, "a model's size");
            constexpr std::uint32_t kMaxSide = 256; // coordinates are bytes
            if (model.size[i] == 0 || model.size[i] > kMaxSide) {
                content.refuseAt(content.offset() - 4, "found a model {} voxels long, expected 1 to {}", model.size[i],
                                 kMaxSide);
            }
        }
        file_.models.push_back(model);
        awaitsVoxels_ = true;
    }

    void voxels(ByteReader& content) {
        if (!awaitsVoxels_) {
            content.refuse("found an XYZI chunk, expected a SIZE chunk before it");
        }
        awaitsVoxels_ = false;
        const std::size_t count = readNumber(content, "the number of voxels");
        const std::size_t offset = content.offset();
        Model& model = file_.models.back();
        model.voxels = content.take(count * 4, "the voxels");
        for (std::size_t i = 0; i < count; ++i) {
            const Voxel voxel = voxelAt(model, i);
            if (voxel.x >= model.size.x || voxel.y >= model.size.y || voxel.z >= model.size.z) {
                content.refuseAt(offset + 4 * i, "found a voxel at ({}, {}, {}), expected less than ({}, {}, {})",
                                 voxel.x, voxel.y, voxel.z, model.size.x, model.size.y, model.size.z);
            }
        }
    }

    /// The chunk's first colour belongs to index 1.
    void palette(ByteReader& content) {
        // Of 256 entries; no voxel has the last one, and some writers leave it out.
        const std::size_t used = file_.palette.size() - 1;
        const std::span<const std::byte> colours = content.take(4 * used, "the palette");
        for (std::size_t i = 0; i < used; ++i) {
            std::memcpy(file_.palette[i + 1].data(), colours.data() + 4 * i, 4);
        }
    }

    /// Of files before MagicaVoxel 0.99: a type and what it is about. What else it may have is passed over.
    void oldMaterial(ByteReader& content) {
        constexpr std::array<const char*, 4> kTypes = {"_diffuse", "_metal", "_glass", "_emit"};
        const std::uint32_t index = readNumber(content, "a material's index");
        const std::size_t offset = content.offset();
        const std::uint32_t type = readNumber(content, "a material's type");
        if (type >= kTypes.size()) {
            content.refuseAt(offset, "found the type {} of a material, expected less than {}", type, kTypes.size());
        }
        const auto weight = content.read<float>("a material's weight");
        file_.materials[index & 0xffU] = {{"_type", kTypes[type]}, {"_weight", fmt::format("{}", weight)}};
    }

    Node& node(ByteReader& content, NodeType type) {
        const std::size_t offset = content.offset();
        const std::uint32_t index = readNumber(content, "a node's index");
        const auto [found, isNew] = file_.nodes.try_emplace(index);
        Node& node = found->second;
        if (!isNew) {
            content.refuseAt(offset, "found another node {}, expected indices of their own (the first is at byte {})",
                             index, node.offset);
        }
        node.type = type;
        node.offset = offset;
        node.attributes = readDictionary(content);
        const auto loop = node.attributes.find("_loop");
        node.frames.loops = node.shown.loops = loop != node.attributes.end() && loop->second == "1";
        return node;
    }

    void transform(ByteReader& content) {
        Node& read = node(content, NodeType::Transform);
        read.refs.push_back(readNumber(content, "a child's index"));
        readNumber(content, "a reserved number");
        read.layer = static_cast<std::int32_t>(readNumber(content, "a layer's index"));
        for (std::uint32_t left = readNumber(content, "the number of frames"); left > 0; --left) {
            const std::size_t offset = content.offset();
            Dictionary frame = readDictionary(content);
            const std::int64_t time = timeOf(frame, offset, content);
            read.frames.byFrame.emplace(time, std::move(frame));
        }
    }

    void group(ByteReader& content) {
        Node& read = node(content, NodeType::Group);
        for (std::uint32_t left = readNumber(content, "the number of children"); left > 0; --left) {
            read.refs.push_back(readNumber(content, "a child's index"));
        }
    }

    void shape(ByteReader& content) {
        Node& read = node(content, NodeType::Shape);
        for (std::uint32_t left = readNumber(content, "the number of models"); left > 0; --left) {
            const std::uint32_t model = readNumber(content, "a model's index");
            const std::size_t offset = content.offset();
            read.shown.byFrame.emplace(timeOf(readDictionary(content), offset, content), model);
        }
    }

    /// From which frame on ("_f", or 0) this is shown, as a dictionary at an offset says.
    static std::int64_t timeOf(const Dictionary& attributes, std::size_t offset, const ByteReader& content) {
        const auto found = attributes.find("_f");
        if (found == attributes.end()) {
            return 0;
        }
        const std::string& text = found->second;
        const std::int64_t time = toNumber<std::int64_t>(text).value_or(-1);
        if (time < 0 || time >= kMostFrames) {
            content.refuseAt(offset, "found the frame '{}', expected a whole number from 0 to {}", excerpt(text),
                             kMostFrames - 1);
        }
        return time;
    }

    VoxFile& file_;
    bool awaitsVoxels_ = false;
};

/// A chunk's name in messages.
std::string chunkName(const std::string& id) {
    return fmt::format("'{}'", onOneLine(id));
}

std::string chunkId(ByteReader& reader) {
    return std::string(reader.characters(4, "a chunk's name"));
}

} // namespace

Voxel voxelAt(const Model& model, std::size_t index) {
    Voxel voxel;
    static_assert(sizeof voxel == 4);
    std::memcpy(&voxel, model.voxels.data() + 4 * index, sizeof voxel);
    return voxel;
}

VoxFile parseVox(std::span<const std::byte> bytes, const std::string& name) {
    ByteReader reader(bytes, name);
    if (const std::string magic = chunkId(reader); magic != "VOX ") {
        reader.refuseAt(0, "found {}, expected 'VOX ', with which MagicaVoxel's files start", chunkName(magic));
    }
    readNumber(reader, "the version");
    if (const std::string id = chunkId(reader); id != "MAIN") {
        reader.refuseAt(8, "found the chunk {}, expected MAIN", chunkName(id));
    }
    const std::uint32_t contentSize = readNumber(reader, "a chunk's size");
    const std::uint32_t childrenSize = readNumber(reader, "a chunk's size");
    reader.take(contentSize, "the content of MAIN");
    ByteReader children = reader.section(childrenSize, "the chunks in MAIN", "chunk MAIN");

    VoxFile file;
    file.palette = defaultPalette();
    Parser parser(file);
    while (!children.atEnd()) {
        const std::string id = chunkId(children);
        const std::uint32_t size = readNumber(children, "a chunk's size");
        const std::uint32_t inner = readNumber(children, "a chunk's size");
        parser.chunk(id, children.section(size, "a chunk", "chunk " + id));
        children.take(inner, "the chunks in a chunk");
    }
    return file;
}

/// A cube of six levels a channel, red slowest and blue fastest, without black; then ramps of red, green, blue and
/// grey over the levels between.
Palette defaultPalette() {
    Palette palette{};
    std::size_t next = 1;
    const auto add = [&](unsigned r, unsigned g, unsigned b) {
        palette[next++] = {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b),
                           255};
    };
    for (unsigned i = 0; i < 215; ++i) {
        constexpr unsigned kStep = 0x33;
        add(255 - kStep * (i / 36), 255 - kStep * (i / 6 % 6), 255 - kStep * (i % 6));
    }
    constexpr std::array<unsigned, 10> kRamp = {0xee, 0xdd, 0xbb, 0xaa, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11};
    for (unsigned channel = 0; channel < 4; ++channel) {
        for (const unsigned level : kRamp) {
            const auto pick = [&](unsigned which) { return channel == which || channel == 3 ? level : 0U; };
            add(pick(0), pick(1), pick(2));
        }
    }
    return palette;
}

} // namespace aureole::vox
