#include "denoise/oidn.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/log.h"
#include "core/stopwatch.h"

namespace aureole {

namespace {

constexpr int kMajorVersion = 2;
constexpr int kFirstWithFast = 20300; ///< 2.3.0, as the library numbers versions

struct BufferDeleter {
    const OidnFunctions* functions;
    void operator()(OidnBufferObject* buffer) const { functions->releaseBuffer(buffer); }
};
struct FilterDeleter {
    const OidnFunctions* functions;
    void operator()(OidnFilterObject* filter) const { functions->releaseFilter(filter); }
};
using OwnedBuffer = std::unique_ptr<OidnBufferObject, BufferDeleter>;
using OwnedFilter = std::unique_ptr<OidnFilterObject, FilterDeleter>;

/// The 16 bytes of a UUID; none where the text is none.
std::optional<std::array<std::uint8_t, 16>> uuidBytes(const std::string& text) {
    std::array<std::uint8_t, 16> bytes{};
    if (text.size() != 2 * bytes.size()) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char* const first = text.data() + 2 * i;
        if (std::from_chars(first, first + 2, bytes.at(i), 16).ptr != first + 2) {
            return std::nullopt;
        }
    }
    return bytes;
}

const char* nameOf(OidnDeviceType type) {
    switch (type) {
    case OidnDeviceType::Cpu:
        return "the CPU";
    case OidnDeviceType::Cuda:
        return "the GPU by CUDA";
    case OidnDeviceType::Hip:
        return "the GPU by HIP";
    case OidnDeviceType::Sycl:
        return "the GPU by SYCL";
    case OidnDeviceType::Metal:
        return "the GPU by Metal";
    }
    return "a device of unknown type";
}

OidnQuality oidnQuality(DenoiseQuality quality) {
    switch (quality) {
    case DenoiseQuality::Fast:
        return OidnQuality::Fast;
    case DenoiseQuality::Balanced:
        return OidnQuality::Balanced;
    case DenoiseQuality::High:
        break;
    }
    return OidnQuality::High;
}

} // namespace

Oidn::Oidn(OidnLibrary library, DenoiseQuality quality)
    : library_(std::move(library))
    , quality_(quality) {}

Oidn::~Oidn() {
    if (device_ != nullptr) {
        library_.functions.releaseDevice(device_);
    }
}

std::unique_ptr<Oidn> Oidn::open(const std::string& gpuUuid, DenoiseQuality quality) {
    std::optional<OidnLibrary> library = openOidnLibrary();
    if (!library) {
        return nullptr;
    }
    std::unique_ptr<Oidn> oidn(new Oidn(std::move(*library), quality));
    const OidnFunctions& functions = oidn->library_.functions;
    const auto uuid = uuidBytes(gpuUuid);
    const bool onGpu = uuid && oidn->openDevice(functions.newDeviceByUuid(uuid->data()));
    if (!onGpu && !oidn->openDevice(functions.newDevice(OidnDeviceType::Cpu))) {
        fail(ExitCode::NoDevice, "{}: found no device that Open Image Denoise can use: {}", oidn->library_.file,
             oidn->failure_);
    }
    return oidn;
}

/// Takes over a device, or null. Returns whether it works.
bool Oidn::openDevice(OidnDeviceObject* device) {
    const OidnFunctions& functions = library_.functions;
    if (device != nullptr) {
        checkVersion(device);
        functions.commitDevice(device);
    }
    const char* message = nullptr;
    if (functions.getDeviceError(device, &message) != OidnError::None || device == nullptr) {
        failure_ = message == nullptr ? "no reason given" : message;
        if (device != nullptr) {
            functions.releaseDevice(device);
        }
        return false;
    }
    device_ = device;
    const int version = functions.getDeviceInt(device, "version");
    if (quality_ == DenoiseQuality::Fast && version < kFirstWithFast) {
        logWarning("found the denoiser's quality 'fast' with Open Image Denoise {}.{}, expected 2.3 or newer: "
                   "'balanced' it is",
                   version / 10000, version / 100 % 100);
        quality_ = DenoiseQuality::Balanced;
    }
    name_ = fmt::format("Open Image Denoise {}.{}.{} on {}, {} quality", version / 10000, version / 100 % 100,
                        version % 100, nameOf(static_cast<OidnDeviceType>(functions.getDeviceInt(device, "type"))),
                        denoiseQualityNames().at(static_cast<std::size_t>(quality_)));
    return true;
}

