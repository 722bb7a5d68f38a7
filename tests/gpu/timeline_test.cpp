// Where the commands of a device come to lie on the host's clock.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "gpu/timeline.h"

namespace aureole::gpu {
namespace {

using std::chrono::microseconds;

/// A device whose clock ticks every 2 ns, has 32 bits and overflows between the first commands and the second.
TEST(TimelineTest, PutsCommandsBetweenTheirSubmissionAndTheEndOfTheWait) {
    startTrace();
    const TraceClock::time_point origin = TraceClock::now();
    const auto ticks = [](std::int64_t us) {
        return static_cast<std::uint64_t>(0xffffff00LL + us * 500) & 0xffffffffU; // at `us` microseconds from origin
    };
    Timeline timeline(2.0, 0xffffffffU);
    timeline.add({origin, origin + microseconds(130), ticks(10), {{"first", ticks(50)}, {"second", ticks(120)}}});
    timeline.add({origin + microseconds(190), origin + microseconds(330), ticks(200), {{"third", ticks(320)}}});
    timeline.tell("the device");
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("aureole-timeline-" + std::to_string(::getpid()) + ".json");
    writeTrace(file);
    const nlohmann::json trace = nlohmann::json::parse(std::ifstream(file));
    std::filesystem::remove(file);
    double first = 0.0;
    int found = 0;
    for (const nlohmann::json& event : trace.at("traceEvents")) {
        const std::string name = event.at("name");
        if (name == "first") {
            first = event.at("ts");
            EXPECT_NEAR(event.at("dur"), 40.0, 0.01);
            ++found;
        } else if (name == "second") {
            EXPECT_NEAR(event.at("dur"), 70.0, 0.01);
            ++found;
        } else if (name == "third") {
            EXPECT_NEAR(event.at("ts").get<double>() - first, 190.0, 0.01);
            ++found;
        }
    }
    EXPECT_EQ(found, 3);
    // The host knows the clocks' difference to within 10 us on either side, and takes the middle.
    const double shift = std::chrono::duration<double, std::micro>(TraceClock::now() - origin).count();
    EXPECT_GT(first, 0.0);
    EXPECT_LT(first, shift);
}

} // namespace
} // namespace aureole::gpu
