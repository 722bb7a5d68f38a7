// What a worker sends is read as if an enemy had written it.

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "image/image_pack.h"
#include "image/isolated_image.h"
#include "import/isolated_model.h"
#include "import/model_pack.h"
#include "sandbox/pack.h"

namespace aureole::sandbox {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 30U;

/// Two ends of a channel.
struct Pair {
    Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
    int ends[2] = {-1, -1}; // NOLINT(modernize-avoid-c-arrays)
};

template <typename T>
std::string packed(T& value) {
    const Pair pair;
    std::string bytes;
    std::thread reader([&] {
        char block[4096]; // NOLINT(modernize-avoid-c-arrays)
        for (ssize_t count = 0; (count = ::read(pair.ends[1], block, sizeof(block))) > 0;) {
            bytes.append(block, static_cast<std::size_t>(count));
        }
        ::close(pair.ends[1]);
    });
    {
        Channel channel(pair.ends[0]);
        Packer out(channel);
        out(value);
        out.flush();
    }
    reader.join();
    return bytes;
}

/// Has `take` read bytes from a channel that ends after them.
void receive(const std::string& bytes, const std::function<void(Unpacker&)>& take, std::uint64_t most = kMost) {
    const Pair pair;
    std::thread writer([&] {
        const char* at = bytes.data();
        for (std::size_t left = bytes.size(); left > 0;) {
            const ssize_t count = ::send(pair.ends[0], at, left, MSG_NOSIGNAL);
            if (count < 0) {
                break;
            }
            at += count;
            left -= static_cast<std::size_t>(count);
        }
        ::close(pair.ends[0]);
    });
    std::exception_ptr thrown;
    {
        Channel channel(pair.ends[1]);
        Unpacker in(channel, most, Unpacker::Ahead::Yes);
        try {
            take(in);
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    writer.join();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

template <typename T>
T unpacked(const std::string& bytes) {
    T value{};
    receive(bytes, [&](Unpacker& in) { in(value); });
    return value;
}

ImportedModel someModel() {
    ImportedModel model;
    model.textures.push_back({"picture", 2, 1, {1, 2, 3, 4, 5, 6, 7, 8}});
    Material& material = model.materials.emplace_back();
    material.name = "red";
    material.albedoTexture.texture = 0;
    material.albedoTexture.wrap = {Wrap::Mirror, Wrap::Clamp};
    material.alphaMode = AlphaMode::Mask;
    Mesh& mesh = model.meshes.emplace_back();
    mesh.name = "triangle";
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    mesh.uvs[0] = {{0, 0}, {1, 0}, {0, 1}};
    mesh.triangles = {{0, 1, 2}};
    model.meshInstances.push_back({0, glm::dmat4(2.0), kNone});
    VoxelModel& voxels = model.voxelModels.emplace_back();
    voxels.size = {2, 1, 1};
    voxels.cells = {0, 3};
    voxels.materials.fill(kNone);
    voxels.materials[3] = 0;
    model.voxelInstances.push_back({0, glm::dmat4(1.0)});
    Camera& camera = model.cameras.emplace_back();
    camera.name = "eye";
    camera.exposure = 1.5;
    camera.photograph = Exposure{4.0, 0.5, 200.0};
    model.lights.emplace_back().type = LightType::Spot;
    return model;
}

/// Whether nothing in it leads out of its arrays.
bool isSound(const ImportedModel& model) {
    for (const Mesh& mesh : model.meshes) {
        for (const glm::uvec3& triangle : mesh.triangles) {
            for (int i = 0; i < 3; ++i) {
                if (triangle[i] >= mesh.positions.size()) {
                    return false;
                }
            }
        }
        for (const std::size_t size :
             {mesh.normals.size(), mesh.tangents.size(), mesh.uvs[0].size(), mesh.uvs[1].size(), mesh.colours.size()}) {
            if (size != 0 && size != mesh.positions.size()) {
                return false;
            }
        }
        if (mesh.material >= model.materials.size()) {
            return false;
        }
    }
    for (const Material& material : model.materials) {
        if ((material.albedoTexture.used() && material.albedoTexture.texture >= model.textures.size()) ||
            material.albedoTexture.wrap[0] > Wrap::Clamp || material.model > MaterialModel::ThinGlass) {
            return false;
        }
    }
    for (const Texture& texture : model.textures) {
        if (texture.rgba.size() != std::size_t{4} * texture.width * texture.height) {
            return false;
        }
    }
    for (const VoxelModel& voxels : model.voxelModels) {
        if (voxels.cells.size() != std::size_t{voxels.size.x} * voxels.size.y * voxels.size.z) {
            return false;
        }
    }
    return std::all_of(model.meshInstances.begin(), model.meshInstances.end(),
                       [&](const MeshInstance& instance) { return instance.mesh < model.meshes.size(); });
}

TEST(Pack, ModelsComeOutAsTheyWentIn) {
    ImportedModel model = someModel();
    const std::string bytes = packed(model);
    auto back = unpacked<ImportedModel>(bytes);
    EXPECT_EQ(packed(back), bytes);
    EXPECT_EQ(back.materials.at(0).albedoTexture.wrap[1], Wrap::Clamp);
    EXPECT_EQ(back.meshes.at(0).positions.at(1), glm::vec3(1, 0, 0));
    EXPECT_EQ(back.voxelModels.at(0).cells, model.voxelModels[0].cells);
    EXPECT_EQ(back.cameras.at(0).photograph->iso, 200.0);
    EXPECT_EQ(back.lights.at(0).type, LightType::Spot);
}

TEST(Pack, ImagesComeOutAsTheyWentIn) {
    Image image = makeImage(300, 200, {"R", "depth.Z"});
    image.channels[1].values[7] = std::numeric_limits<float>::quiet_NaN(); // pixels may be anything
    image.attributes["owner"] = "me";
    image.typedAttributes["code"] = {"timecode", {std::byte{1}, std::byte{2}}};
    const std::string bytes = packed(image);
    Image back;
    receive(bytes, [&](Unpacker& in) { receiveImage(in, back); });
    EXPECT_EQ(packed(back), bytes);
    EXPECT_EQ(back.attributes, image.attributes);
}

TEST(Pack, EveryTruncationIsNoticed) {
    ImportedModel model = someModel();
    const std::string bytes = packed(model);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_THROW(unpacked<ImportedModel>(bytes.substr(0, size)), std::runtime_error) << size;
    }
}

TEST(Pack, MutationsAreRefusedOrSound) {
    ImportedModel model = someModel();
    const std::string bytes = packed(model);
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string mutated = bytes;
        for (unsigned change = 0; change <= random() % 3; ++change) {
            mutated[random() % mutated.size()] = static_cast<char>(random() % 4 == 0 ? random() : random() % 4);
        }
        ImportedModel back;
        try {
            receive(
                mutated, [&](Unpacker& in) { receiveModel(in, back); }, std::uint64_t{1} << 24U);
            EXPECT_TRUE(isSound(back)) << i;
        } catch (const std::runtime_error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 2000);
    EXPECT_LT(refused, 19'000);
}

TEST(Pack, WhatModelsPromiseIsChecked) {
    const auto refusal = [](const std::function<void(ImportedModel&)>& change) {
        ImportedModel model = someModel();
        change(model);
        const std::string bytes = packed(model);
        try {
            ImportedModel back;
            receive(bytes, [&](Unpacker& in) { receiveModel(in, back); });
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_EQ(refusal([](ImportedModel&) {}), "taken");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshes[0].triangles[0].y = 3; }), "a vertex that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshes[0].material = 1; }), "a material that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshes[0].normals.pop_back(); }),
              "other than one value for each vertex");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshes[0].positions[2].z = std::nanf(""); }),
              "a vertex that is not finite");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshInstances[0].mesh = 1; }), "a mesh that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshInstances[0].worldFromMesh[0][0] = INFINITY; }),
              "a number that is not finite");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.materials[0].albedoTexture.texture = 1; }),
              "a texture that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.materials[0].alphaMode = static_cast<AlphaMode>(3); }),
              "an unknown choice");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.textures[0].rgba.pop_back(); }), "a texture with other than its pixels");
    EXPECT_EQ(refusal([](ImportedModel& m) {
                  m.textures[0].light = {{1, 2, 3}, {0, -1, 0}};
              }),
              "a texture with light that is none");
    EXPECT_EQ(refusal([](ImportedModel& m) {
                  m.textures[0].light = {{1, 2, 3}};
              }),
              "a texture with light that is none");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.laterFrames = {{1, {}}}; }), "a frame that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) {
                  m.frames = 2, m.laterFrames = {{1, {{9, glm::dmat4(1.0)}}}};
              }),
              "a grid that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.frames = 0; }), "frames that are none");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.voxelModels[0].cells.push_back(0); }), "other cells than a grid has");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.voxelModels[0].materials[3] = 9; }), "a material that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.voxelInstances[0].model = 9; }), "a grid that is not there");
    EXPECT_EQ(refusal([](ImportedModel& m) { m.meshInstances.clear(), m.voxelInstances.clear(); }), "nothing to see");
}

