#include <nlohmann/json.hpp>

#include "cli_test.h"

namespace aureole {

namespace {

const Variables& noDrivers() {
    static const Variables variables = {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}};
    return variables;
}

class DeviceTest : public CliTest {};

TEST_F(DeviceTest, AreListedForPeopleAndPrograms) {
    const nlohmann::json devices = parseJson(expectDone({"devices", "--json"}).out);
    ASSERT_FALSE(devices.empty());
    const std::string text = expectDone({"devices"}).out;
    for (const nlohmann::json& device : devices) {
        for (const char* key :
             {"index", "name", "uuid", "driver", "api_version", "software", "memory_bytes", "usable"}) {
            EXPECT_TRUE(device.contains(key)) << key;
        }
        EXPECT_NE(text.find(device.at("name").get<std::string>()), std::string::npos);
        EXPECT_NE(text.find("uuid:" + device.at("uuid").get<std::string>()), std::string::npos);
    }
}

TEST_F(DeviceTest, AreChosenByUuid) {
    const nlohmann::json devices = parseJson(expectDone({"devices", "--json"}).out);
    for (const nlohmann::json& device : devices) {
        if (!device.at("usable").get<bool>()) {
            continue;
        }
        const std::string scene = write("scene.json", boxScene());
        const std::string uuid = device.at("uuid").get<std::string>();
        const Outcome outcome = expectDone({"render", scene, "-o", path("out.exr"), "--spp", "1", "--size", "4x4",
                                            "--device", "uuid:" + uuid, "--allow-cpu"});
        EXPECT_NE(outcome.err.find(device.at("name").get<std::string>()), std::string::npos) << outcome.err;
        // What runs in software says so.
        EXPECT_EQ(outcome.err.find("software") != std::string::npos, device.at("software").get<bool>());
    }
}

TEST_F(DeviceTest, MissingOnesAreNamed) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kNoDevice, {"render", scene, "-o", path("out.exr"), "--device", "no such name"}, {"no such name"});
    expectFailure(kNoDevice, {"render", scene, "-o", path("out.exr")}, {"device"}, noDrivers());
    expectFailure(kNoDevice, {"devices"}, {"aureole: error: "}, noDrivers());
}

TEST_F(DeviceTest, ChecksOfBoundsAreForTheProgramsOfTests) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kUsage, {"render", scene, "-o", path("out.exr"), "--allow-cpu"},
                  {"AUREOLE_VALIDATION", "'bounds'", "programs of tests"}, {{"AUREOLE_VALIDATION", "bounds"}});
}

} // namespace

} // namespace aureole