/// A library of another major version has functions of these names that mean something else.
void Oidn::checkVersion(OidnDeviceObject* device) const {
    const int version = library_.functions.getDeviceInt(device, "version");
    if (version / 10000 != kMajorVersion) {
        library_.functions.releaseDevice(device);
        fail(ExitCode::Usage, "{}: found Open Image Denoise {}.{}.{}, expected version {}", library_.file,
             version / 10000, version / 100 % 100, version % 100, kMajorVersion);
    }
}

/// Throws what the device noted last.
void Oidn::checkError() const {
    const char* message = nullptr;
    const OidnError error = library_.functions.getDeviceError(device_, &message);
    if (error != OidnError::None) {
        fail(error == OidnError::OutOfMemory ? ExitCode::OutOfMemory : ExitCode::Internal, "{}: {}", name_,
             message == nullptr ? "no reason given" : message);
    }
}

/// Runs the filter for path-traced pictures on planes of 3 floats a pixel. They are copied to buffers of the device, as
/// a GPU need not reach this process's memory.
std::vector<float> Oidn::run(std::uint32_t width, std::uint32_t height, const std::vector<Plane>& planes,
                             const Options& options) {
    const OidnFunctions& functions = library_.functions;
    const std::size_t bytes = std::size_t{3} * width * height * sizeof(float);
    std::vector<OwnedBuffer> buffers; // they outlive the filter
    const OwnedFilter filter(functions.newFilter(device_, "RT"), {&functions});
    checkError();
    const auto addBuffer = [&](const char* name) {
        buffers.push_back(OwnedBuffer(functions.newBuffer(device_, bytes), {&functions}));
        checkError();
        functions.setFilterImage(filter.get(), name, buffers.back().get(), OidnFormat::Float3, width, height, 0, 0, 0);
        return buffers.back().get();
    };
    for (const auto& [name, values] : planes) {
        functions.writeBuffer(addBuffer(name), 0, bytes, values->data());
    }
    OidnBufferObject* const output = addBuffer("output");
    functions.setFilterBool(filter.get(), "hdr", options.hdr);
    functions.setFilterBool(filter.get(), "cleanAux", options.cleanAux);
    functions.setFilterInt(filter.get(), "quality", static_cast<int>(oidnQuality(quality_)));
    functions.commitFilter(filter.get());
    const Stopwatch clock;
    functions.executeFilter(filter.get()); // which waits
    milliseconds_ += 1e3 * clock.seconds();
    checkError();
    std::vector<float> result(std::size_t{3} * width * height);
    functions.readBuffer(output, 0, bytes, result.data());
    checkError();
    return result;
}

DenoiseInput Oidn::withCleanFeatures(DenoiseInput input) {
    if (input.albedo.empty()) {
        input.normal.clear();
        return input;
    }
    input.albedo = run(input.width, input.height, {{"albedo", &input.albedo}}, {});
    if (!input.normal.empty()) {
        input.normal = run(input.width, input.height, {{"normal", &input.normal}}, {});
    }
    return input;
}

std::vector<float> Oidn::denoise(const DenoiseInput& clean) {
    std::vector<Plane> planes = {{"color", &clean.colour}};
    if (!clean.albedo.empty()) {
        planes.emplace_back("albedo", &clean.albedo);
    }
    if (!clean.normal.empty()) {
        planes.emplace_back("normal", &clean.normal);
    }
    return run(clean.width, clean.height, planes, {.hdr = true, .cleanAux = planes.size() > 1});
}

} // namespace aureole
