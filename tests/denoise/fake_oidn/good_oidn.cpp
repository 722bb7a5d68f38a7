// What aureole calls of Open Image Denoise 2.x, with a network that is easily foretold:
//   albedo alone   a + 1/8
//   normal alone   n / 2
//   colour         c / 2, and where they are there, + albedo + normal
// and + 16 by balanced quality, + 32 by fast quality. A filter that is not set up as the real one's documentation asks
// for fails. The environment variable AUREOLE_TEST_OIDN lets something go wrong: "version" is that of 1.4.3, "old" that
// of 2.2.0, which has no fast quality, "device" has no device that works, "gpu" has a GPU, the fastest device, "memory"
// runs out of it in a filter.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct Device {
    int type = 1;
    int error = 0;
    const char* message = nullptr;

    void fail(int code, const char* why) {
        error = code;
        message = why;
    }
};

struct Buffer {
    std::vector<float> values;
};

struct Filter {
    Device* device = nullptr;
    std::map<std::string, Buffer*> images{};
    std::map<std::string, bool> flags{};
    int quality = 0;
    std::size_t pixels = 0;
    bool committed = false;
};

bool goesWrong(const char* how) {
    const char* const asked = std::getenv("AUREOLE_TEST_OIDN"); // NOLINT(concurrency-mt-unsafe)
    return asked != nullptr && std::strcmp(asked, how) == 0;
}

/// Of devices that could not be made.
Device& nobody() {
    static Device device;
    return device;
}

Device* makeDevice(int type, bool works) {
    if (!works || goesWrong("device")) {
        nobody().fail(5, "no such device");
        return nullptr;
    }
    return new Device{type};
}

} // namespace

extern "C" {

Device* oidnNewDevice(int type);
Device* oidnNewDevice(int type) {
    return makeDevice(type != 0 ? type : goesWrong("gpu") ? 3 : 1, true);
}

Device* oidnNewDeviceByUUID(const void* uuid);
Device* oidnNewDeviceByUUID(const void* uuid) {
    // The tests ask for the UUID 0123...
    return makeDevice(3, goesWrong("gpu") && static_cast<const unsigned char*>(uuid)[1] == 0x23);
}

void oidnCommitDevice(Device* device);
void oidnCommitDevice(Device* /*device*/) {}

int oidnGetDeviceInt(Device* device, const char* name);
int oidnGetDeviceInt(Device* device, const char* name) {
    if (std::strcmp(name, "type") == 0) {
        return device->type;
    }
    return goesWrong("version") ? 10403 : goesWrong("old") ? 20200 : 20304;
}

int oidnGetDeviceError(Device* device, const char** message);
int oidnGetDeviceError(Device* device, const char** message) {
    Device& told = device == nullptr ? nobody() : *device;
    const int error = told.error;
    *message = told.message;
    told.fail(0, nullptr);
    return error;
}

void oidnReleaseDevice(Device* device);
void oidnReleaseDevice(Device* device) {
    delete device;
}

Buffer* oidnNewBuffer(Device* device, std::size_t bytes);
Buffer* oidnNewBuffer(Device* /*device*/, std::size_t bytes) {
    return new Buffer{std::vector<float>(bytes / sizeof(float))};
}

void oidnWriteBuffer(Buffer* buffer, std::size_t offset, std::size_t bytes, const void* from);
void oidnWriteBuffer(Buffer* buffer, std::size_t offset, std::size_t bytes, const void* from) {
    std::memcpy(reinterpret_cast<char*>(buffer->values.data()) + offset, from, bytes);
}

void oidnReadBuffer(Buffer* buffer, std::size_t offset, std::size_t bytes, void* to);
void oidnReadBuffer(Buffer* buffer, std::size_t offset, std::size_t bytes, void* to) {
    std::memcpy(to, reinterpret_cast<const char*>(buffer->values.data()) + offset, bytes);
}

void oidnReleaseBuffer(Buffer* buffer);
void oidnReleaseBuffer(Buffer* buffer) {
    delete buffer;
}

Filter* oidnNewFilter(Device* device, const char* type);
Filter* oidnNewFilter(Device* device, const char* type) {
    if (std::strcmp(type, "RT") != 0) {
        device->fail(2, "unknown filter type");
        return nullptr;
    }
    return new Filter{device};
}

void oidnSetFilterImage(Filter* filter, const char* name, Buffer* buffer, int format, std::size_t width,
                        std::size_t height, std::size_t offset, std::size_t pixelStride, std::size_t rowStride);
void oidnSetFilterImage(Filter* filter, const char* name, Buffer* buffer, int format, std::size_t width,
                        std::size_t height, std::size_t offset, std::size_t pixelStride, std::size_t rowStride) {
    if (format != 3 || offset != 0 || pixelStride != 0 || rowStride != 0 ||
        buffer->values.size() != 3 * width * height) {
        filter->device->fail(2, "an image that is not as expected");
    }
    filter->images[name] = buffer;
    filter->pixels = width * height;
}

void oidnSetFilterBool(Filter* filter, const char* name, bool value);
void oidnSetFilterBool(Filter* filter, const char* name, bool value) {
    filter->flags[name] = value;
}

void oidnSetFilterInt(Filter* filter, const char* name, int value);
void oidnSetFilterInt(Filter* filter, const char* name, int value) {
    if (std::strcmp(name, "quality") == 0) {
        filter->quality = value;
    }
}

void oidnCommitFilter(Filter* filter);
void oidnCommitFilter(Filter* filter) {
    filter->committed = true;
}

void oidnExecuteFilter(Filter* filter);
void oidnExecuteFilter(Filter* filter) {
    const auto image = [&](const char* name) {
        const auto found = filter->images.find(name);
        return found == filter->images.end() ? nullptr : found->second->values.data();
    };
    const float* const colour = image("color");
    const float* const albedo = image("albedo");
    const float* const normal = image("normal");
    float* const output = image("output");
    const bool aux = colour != nullptr && albedo != nullptr;
    const int fastest = goesWrong("old") ? 5 : 4;
    if (!filter->committed || filter->quality < fastest || filter->quality > 6 || output == nullptr ||
        filter->flags["hdr"] != (colour != nullptr) || filter->flags["cleanAux"] != aux ||
        (colour != nullptr && normal != nullptr && albedo == nullptr) ||
        (colour == nullptr && (albedo != nullptr) == (normal != nullptr))) {
        filter->device->fail(3, "a filter that is not set up as expected");
        return;
    }
    if (goesWrong("memory")) {
        filter->device->fail(4, "out of memory");
        return;
    }
    const float ofQuality = 16.0F * static_cast<float>(6 - filter->quality);
    for (std::size_t i = 0; i < 3 * filter->pixels; ++i) {
        if (colour == nullptr) {
            output[i] = ofQuality + (albedo != nullptr ? albedo[i] + 0.125F : normal[i] / 2.0F);
        } else {
            output[i] = ofQuality + colour[i] / 2.0F + (albedo != nullptr ? albedo[i] : 0.0F) +
                        (normal != nullptr ? normal[i] : 0.0F);
        }
    }
}

void oidnReleaseFilter(Filter* filter);
void oidnReleaseFilter(Filter* filter) {
    delete filter;
}
}
