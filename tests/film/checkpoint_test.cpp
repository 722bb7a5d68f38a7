#include "film/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/host_memory.h"

namespace aureole {
namespace {

class CheckpointTest : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static std::map<std::string, std::string> everyAttribute() {
        std::map<std::string, std::string> attributes;
        for (const char* const name :
             {"version",    "seed",    "size",          "crop",           "backend", "aovs",      "noise",
              "scene_hash", "sampler", "sampling",      "light_sampling", "clamp",   "max_depth", "transparent",
              "resolution", "surface", "surface_error", "device",         "driver",  "command"}) {
            attributes[std::string("aureole.") + name] = std::string("this ") + name;
        }
        attributes["aureole.camera"] = "Straße \"1\"\n";
        return attributes;
    }

    /// The identity where an attribute is another one.
    static RenderIdentity with(const char* attribute, const char* value) {
        std::map<std::string, std::string> attributes = everyAttribute();
        attributes[attribute] = value;
        return identityFrom(attributes);
    }

    static Checkpoint sample() {
        Checkpoint checkpoint;
        checkpoint.identity = identityFrom(everyAttribute());
        checkpoint.state.samples = {{0, 64}, {128, 192}};
        checkpoint.state.adaptive = true;
        checkpoint.state.activeTiles = {1, 5};
        checkpoint.state.tileSamples = {64, 80, 64, 64, 64, 80};
        checkpoint.state.film = std::vector<std::byte>(101, std::byte{0xA5});
        checkpoint.state.film[100] = std::byte{1};
        return checkpoint;
    }

