#pragma once

// Compiled pipelines kept on disk between runs. A cache that is missing, damaged, of another driver or not writable
// only costs time, so it is passed over quietly. Internal to the module.

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "gpu/vulkan.h"

namespace aureole::gpu {

class Context;

/// A cache file: a header with the key and a checksum, then the driver's data. `key` names device and driver.
std::vector<std::byte> packCacheFile(std::span<const std::byte> key, std::span<const std::byte> data);

/// The driver's data within a cache file; empty where the file is damaged or of another key.
std::span<const std::byte> unpackCacheFile(std::span<const std::byte> key, std::span<const std::byte> file);

/// Where the cache of that key lies; empty where there is no folder for caches.
std::filesystem::path cacheFilePath(std::span<const std::byte> key);

/// A pipeline cache with what the disk has for the device; VK_NULL_HANDLE where the driver makes none.
VkPipelineCache loadPipelineCache(const Context& context);

/// Writes the pipeline cache to disk where it has changed. Never throws.
void savePipelineCache(const Context& context) noexcept;

} // namespace aureole::gpu