TEST(Pack, CountsTakeNoMemoryUntilTheyAreKept) {
    std::string claim(8, '\0');
    const std::uint64_t count = std::uint64_t{1} << 40U;
    std::memcpy(claim.data(), &count, sizeof(count));
    EXPECT_THROW(unpacked<std::vector<float>>(claim), std::runtime_error);
    EXPECT_THROW(unpacked<std::string>(claim), std::runtime_error);
    EXPECT_THROW(unpacked<std::vector<Mesh>>(claim), std::runtime_error);
}

TEST(Pack, TextsHaveALimitOfTheirOwn) {
    std::string text = "four";
    const std::string bytes = packed(text);
    receive(bytes, [](Unpacker& in) {
        std::string back;
        in.text(back, 4);
        EXPECT_EQ(back, "four");
    });
    EXPECT_THROW(receive(bytes,
                         [](Unpacker& in) {
                             std::string back;
                             in.text(back, 3);
                         }),
                 std::runtime_error);
}

/// Also where the other end never leaves one waiting.
template <typename... Fields>
struct Several {
    std::tuple<Fields...> fields;
};
template <typename Archive, typename... Fields>
void pack(Archive& archive, Several<Fields...>& several) {
    std::apply([&](Fields&... fields) { archive(fields...); }, several.fields);
}

