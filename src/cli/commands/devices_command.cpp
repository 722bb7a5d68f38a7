#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/standard_output.h"
#include "gpu/device.h"

namespace aureole::cli {

namespace {

nlohmann::ordered_json toJson(const gpu::DeviceInfo& info) {
    return {{"index", info.index},
            {"name", info.name},
            {"uuid", info.uuid},
            {"driver", info.driver},
            {"api_version", info.apiVersion},
            {"software", info.isCpu},
            {"memory_bytes", info.memoryBytes},
            {"max_allocation_bytes", info.maxAllocationBytes},
            {"subgroup_size", info.subgroupSize},
            {"workgroup_memory_bytes", info.workgroupMemoryBytes},
            {"max_workgroup_invocations", info.maxWorkgroupInvocations},
            {"multiprocessors", info.multiprocessors},
            {"usable", info.unusable.empty()},
            {"unusable_because", info.unusable}};
}

void printDevice(const gpu::DeviceInfo& info) {
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    printOutput("{}: {}{}\n", info.index, info.name, info.isCpu ? " (software)" : "");
    printOutput("   uuid:{}\n", info.uuid);
    printOutput("   driver {}, Vulkan {}\n", info.driver, info.apiVersion);
    printOutput("   {:.1f} GiB, subgroups of {}, {} KiB of workgroup memory\n",
                static_cast<double>(info.memoryBytes) / kGiB, info.subgroupSize, info.workgroupMemoryBytes / 1024);
    if (!info.unusable.empty()) {
        printOutput("   cannot be used: {}\n", info.unusable);
    }
}

ExitCode listAll(bool json) {
    const std::vector<gpu::DeviceInfo> devices = gpu::listDevices();
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const gpu::DeviceInfo& info : devices) {
            list.push_back(toJson(info));
        }
        printOutput("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        for (const gpu::DeviceInfo& info : devices) {
            printDevice(info);
        }
    }
    if (devices.empty()) {
        fail(ExitCode::NoDevice, "Vulkan is there but found no device: is the driver of the GPU installed?");
    }
    return ExitCode::Done;
}

} // namespace

void addDevicesCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "devices", "List the Vulkan devices");
    const auto json = std::make_shared<bool>(false);
    addFlag(*command, "--json", *json, "Print JSON: an array with one object for each device");
    setFooter(*command, "Examples:\n"
                        "  aureole devices\n"
                        "  aureole devices --json\n"
                        "  aureole render scene.json -o out.exr --device 1\n"
                        "  aureole render scene.json -o out.exr --device uuid:0123456789abcdef0123456789abcdef");
    onParsed(*command, [json, &invocation] { invocation.run = [json] { return listAll(*json); }; });
}

} // namespace aureole::cli
