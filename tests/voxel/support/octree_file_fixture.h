#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/file/octree_file.h"

namespace aureole::test {

inline void expectContains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << " lacks " << part;
}

/// An octree in a file, which lies in a folder of its own for each test.
class OctreeFileTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "aureole-octree-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        file_ = folder_ / "model.avo";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// Makes it the octree of the test.
    void keep(Octree octree) {
        octree_ = std::move(octree);
        writeOctree(file_, octree_);
    }

    /// Loads a file that must be refused, with a message that names it; returns the message.
    static std::string refusal(const std::filesystem::path& file) {
        const Caught caught = errorOf([&] { loadOctree(file); });
        EXPECT_EQ(caught.code, ExitCode::BadInput) << caught.message;
        EXPECT_NE(caught.message.find(file.filename().string() + ": "), std::string::npos) << caught.message;
        return caught.message;
    }

    /// The refusal of an octree whose file is whole.
    std::string malformed(const std::function<void(Octree&)>& change) const {
        Octree octree = loadOctree(file_);
        change(octree);
        const std::filesystem::path written = folder_ / "malformed.avo";
        writeOctree(written, octree);
        return refusal(written);
    }

    std::filesystem::path folder_;
    std::filesystem::path file_;
    Octree octree_;
};

} // namespace aureole::test