template <typename T>
using Named = std::map<std::string, T>;

TEST(Pack, LayoutsDifferInWhateverAReaderWouldMisread) {
    const std::vector<std::uint64_t> layouts = {
        layoutOf<Several<>>(),
        layoutOf<Several<float>>(),
        layoutOf<Several<double>>(),
        layoutOf<Several<std::uint32_t>>(),
        layoutOf<Several<std::uint64_t>>(),
        layoutOf<Several<bool>>(),
        layoutOf<Several<AlphaMode>>(),
        layoutOf<Several<MaterialModel>>(),
        layoutOf<Several<glm::vec2>>(),
        layoutOf<Several<std::string>>(),
        layoutOf<Several<float, std::uint32_t>>(),
        layoutOf<Several<std::uint32_t, float>>(),
        layoutOf<Several<Several<std::uint32_t>, float>>(),
        layoutOf<Several<std::uint32_t, Several<float>>>(),
        layoutOf<std::vector<float>>(),
        layoutOf<std::vector<std::vector<float>>>(),
        layoutOf<std::optional<float>>(),
        layoutOf<std::array<float, 2>>(),
        layoutOf<std::array<float, 3>>(),
        layoutOf<Named<float>>(),
        layoutOf<Named<std::string>>(),
        layoutOf<Image>(),
        layoutOf<Texture>(),
        layoutOf<ImportedModel>(),
    };
    EXPECT_EQ(std::set<std::uint64_t>(layouts.begin(), layouts.end()).size(), layouts.size());
    EXPECT_EQ(layoutOf<ImportedModel>(), layouts.back());
}

TEST(Channel, NothingIsTakenOrGivenPastTheDeadline) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    Channel here(ends[0]);
    Channel there(ends[1]);
    std::array<std::byte, 100> bytes{};
    there.send(bytes);
    here.receive(std::span(bytes).first(50));
    here.setDeadline(Channel::Clock::now());
    EXPECT_THROW(here.receive(std::span(bytes).first(50)), ChannelTimeout);
    EXPECT_THROW(here.send(bytes), ChannelTimeout);
    EXPECT_THROW(here.sendDescriptor(0), ChannelTimeout);
}

TEST(Pack, ImagesThatAreNoneAreRefused) {
    Image image = makeImage(4, 4, {"R", "G"});
    const auto take = [&] {
        Image back;
        receive(packed(image), [&](Unpacker& in) { receiveImage(in, back); });
    };
    EXPECT_NO_THROW(take());
    image.channels[1].name = "R";
    EXPECT_THROW(take(), std::runtime_error);
    image.channels[1].name = "G";
    image.channels[1].values.pop_back();
    EXPECT_THROW(take(), std::runtime_error);
    image.channels.clear();
    image.width = 0;
    EXPECT_THROW(take(), std::runtime_error);
}

} // namespace

} // namespace aureole::sandbox
