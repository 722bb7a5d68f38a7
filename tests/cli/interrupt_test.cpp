#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>

#include "cli_test.h"
#include "image/exr.h"
#include "image/film.h"

namespace aureole {

namespace {

class InterruptTest : public CliTest {
protected:
    /// Starts a render that would take very long, waits until it has begun, and interrupts it.
    Outcome interrupt(const Arguments& options, int signal) const {
        Arguments arguments = {
            "render", write("scene.json", boxScene()), "-o", path("out.exr"), "--spp", "100000000", "--progress",
            "json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const pid_t process = start(arguments);
        while (errorsSoFar().find(R"("stage":"render")") == std::string::npos) {
            int status = 0;
            if (::waitpid(process, &status, WNOHANG) != 0) {
                ADD_FAILURE() << "the program ended by itself\n" << errorsSoFar();
                return {};
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        EXPECT_EQ(::kill(process, signal), 0);
        return finish(process);
    }

    void expectSavedState(const Outcome& outcome) const {
        EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
        EXPECT_NE(outcome.err.find("interrupted"), std::string::npos);
        const Image image = readExr(path("out.exr"));
        const SampleRanges ranges = parseSamples(image.attributes.at("aureole.samples"));
        ASSERT_EQ(ranges.size(), 1U);
        EXPECT_LT(ranges[0].second, 100000000U);
        const std::string count = std::to_string(ranges[0].second) + " samples per pixel";
        EXPECT_NE(outcome.err.find(count), std::string::npos) << outcome.err;
        EXPECT_EQ(pixel(image, 0, 0), (std::vector<float>{1.0F, 1.0F, 1.0F}));
    }
};

TEST_F(InterruptTest, OnTheDeviceSavesTheImage) {
    expectSavedState(interrupt({}, SIGINT));
}

TEST_F(InterruptTest, OnTheReferenceBackendSavesTheImage) {
    expectSavedState(interrupt({"--backend", "reference"}, SIGTERM));
}

TEST_F(InterruptTest, ProgressIsJsonLines) {
    const Outcome outcome = interrupt({}, SIGINT);
    EXPECT_NE(outcome.err.find(R"({"stage":"render","done":)"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(R"("rays_per_second":)"), std::string::npos) << outcome.err;
}

} // namespace

} // namespace aureole
