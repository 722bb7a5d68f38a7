#include "gpu/vulkan.h"

#include <dlfcn.h>

#include "core/error.h"

namespace aureole::gpu {

namespace {

template <typename Function>
Function required(PFN_vkVoidFunction function, const char* name) {
    if (function == nullptr) {
        fail(ExitCode::NoDevice, "the Vulkan driver lacks {}, expected Vulkan 1.3", name);
    }
    return reinterpret_cast<Function>(function);
}

} // namespace

LoaderFunctions openLoader(const char* library) {
    // Never closed: drivers and layers leave threads and exit handlers behind.
    void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        fail(ExitCode::NoDevice,
             "no Vulkan on this machine: {}; install a GPU driver with Vulkan 1.3, or Mesa's software device",
             ::dlerror()); // NOLINT(concurrency-mt-unsafe)
    }
    LoaderFunctions functions;
    functions.vkGetInstanceProcAddr =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(::dlsym(handle, "vkGetInstanceProcAddr"));
    if (functions.vkGetInstanceProcAddr == nullptr) {
        fail(ExitCode::NoDevice, "{} has no vkGetInstanceProcAddr, expected the Vulkan loader", library);
    }
#define AUREOLE_LOAD_FUNCTION(function)                                                                                \
    functions.function = required<PFN_##function>(functions.vkGetInstanceProcAddr(nullptr, #function), #function);
    AUREOLE_LOADER_FUNCTIONS(AUREOLE_LOAD_FUNCTION)
#undef AUREOLE_LOAD_FUNCTION
    std::uint32_t version = 0;
    check(functions.vkEnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion", library);
    if (version < VK_API_VERSION_1_3) {
        fail(ExitCode::NoDevice, "{} is of Vulkan {}.{}, expected 1.3 or newer", library, VK_API_VERSION_MAJOR(version),
             VK_API_VERSION_MINOR(version));
    }
    return functions;
}

const LoaderFunctions& loader() {
    static const LoaderFunctions functions = openLoader("libvulkan.so.1");
    return functions;
}

InstanceFunctions loadInstanceFunctions(VkInstance instance) {
    InstanceFunctions functions;
#define AUREOLE_LOAD_FUNCTION(function)                                                                                \
    functions.function = required<PFN_##function>(loader().vkGetInstanceProcAddr(instance, #function), #function);
    AUREOLE_INSTANCE_FUNCTIONS(AUREOLE_LOAD_FUNCTION)
#undef AUREOLE_LOAD_FUNCTION
#define AUREOLE_LOAD_FUNCTION(function)                                                                                \
    functions.function = reinterpret_cast<PFN_##function>(loader().vkGetInstanceProcAddr(instance, #function));
    AUREOLE_DEBUG_FUNCTIONS(AUREOLE_LOAD_FUNCTION)
#undef AUREOLE_LOAD_FUNCTION
    return functions;
}

DeviceFunctions loadDeviceFunctions(const InstanceFunctions& instance, VkDevice device) {
    DeviceFunctions functions;
#define AUREOLE_LOAD_FUNCTION(function)                                                                                \
    functions.function = required<PFN_##function>(instance.vkGetDeviceProcAddr(device, #function), #function);
    AUREOLE_DEVICE_FUNCTIONS(AUREOLE_LOAD_FUNCTION)
#undef AUREOLE_LOAD_FUNCTION
    return functions;
}

std::string_view resultName(VkResult result) {
    switch (result) {
#define AUREOLE_RESULT_NAME(name)                                                                                      \
    case name:                                                                                                         \
        return #name;
        AUREOLE_RESULT_NAME(VK_SUCCESS)
        AUREOLE_RESULT_NAME(VK_NOT_READY)
        AUREOLE_RESULT_NAME(VK_TIMEOUT)
        AUREOLE_RESULT_NAME(VK_INCOMPLETE)
        AUREOLE_RESULT_NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        AUREOLE_RESULT_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        AUREOLE_RESULT_NAME(VK_ERROR_INITIALIZATION_FAILED)
        AUREOLE_RESULT_NAME(VK_ERROR_DEVICE_LOST)
        AUREOLE_RESULT_NAME(VK_ERROR_MEMORY_MAP_FAILED)
        AUREOLE_RESULT_NAME(VK_ERROR_LAYER_NOT_PRESENT)
        AUREOLE_RESULT_NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        AUREOLE_RESULT_NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        AUREOLE_RESULT_NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        AUREOLE_RESULT_NAME(VK_ERROR_TOO_MANY_OBJECTS)
        AUREOLE_RESULT_NAME(VK_ERROR_INVALID_SHADER_NV)
        AUREOLE_RESULT_NAME(VK_ERROR_UNKNOWN)
#undef AUREOLE_RESULT_NAME
    default:
        return "an unlisted VkResult";
    }
}

void check(VkResult result, std::string_view call, std::string_view object) {
    switch (result) {
    case VK_SUCCESS:
        return;
    case VK_ERROR_DEVICE_LOST:
        fail(ExitCode::NoDevice, "{}: the device was lost in {}; its driver was reset or a dispatch ran for too long",
             object, call);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        fail(ExitCode::OutOfMemory, "{}: {} returned {}", object, call, resultName(result));
    default:
        fail(ExitCode::Internal, "{}: {} returned {} ({})", object, call, resultName(result), static_cast<int>(result));
    }
}

} // namespace aureole::gpu
