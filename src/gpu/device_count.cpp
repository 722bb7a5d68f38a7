#include "gpu/device_count.h"

#include "gpu/selection.h"

namespace aureole::gpu {

std::vector<std::uint32_t> deviceIndices(const DeviceRequest& request) {
    const std::vector<DeviceInfo> devices = listDevices();
    std::vector<std::uint32_t> indices;
    for (const std::size_t place : selectDevices(devices, request)) {
        indices.push_back(devices[place].index);
    }
    return indices;
}

std::size_t countDevices(const DeviceRequest& request) {
    return selectDevices(listDevices(), request).size();
}

} // namespace aureole::gpu
