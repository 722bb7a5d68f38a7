#include "cli/device_options.h"

#include "cli/arguments.h"

namespace aureole::cli {

void addDeviceOptions(CLI::App& command, gpu::DeviceRequest& request) {
    addValue(command, "--device", "SELECTOR", "Device: an index of 'aureole devices', uuid:..., or part of its name",
             [&](const std::string& text) { request.selector = text; })
        ->group("Device");
    command.add_flag("--allow-cpu", request.allowCpu, "Take a software device even where there is a GPU")
        ->group("Device");
}

} // namespace aureole::cli
