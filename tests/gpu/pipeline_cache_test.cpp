#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/file.h"
#include "gpu/pipeline_cache.h"
#include "gpu_test/affine.h"
#include "gpu_test/gpu_test.h"
#include "gpu_test/scoped_environment.h"

namespace aureole::gpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytesOf(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

const std::vector<std::byte> kKey = bytesOf("device 1, driver 2");
const std::vector<std::byte> kData = bytesOf("compiled pipelines");

TEST(PipelineCacheFile, RoundTrips) {
    const std::vector<std::byte> file = packCacheFile(kKey, kData);
    const auto data = unpackCacheFile(kKey, file);
    EXPECT_EQ(std::vector<std::byte>(data.begin(), data.end()), kData);
}

TEST(PipelineCacheFile, OfAnotherDriverIsEmpty) {
    const std::vector<std::byte> file = packCacheFile(kKey, kData);
    EXPECT_TRUE(unpackCacheFile(bytesOf("device 1, driver 3"), file).empty());
    EXPECT_TRUE(unpackCacheFile(bytesOf("device 1, driver 22"), file).empty());
    EXPECT_TRUE(unpackCacheFile({}, file).empty());
}

TEST(PipelineCacheFile, DamagedInAnyByteOrCutAnywhereIsEmpty) {
    const std::vector<std::byte> file = packCacheFile(kKey, kData);
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::vector<std::byte> damaged = file;
        damaged[i] ^= std::byte{4};
        EXPECT_TRUE(unpackCacheFile(kKey, damaged).empty()) << "byte " << i;
        EXPECT_TRUE(unpackCacheFile(kKey, std::span(file).first(i)).empty()) << "cut to " << i;
    }
    std::vector<std::byte> longer = file;
    longer.push_back(std::byte{0});
    EXPECT_TRUE(unpackCacheFile(kKey, longer).empty());
}

/// Opens devices of its own with a cache folder of its own.
class PipelineCacheTest : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        unchecked_.emplace("AUREOLE_VALIDATION", "0"); // shaders with checks are not cached
        folder = fs::temp_directory_path() / ("aureole_pipelines_" + std::to_string(::getpid()));
        useCache(folder);
    }
    void TearDown() override {
        cache_.reset();
        unchecked_.reset();
        fs::remove_all(folder);
        GpuTest::TearDown();
    }

    void useCache(const fs::path& path) { cache_.emplace("XDG_CACHE_HOME", path.c_str()); }

    /// Opens a device, makes a pipeline, and runs it.
    static void run() {
        const Device own = Device::open(testDeviceRequest());
        const Pipeline pipeline = makeAffine(own, 11);
        const Buffer buffer =
            own.createBufferWith(std::span<const std::uint32_t>(std::vector<std::uint32_t>(100, 2)), "values");
        CommandEncoder commands = own.encoder();
        recordAffine(commands, pipeline, buffer, 3);
        own.submit(std::move(commands)).wait();
        EXPECT_EQ(readWords(own, buffer), std::vector<std::uint32_t>(100, 25));
    }

    /// The one cache file. Drivers may keep caches of their own beside our folder.
    fs::path cacheFile() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder / "aureole")) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
        EXPECT_EQ(files.size(), 1U);
        return files.empty() ? fs::path() : files[0];
    }

    fs::path folder;

private:
    std::optional<ScopedEnvironment> unchecked_;
    std::optional<ScopedEnvironment> cache_;
};

TEST_F(PipelineCacheTest, IsWrittenAndUsedAgain) {
    run();
    const std::vector<std::byte> first = readFile(cacheFile(), 1 << 28);
    EXPECT_FALSE(first.empty());
    run();
    EXPECT_EQ(readFile(cacheFile(), 1 << 28).size(), first.size());
}

TEST_F(PipelineCacheTest, DamagedFilesAreReplaced) {
    run();
    const fs::path path = cacheFile();
    const std::vector<std::byte> good = readFile(path, 1 << 28);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << "no cache at all";
    run();
    // A driver may pack the same pipelines into a few bytes more or less.
    std::uint64_t keyBytes = 0;
    std::memcpy(&keyBytes, good.data() + 8, sizeof(keyBytes));
    const auto key = std::span(good).subspan(32, keyBytes);
    EXPECT_FALSE(unpackCacheFile(key, readFile(path, 1 << 28)).empty());
}

TEST_F(PipelineCacheTest, FoldersThatCannotBeWrittenDoNoHarm) {
    fs::create_directories(folder);
    std::ofstream(folder / "file") << "in the way";
    useCache(folder / "file");
    run();
    EXPECT_EQ(fs::file_size(folder / "file"), 10U);
}

} // namespace
} // namespace aureole::gpu
