// Open Image Denoise by a library in its place (fake_oidn), whose results are known.

#include "denoise/oidn.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "error_of.h"
#include "test_files.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

/// Sets an environment variable, or unsets it, for a while.
class Variable {
public:
    Variable(const char* name, const std::optional<std::string>& value)
        : name_(name) {
        if (const char* const before = std::getenv(name)) { // NOLINT(concurrency-mt-unsafe)
            before_ = before;
        }
        set(value);
    }
    ~Variable() { set(before_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    Variable(Variable&&) = delete;
    Variable& operator=(Variable&&) = delete;

private:
    void set(const std::optional<std::string>& value) const {
        if (value) {
            ::setenv(name_, value->c_str(), 1); // NOLINT(concurrency-mt-unsafe)
        } else {
            ::unsetenv(name_); // NOLINT(concurrency-mt-unsafe)
        }
    }
    const char* name_;
    std::optional<std::string> before_;
};

class OidnTest : public ::testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_ = fs::temp_directory_path() / ("aureole_oidn_" + std::to_string(::getpid()));
    Variable data_{"XDG_DATA_HOME", folder_.string()};
};

const std::string kGood = testFile(FAKE_OIDN) + "/good";
constexpr const char* kUuid = "0123456789abcdef0123456789abcdef";

std::unique_ptr<Oidn> opened(const std::string& uuid) {
    return Oidn::open(uuid, DenoiseQuality::High);
}

/// Two pixels; all that follows is exact in floats.
DenoiseInput smallInput() {
    DenoiseInput input;
    input.width = 2;
    input.height = 1;
    input.colour = {1.0F, 2.0F, 4.0F, 0.0F, 1024.0F, 0.5F};
    input.albedo = {0.5F, 0.25F, 0.0F, 1.0F, 0.5F, 0.25F};
    input.normal = {0.0F, 1.0F, 0.0F, 0.0F, -1.0F, 0.5F};
    return input;
}

TEST_F(OidnTest, DenoisesColourByCleanAlbedoAndNormal) {
    const Variable named("AUREOLE_OIDN", kGood);
    const std::unique_ptr<Oidn> oidn = opened("");
    ASSERT_NE(oidn, nullptr);
    EXPECT_EQ(oidn->name(), "Open Image Denoise 2.3.4 on the CPU, high quality");
    const DenoiseInput clean = oidn->withCleanFeatures(smallInput());
    EXPECT_EQ(clean.albedo, (std::vector<float>{0.625F, 0.375F, 0.125F, 1.125F, 0.625F, 0.375F}));
    EXPECT_EQ(clean.normal, (std::vector<float>{0.0F, 0.5F, 0.0F, 0.0F, -0.5F, 0.25F}));
    EXPECT_EQ(oidn->denoise(clean), (std::vector<float>{1.125F, 1.875F, 2.125F, 1.125F, 512.125F, 0.875F}));
}

TEST_F(OidnTest, GoesWithoutLayersThatAreNotThere) {
    const Variable named("AUREOLE_OIDN", kGood);
    const std::unique_ptr<Oidn> oidn = opened("");
    DenoiseInput input = smallInput();
    input.normal.clear();
    EXPECT_EQ(oidn->denoise(oidn->withCleanFeatures(input)),
              (std::vector<float>{1.125F, 1.375F, 2.125F, 1.125F, 512.625F, 0.625F}));
    input = smallInput();
    input.albedo.clear(); // and normals are of no use alone
    EXPECT_EQ(oidn->denoise(oidn->withCleanFeatures(input)),
              (std::vector<float>{0.5F, 1.0F, 2.0F, 0.0F, 512.0F, 0.25F}));
}

/// All three filters have it. What has no fast one yet gives its next best.
TEST_F(OidnTest, HasTheQualityThatIsAskedFor) {
    const Variable named("AUREOLE_OIDN", kGood);
    const auto expectQuality = [](DenoiseQuality asked, const std::string& name, float more) {
        const std::unique_ptr<Oidn> oidn = Oidn::open("", asked);
        EXPECT_EQ(oidn->name(), name);
        const DenoiseInput clean = oidn->withCleanFeatures(smallInput());
        EXPECT_EQ(clean.albedo[0], 0.625F + more);
        EXPECT_EQ(clean.normal[1], 0.5F + more);
        EXPECT_EQ(oidn->denoise(clean)[0], 1.125F + 3.0F * more);
    };
    expectQuality(DenoiseQuality::Fast, "Open Image Denoise 2.3.4 on the CPU, fast quality", 32.0F);
    expectQuality(DenoiseQuality::Balanced, "Open Image Denoise 2.3.4 on the CPU, balanced quality", 16.0F);
    const Variable old("AUREOLE_TEST_OIDN", "old");
    expectQuality(DenoiseQuality::Fast, "Open Image Denoise 2.2.0 on the CPU, balanced quality", 16.0F);
    expectQuality(DenoiseQuality::High, "Open Image Denoise 2.2.0 on the CPU, high quality", 0.0F);
}

TEST_F(OidnTest, TakesTheGpuThatIsAskedFor) {
    const Variable named("AUREOLE_OIDN", kGood);
    EXPECT_EQ(opened(kUuid)->name(),
              "Open Image Denoise 2.3.4 on the CPU, high quality"); // as the library has no such GPU
    const Variable gpu("AUREOLE_TEST_OIDN", "gpu");
    EXPECT_EQ(opened(kUuid)->name(), "Open Image Denoise 2.3.4 on the GPU by CUDA, high quality");
    EXPECT_EQ(opened("no UUID")->name(), "Open Image Denoise 2.3.4 on the CPU, high quality");
    EXPECT_EQ(opened("")->name(), "Open Image Denoise 2.3.4 on the CPU, high quality"); // as the render's backend asks
}

TEST_F(OidnTest, IsLookedForWhereItIsInstalled) {
    const Variable unnamed("AUREOLE_OIDN", std::nullopt);
    const bool ofSystem = opened("") != nullptr; // on a machine that has it
    fs::create_directories(folder_ / "aureole");
    fs::create_directory_symlink(kGood, folder_ / "aureole" / "oidn");
    const std::unique_ptr<Oidn> oidn = opened("");
    ASSERT_NE(oidn, nullptr);
    EXPECT_EQ(oidn->name(), "Open Image Denoise 2.3.4 on the CPU, high quality");
    if (!ofSystem) {
        fs::remove(folder_ / "aureole" / "oidn");
        EXPECT_EQ(opened(""), nullptr);
    }
}

void expectRefused(const std::string& folder, ExitCode code, const std::vector<std::string>& fragments) {
    const Variable named("AUREOLE_OIDN", folder);
    const testing::Caught error = testing::errorOf([] { opened(""); });
    EXPECT_EQ(error.code, code) << error.message;
    for (const std::string& fragment : fragments) {
        EXPECT_TRUE(error.names(fragment)) << error.message;
    }
}

TEST_F(OidnTest, ALibraryThatIsNoneIsRefused) {
    expectRefused(folder_, ExitCode::Usage,
                  {"AUREOLE_OIDN", "found no lib/libOpenImageDenoise.so.2", folder_.string()});
    fs::create_directories(folder_ / "lib");
    std::ofstream(folder_ / "lib" / "libOpenImageDenoise.so.2") << "half a downlo";
    expectRefused(folder_, ExitCode::Usage, {folder_.string(), "cannot be opened", "expected Open Image Denoise 2.x"});
    expectRefused(testFile(FAKE_OIDN) + "/empty", ExitCode::Usage, {"/empty/", "found no function oidnNewDevice"});
    const Variable old("AUREOLE_TEST_OIDN", "version");
    expectRefused(kGood, ExitCode::Usage, {"/good/", "found Open Image Denoise 1.4.3, expected version 2"});
}

/// The linker would map what is not there, and the process end.
TEST_F(OidnTest, HalfALibraryIsRefused) {
    const fs::path library = folder_ / "lib" / "libOpenImageDenoise.so.2";
    const fs::path core = folder_ / "lib" / "libOpenImageDenoise_core.so.2.5.1";
    fs::create_directories(folder_ / "lib");
    fs::copy_file(kGood + "/lib/libOpenImageDenoise.so.2", library);
    fs::copy_file(library, core);
    fs::create_directories(folder_ / "whole");
    fs::copy(folder_ / "lib", folder_ / "whole" / "lib", fs::copy_options::recursive); // which stays open
    {
        const Variable named("AUREOLE_OIDN", (folder_ / "whole").string());
        EXPECT_NE(opened(""), nullptr);
    }
    for (const std::uintmax_t bytes : {4096U, 100U}) {
        fs::resize_file(core, bytes);
        expectRefused(folder_, ExitCode::Usage, {core.string(), fmt::format("found {} bytes", bytes), "not whole"});
    }
    fs::remove(core);
    fs::resize_file(library, 5000);
    expectRefused(folder_, ExitCode::Usage, {library.string(), "found 5000 bytes", "not whole"});
}

TEST_F(OidnTest, FailuresOfTheLibraryAreTold) {
    {
        const Variable none("AUREOLE_TEST_OIDN", "device");
        expectRefused(kGood, ExitCode::NoDevice, {"found no device", "no such device"});
    }
    const Variable named("AUREOLE_OIDN", kGood);
    const std::unique_ptr<Oidn> oidn = opened("");
    const Variable full("AUREOLE_TEST_OIDN", "memory");
    DenoiseInput colourAlone = smallInput();
    colourAlone.albedo.clear();
    colourAlone.normal.clear();
    const testing::Caught error = testing::errorOf([&] { oidn->denoise(colourAlone); });
    EXPECT_EQ(error.code, ExitCode::OutOfMemory);
    EXPECT_EQ(error.message, "Open Image Denoise 2.3.4 on the CPU, high quality: out of memory");
}

} // namespace

} // namespace aureole
