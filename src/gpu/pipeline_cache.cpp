#include "gpu/pipeline_cache.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/trace.h"
#include "gpu/context.h"

namespace aureole::gpu {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

/// The start of a cache file; then come the key and the data.
struct Header {
    std::array<char, 8> magic = {'A', 'U', 'R', 'P', 'I', 'P', 'E', '2'};
    std::uint64_t keyBytes = 0;
    std::uint64_t dataBytes = 0;
    std::uint64_t checksum = 0; ///< of key and data
};

std::uint64_t checksumOf(std::span<const std::byte> key, std::span<const std::byte> data) {
    Hasher hasher;
    hasher.add(key.data(), key.size());
    hasher.add(data.data(), data.size());
    return hasher.value();
}

std::vector<std::byte> cacheKey(const Context& context) {
    auto identity = structure<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &identity;
    context.instance().vk().vkGetPhysicalDeviceProperties2(context.physical().handle, &properties);
    const auto& device = properties.properties;
    const std::string key = fmt::format("{} {} {} {} {} {}", device.vendorID, device.deviceID, device.driverVersion,
                                        fmt::join(device.pipelineCacheUUID, "."), fmt::join(identity.deviceUUID, "."),
                                        fmt::join(identity.driverUUID, "."));
    const auto bytes = std::as_bytes(std::span(key));
    return {bytes.begin(), bytes.end()};
}

/// The file's bytes; empty where there is none that can be read.
std::vector<std::byte> readCacheFile(const std::filesystem::path& path) {
    if (path.empty()) {
        return {};
    }
    try {
        return readFile(path, kMaxFileBytes);
    } catch (const std::exception&) {
        return {};
    }
}

std::vector<std::byte> driverData(const Context& context) {
    std::size_t size = 0;
    if (context.vk().vkGetPipelineCacheData(context.device(), context.pipelineCache(), &size, nullptr) != VK_SUCCESS) {
        return {};
    }
    std::vector<std::byte> data(size);
    if (context.vk().vkGetPipelineCacheData(context.device(), context.pipelineCache(), &size, data.data()) !=
        VK_SUCCESS) {
        return {};
    }
    data.resize(size);
    return data;
}

} // namespace

std::vector<std::byte> packCacheFile(std::span<const std::byte> key, std::span<const std::byte> data) {
    Header header;
    header.keyBytes = key.size();
    header.dataBytes = data.size();
    header.checksum = checksumOf(key, data);
    std::vector<std::byte> file(sizeof(header) + key.size() + data.size());
    std::memcpy(file.data(), &header, sizeof(header));
    const auto keyEnd = std::ranges::copy(key, file.begin() + sizeof(header)).out;
    std::ranges::copy(data, keyEnd);
    return file;
}

std::span<const std::byte> unpackCacheFile(std::span<const std::byte> key, std::span<const std::byte> file) {
    Header header;
    if (file.size() < sizeof(header) + key.size()) {
        return {};
    }
    std::memcpy(&header, file.data(), sizeof(header));
    const auto storedKey = file.subspan(sizeof(header), key.size());
    const auto data = file.subspan(sizeof(header) + key.size());
    const bool intact = header.magic == Header().magic && header.keyBytes == key.size() &&
                        header.dataBytes == data.size() && std::ranges::equal(storedKey, key) &&
                        header.checksum == checksumOf(key, data);
    return intact ? data : std::span<const std::byte>();
}

std::filesystem::path cacheFilePath(std::span<const std::byte> key) {
    const std::filesystem::path folder = cacheFolder();
    if (folder.empty()) {
        return {};
    }
    Hasher hasher;
    hasher.add(key.data(), key.size());
    return folder / ("pipelines-" + hasher.hex() + ".bin");
}

VkPipelineCache loadPipelineCache(const Context& context) {
    const TraceSpan span("load pipeline cache");
    const std::vector<std::byte> key = cacheKey(context);
    const std::vector<std::byte> file = readCacheFile(cacheFilePath(key));
    const std::span<const std::byte> data = unpackCacheFile(key, file);
    auto info = structure<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    if (context.vk().vkCreatePipelineCache(context.device(), &info, nullptr, &cache) != VK_SUCCESS) {
        return VK_NULL_HANDLE;
    }
    return cache;
}

void savePipelineCache(const Context& context) noexcept {
    // Shaders with checks hold addresses of this process alone.
    if (context.pipelineCache() == VK_NULL_HANDLE || context.bounds() != nullptr) {
        return;
    }
    const TraceSpan span("save pipeline cache");
    try {
        const std::vector<std::byte> key = cacheKey(context);
        const std::filesystem::path path = cacheFilePath(key);
        const std::vector<std::byte> data = driverData(context);
        if (path.empty() || data.empty() || data.size() > kMaxFileBytes / 2) {
            return;
        }
        const std::vector<std::byte> file = packCacheFile(key, data);
        if (file == readCacheFile(path)) {
            return;
        }
        std::filesystem::create_directories(path.parent_path());
        writeFileAtomically(path, file, FileSync::No);
    } catch (const std::exception&) {
        return; // a run without the cache is slower to start, and that is all
    }
}

} // namespace aureole::gpu
