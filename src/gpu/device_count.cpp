#include "gpu/device_count.h"

#include "gpu/selection.h"

namespace aureole::gpu {

std::size_t countDevices(const DeviceRequest& request) {
    return selectDevices(listDevices(), request).size();
}

} // namespace aureole::gpu
