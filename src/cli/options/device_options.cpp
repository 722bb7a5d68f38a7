#include "cli/options/device_options.h"

#include "cli/options/arguments.h"
#include "core/error.h"

namespace aureole::cli {

namespace {

void addOptions(CLI::App& command, gpu::DeviceRequest& request, const std::string& help) {
    setGroup(
        addValue(command, "--device", "SELECTOR", help,
                 [&](const std::string& text) {
                     if (text.empty()) { // what a request has that leaves the choice to us
                         fail(ExitCode::Usage,
                              "--device: found '', expected an index of 'aureole devices', uuid:... or part of a name");
                     }
                     request.selector = text;
                 }),
        "Device");
    setGroup(addFlag(command, "--allow-cpu", request.allowCpu, "Take a software device even where there is a GPU"),
             "Device");
}

} // namespace

void addDeviceOptions(CLI::App& command, gpu::DeviceRequest& request) {
    addOptions(command, request, "Device: an index of 'aureole devices', uuid:..., or part of its name");
}

void addDevicesOptions(CLI::App& command, gpu::DeviceRequest& request) {
    addOptions(command, request,
               "Device: an index of 'aureole devices', uuid:..., or part of its name;\nseveral with commas, as in 0,1; "
               "or all, which is every GPU");
}

} // namespace aureole::cli
