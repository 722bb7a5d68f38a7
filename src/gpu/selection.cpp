#include "gpu/selection.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "core/lines.h"
#include "core/lower_case.h"
#include "core/suggest.h"

namespace aureole::gpu {

namespace {

constexpr std::string_view kUuidPrefix = "uuid:";
constexpr std::string_view kAll = "all";

std::string uuidDigits(std::string_view text) {
    std::string digits = lowerCase(text);
    std::erase(digits, '-');
    return digits;
}

std::string describeAll(std::span<const DeviceInfo> devices) {
    if (devices.empty()) {
        return "found no Vulkan device; install a GPU driver with Vulkan 1.3, or Mesa's software device";
    }
    std::string text = "found";
    for (const DeviceInfo& device : devices) {
        text += fmt::format("{} {}: '{}' (uuid:{}{}{}{})", &device == devices.data() ? "" : ";", device.index,
                            device.name, device.uuid, device.isCpu ? ", software" : "",
                            device.unusable.empty() ? "" : ", unusable: ", device.unusable);
    }
    return text;
}

bool matches(const DeviceInfo& device, const std::string& selector, bool byIndex) {
    if (selector.empty()) {
        return true;
    }
    if (byIndex) {
        return std::to_string(device.index) == selector;
    }
    if (selector.starts_with(kUuidPrefix)) {
        return uuidDigits(device.uuid) == uuidDigits(std::string_view(selector).substr(kUuidPrefix.size()));
    }
    return lowerCase(device.name).find(lowerCase(selector)) != std::string::npos;
}

/// A selector of digits is an index where there is such a device. Longer ones may else be a part of a name (4090), but
/// 9 must not find the 4090.
bool isIndex(std::span<const DeviceInfo> devices, const std::string& selector) {
    const bool digits = !selector.empty() && selector.find_first_not_of("0123456789") == std::string::npos;
    return digits && (selector.size() <= 2 ||
                      std::any_of(devices.begin(), devices.end(),
                                  [&](const DeviceInfo& device) { return std::to_string(device.index) == selector; }));
}

std::string suggestion(std::span<const DeviceInfo> devices, const std::string& selector) {
    std::vector<std::string> names;
    for (const DeviceInfo& device : devices) {
        if (selector.starts_with(kUuidPrefix)) {
            names.push_back(std::string(kUuidPrefix) + device.uuid);
        } else {
            names.push_back(device.name);
            // A part of the name is what people type, so its words are candidates too.
            for (std::size_t begin = 0; begin < device.name.size();) {
                const std::size_t end = std::min(device.name.find(' ', begin), device.name.size());
                names.push_back(device.name.substr(begin, end - begin));
                begin = end + 1;
            }
        }
    }
    return didYouMean(selector, names);
}

bool better(const DeviceInfo& a, const DeviceInfo& b) {
    return std::tuple(!a.isCpu, a.isDiscrete, a.memoryBytes) > std::tuple(!b.isCpu, b.isDiscrete, b.memoryBytes);
}

/// The places of all that `fits`.
template <typename Fits>
std::vector<std::size_t> placesOf(std::span<const DeviceInfo> devices, Fits fits) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].unusable.empty() && fits(devices[i])) {
            places.push_back(i);
        }
    }
    return places;
}

std::vector<std::size_t> selectAll(std::span<const DeviceInfo> devices, bool allowCpu) {
    std::vector<std::size_t> places = placesOf(devices, [](const DeviceInfo& device) { return !device.isCpu; });
    if (places.empty() && allowCpu) {
        places = placesOf(devices, [](const DeviceInfo& device) { return device.isCpu; });
    }
    if (places.empty()) {
        fail(ExitCode::NoDevice, "no usable hardware device{}; {}",
             allowCpu ? ", nor a software one" : "; software ones are taken only with --allow-cpu",
             describeAll(devices));
    }
    return places;
}

