#pragma once

// The functions of Open Image Denoise 2.x that aureole calls, found in its library at run time: nothing depends on it
// when aureole is built. Types and numbers are those of its C API ("Open Image Denoise API", openimagedenoise.org).

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace aureole {

struct OidnDeviceObject;
struct OidnBufferObject;
struct OidnFilterObject;

enum class OidnDeviceType : int { Cpu = 1, Sycl = 2, Cuda = 3, Hip = 4, Metal = 5 };
enum class OidnError : int { None = 0, OutOfMemory = 4 };
enum class OidnFormat : int { Float3 = 3 };
enum class OidnQuality : int { Fast = 4, Balanced = 5, High = 6 }; ///< of filters; Fast since 2.3

struct OidnFunctions {
    OidnDeviceObject* (*newDevice)(OidnDeviceType type) = nullptr;
    OidnDeviceObject* (*newDeviceByUuid)(const void* uuid) = nullptr; ///< of 16 bytes
    void (*commitDevice)(OidnDeviceObject* device) = nullptr;
    int (*getDeviceInt)(OidnDeviceObject* device, const char* name) = nullptr;
    /// Asked of a null device, it tells why none was made. The message lives until the next call.
    OidnError (*getDeviceError)(OidnDeviceObject* device, const char** message) = nullptr;
    void (*releaseDevice)(OidnDeviceObject* device) = nullptr;
    OidnBufferObject* (*newBuffer)(OidnDeviceObject* device, std::size_t bytes) = nullptr;
    void (*writeBuffer)(OidnBufferObject* buffer, std::size_t offset, std::size_t bytes, const void* from) = nullptr;
    void (*readBuffer)(OidnBufferObject* buffer, std::size_t offset, std::size_t bytes, void* to) = nullptr;
    void (*releaseBuffer)(OidnBufferObject* buffer) = nullptr;
    OidnFilterObject* (*newFilter)(OidnDeviceObject* device, const char* type) = nullptr;
    void (*setFilterImage)(OidnFilterObject* filter, const char* name, OidnBufferObject* buffer, OidnFormat format,
                           std::size_t width, std::size_t height, std::size_t offset, std::size_t pixelStride,
                           std::size_t rowStride) = nullptr;
    void (*setFilterBool)(OidnFilterObject* filter, const char* name, bool value) = nullptr;
    void (*setFilterInt)(OidnFilterObject* filter, const char* name, int value) = nullptr;
    void (*commitFilter)(OidnFilterObject* filter) = nullptr;
    void (*executeFilter)(OidnFilterObject* filter) = nullptr;
    void (*releaseFilter)(OidnFilterObject* filter) = nullptr;
};

struct OidnLibrary {
    std::string file; ///< what messages call it
    OidnFunctions functions;
};

/// Opens lib/libOpenImageDenoise.so.2 of the folder that the environment variable AUREOLE_OIDN names, such as that of a
/// release; without the variable, of the folder oidn of dataFolder() (core/file.h), where tools/denoiser.sh installs
/// it, or else the library that the system's linker finds. It stays open. None where it is nowhere. Throws Error
/// (Usage) where it cannot be opened or lacks a function, and where the variable names a folder without it.
std::optional<OidnLibrary> openOidnLibrary();

} // namespace aureole