    std::vector<char> bytes() const {
        std::ifstream stream(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    void put(const std::vector<char>& bytes) const {
        std::filesystem::remove(file_); // some file systems wait for the disk when a file is truncated
        std::ofstream(file_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    /// The bytes with a checksum that is right for them.
    static std::vector<char> sealed(std::vector<char> bytes) {
        const std::size_t content = bytes.size() - sizeof(std::uint64_t);
        const std::uint64_t sum = checksum(std::as_bytes(std::span(bytes.data(), content)));
        std::memcpy(bytes.data() + content, &sum, sizeof(sum));
        return bytes;
    }

    void expectRefusal(const std::string& fragment) const {
        try {
            readCheckpoint(file_);
            ADD_FAILURE() << "read, expected: " << fragment;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("a.ckpt"), std::string::npos) << error.what();
        }
    }

    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / fmt::format("aureole_checkpoint_test_{}", ::getpid());
    std::filesystem::path file_ = folder_ / "a.ckpt";
};

TEST_F(CheckpointTest, ComesBackAsItWas) {
    const Checkpoint written = sample();
    writeCheckpoint(file_, written);
    const Checkpoint read = readCheckpoint(file_);
    EXPECT_EQ(read.identity, written.identity);
    EXPECT_EQ(attributesOf(read.identity), everyAttribute());
    EXPECT_EQ(read.state.samples, written.state.samples);
    EXPECT_EQ(read.state.adaptive, written.state.adaptive);
    EXPECT_EQ(read.state.activeTiles, written.state.activeTiles);
    EXPECT_EQ(read.state.tileSamples, written.state.tileSamples);
    EXPECT_EQ(read.state.film, written.state.film);
    EXPECT_TRUE(read.state.layers.empty());
}

TEST_F(CheckpointTest, SaysWhatMakesItAnotherRender) {
    using Texts = std::vector<std::string>;
    const RenderIdentity wanted = identityFrom(everyAttribute());
    EXPECT_EQ(renderDifferences(wanted, wanted), Texts());
    for (const char* const name : {"version", "seed", "camera", "size", "crop", "backend", "aovs"}) {
        const std::string attribute = std::string("aureole.") + name;
        EXPECT_EQ(renderDifferences(with(attribute.c_str(), ""), wanted),
                  Texts{attribute + " is none, expected " + everyAttribute().at(attribute)});
    }
    // A setting that the scene's hash covers is named where the hash differs, and the hash where nothing else does.
    for (const std::string name : {"max_depth", "noise", "sampler", "surface_error"}) {
        RenderIdentity other = with(("aureole." + name).c_str(), "3");
        EXPECT_EQ(renderDifferences(other, wanted), Texts());
        other.sceneHash = "f00d";
        EXPECT_EQ(renderDifferences(other, wanted), Texts{"aureole." + name + " is 3, expected this " + name});
    }
    const Texts hash = renderDifferences(with("aureole.scene_hash", "f00d"), wanted);
    ASSERT_EQ(hash.size(), 1U);
    EXPECT_EQ(hash[0],
              "aureole.scene_hash is f00d, expected this scene_hash, so the scene or a file of it has changed, "
              "or --set; it was made by: this command");
    EXPECT_EQ(lastBitDifferences(with("aureole.driver", "old"), wanted),
              Texts{"aureole.driver was old and is this driver now"});
    EXPECT_EQ(renderDifferences(with("aureole.driver", "old"), wanted), Texts());
}

TEST_F(CheckpointTest, EveryDamageIsNoticed) {
    writeCheckpoint(file_, sample());
    const std::vector<char> whole = bytes();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::vector<char> damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        put(damaged);
        EXPECT_THROW(readCheckpoint(file_), Error) << "byte " << i;
        put({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i)});
        EXPECT_THROW(readCheckpoint(file_), Error) << "cut to " << i;
    }
}

TEST_F(CheckpointTest, SaysWhatItFound) {
    expectRefusal("no such file");
    put({'P', 'N', 'G'});
    expectRefusal("another kind of file");
    writeCheckpoint(file_, sample());
    std::vector<char> other = bytes();
    other[other.size() - 20] = 'x';
    put(other);
    expectRefusal("damaged");
}

TEST_F(CheckpointTest, NewerAndDamagedVersionsAreTold) {
    writeCheckpoint(file_, sample());
    std::vector<char> other = bytes();
    other[8] = 9;
    put(other); // without the checksum that a newer program would have given it
    expectRefusal("damaged checkpoint");
    put(sealed(other));
    expectRefusal("written by a newer aureole: version 9 of checkpoints, this one reads 1 to 2");
    other[8] = 0;
    put(sealed(other));
    expectRefusal("the file is damaged: found version 0 of checkpoints, expected 1 to 2");
}

TEST_F(CheckpointTest, FilmsOfVersion1AreReadButForTheirLayers) {
    const auto putVersion1 = [&](const Checkpoint& checkpoint) {
        writeCheckpoint(file_, checkpoint);
        std::vector<char> other = bytes();
        other[8] = 1;
        put(sealed(other));
    };
    Checkpoint checkpoint = sample();
    checkpoint.state.layers.assign(24, std::byte{7});
    putVersion1(checkpoint);
    expectRefusal("written by an older aureole: version 1 of checkpoints with layers, this one reads 2; render it from "
                  "the start");
    checkpoint.state.layers.clear();
    putVersion1(checkpoint);
    const FilmState read = readCheckpoint(file_).state;
    EXPECT_EQ(read.samples, checkpoint.state.samples);
    EXPECT_EQ(read.film, checkpoint.state.film);
    EXPECT_TRUE(read.layers.empty());
}

/// Files of holes, which take no room on a disk.
TEST_F(CheckpointTest, LargerOnesThanTheMemoryAreRefused) {
    put({'P', 'N', 'G'});
    std::filesystem::resize_file(file_, 4 * hostMemoryBytes());
    expectRefusal("another kind of file");
    writeCheckpoint(file_, sample());
    std::filesystem::resize_file(file_, 4 * hostMemoryBytes());
    try {
        readCheckpoint(file_);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::OutOfMemory);
        EXPECT_NE(std::string(error.what()).find("this machine's memory"), std::string::npos) << error.what();
    }
}

/// Lengths that a person, or an attacker, has put in, with the right checksum.
TEST_F(CheckpointTest, LengthsBeyondTheFileAreRefused) {
    writeCheckpoint(file_, sample());
    const std::vector<char> whole = bytes();
    for (std::size_t at = 12; at + 16 <= whole.size(); ++at) {
        for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 62U, std::uint64_t{1} << 40U}) {
            std::vector<char> crafted = whole;
            std::memcpy(crafted.data() + at, &length, sizeof(length));
            put(sealed(crafted));
            try {
                readCheckpoint(file_); // bytes of the film may be anything
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ExitCode::BadInput);
            }
        }
    }
}

} // namespace
} // namespace aureole