bool isBlank(const std::string& text) {
    return text.find_first_not_of(" \t") == std::string::npos;
}

/// Refuses a selector with nothing at one of its commas; of itself, a comma is a part of many names.
void checkPlaces(const std::string& selector) {
    const std::vector<std::string> words = splitList(selector);
    if (!selector.empty() && std::any_of(words.begin(), words.end(), isBlank)) {
        fail(ExitCode::Usage,
             "--device: found '{}', expected an index of 'aureole devices', uuid:... or part of a name, or several of "
             "them separated by single commas",
             selector);
    }
}

} // namespace

bool selectsSeveral(std::span<const DeviceInfo> devices, const std::string& selector) {
    return selector == kAll ||
           (selector.find(',') != std::string::npos && std::none_of(devices.begin(), devices.end(), [&](const auto& d) {
                return matches(d, selector, false); // names have commas too
            }));
}

std::vector<std::size_t> selectDevices(std::span<const DeviceInfo> devices, const DeviceRequest& request) {
    checkPlaces(request.selector);
    if (request.selector == kAll) {
        return selectAll(devices, request.allowCpu);
    }
    if (!selectsSeveral(devices, request.selector)) {
        return {selectDevice(devices, request)};
    }
    std::vector<std::size_t> places;
    std::map<std::size_t, std::string> names;
    for (const std::string& name : splitList(request.selector)) {
        if (name == kAll) {
            fail(ExitCode::Usage, "--device: found '{}' in '{}', expected it alone", kAll, request.selector);
        }
        DeviceRequest one = request;
        one.selector = name;
        const std::size_t place = selectDevice(devices, one);
        const auto [before, isNew] = names.try_emplace(place, name);
        if (!isNew && before->second != name) {
            fail(ExitCode::Usage,
                 "--device: found '{}' and '{}', which are the same device ('{}'), expected different ones; the same "
                 "name twice opens it twice",
                 before->second, name, devices[place].name);
        }
        places.push_back(place);
    }
    return places;
}

std::size_t selectDevice(std::span<const DeviceInfo> devices, const DeviceRequest& request) {
    checkPlaces(request.selector);
    if (selectsSeveral(devices, request.selector)) {
        fail(ExitCode::Usage, "--device: found '{}', expected one device here: several are for aureole render",
             request.selector);
    }
    const bool softwareAllowed = request.allowCpu || std::all_of(devices.begin(), devices.end(),
                                                                 [](const DeviceInfo& device) { return device.isCpu; });
    const bool byIndex = isIndex(devices, request.selector);
    const DeviceInfo* best = nullptr;
    const DeviceInfo* forbidden = nullptr;
    const DeviceInfo* unusable = nullptr;
    for (const DeviceInfo& device : devices) {
        if (!matches(device, request.selector, byIndex)) {
            continue;
        }
        if (!device.unusable.empty()) {
            unusable = &device;
        } else if (device.isCpu && !softwareAllowed) {
            forbidden = &device;
        } else if (best == nullptr || better(device, *best)) {
            best = &device;
        }
    }
    if (best != nullptr) {
        return static_cast<std::size_t>(best - devices.data());
    }
    if (forbidden != nullptr) {
        fail(ExitCode::NoDevice,
             "no usable hardware device{}; '{}' runs on the CPU and is taken only with --allow-cpu; {}",
             request.selector.empty() ? "" : " fits '" + request.selector + "'", forbidden->name, describeAll(devices));
    }
    if (unusable != nullptr) {
        fail(ExitCode::NoDevice, "device '{}' {}; {}", unusable->name, unusable->unusable, describeAll(devices));
    }
    if (request.selector.empty()) {
        fail(ExitCode::NoDevice, "no usable device; {}", describeAll(devices));
    }
    fail(ExitCode::NoDevice, "no device fits '{}'{}; {}", request.selector, suggestion(devices, request.selector),
         describeAll(devices));
}

} // namespace aureole::gpu
