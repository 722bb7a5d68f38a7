// Whatever the loader of octree files lets through can be used without leaving its arrays. Under the sanitizers, which
// see an index that leads astray, every array is copied to memory of its own first. AUREOLE_FULL=1 tries many more.

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "avo_mutator.h"
#include "avo_samples.h"
#include "core/error.h"
#include "core/file.h"
#include "full_sweep.h"
#include "octree_copy.h"
#include "octree_use.h"
#include "voxel/file/octree_file.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

TEST(OctreeFuzz, MutantsAreRefusedOrCanBeUsed) {
    std::string name = (fs::temp_directory_path() / "aureole-fuzz-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const fs::path file = fs::path(name) / "mutant.avo";
    const int rounds = fullSweep() ? 50'000 : 2000;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); // files are so small that waking a second one takes most of the time
    for (const OctreeSample& sample : octreeSamples()) {
        SCOPED_TRACE(sample.name);
        writeOctree(file, sample.octree);
        const AvoParts whole = takeApart(readFile(file, std::uint64_t{1} << 30U));
        std::mt19937_64 random(7);
        int used = 0;
        for (int round = 0; round < rounds && !testing::Test::HasFatalFailure(); ++round) {
            SCOPED_TRACE(round);
            const std::vector<std::byte> mutant = round == 0 ? putTogether(whole) : mutated(whole, random);
            fs::remove(file); // some file systems wait for the disk when one is truncated
            std::ofstream(file, std::ios::binary)
                .write(reinterpret_cast<const char*>(mutant.data()), static_cast<std::streamsize>(mutant.size()));
            try {
                const Octree octree = copyOf(loadOctree(file));
                useOctree(octree, random);
                ++used;
            } catch (const std::logic_error& misuse) {
                FAIL() << misuse.what();
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ExitCode::BadInput) << error.what();
                ASSERT_NE(round, 0) << error.what();
            }
        }
        EXPECT_GT(used, rounds / 20); // colours, texts, sections in another order
        EXPECT_LT(used, rounds * 3 / 4);
    }
    omp_set_num_threads(threads);
    fs::remove_all(name);
}

} // namespace
} // namespace aureole::test
