#include "gpu/instance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/trace.h"
#include "gpu/device.h"

namespace aureole::gpu {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::atomic<std::uint64_t> allMessages = 0;

VkBool32 VKAPI_PTR onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                             VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* counter) {
    ++*static_cast<std::atomic<std::uint64_t>*>(counter);
    ++allMessages;
    logError("Vulkan validation: {}", data->pMessage);
    return VK_FALSE;
}

bool layerPresent(const char* name) {
    std::uint32_t count = 0;
    check(loader().vkEnumerateInstanceLayerProperties(&count, nullptr), "vkEnumerateInstanceLayerProperties", "Vulkan");
    std::vector<VkLayerProperties> layers(count);
    check(loader().vkEnumerateInstanceLayerProperties(&count, layers.data()), "vkEnumerateInstanceLayerProperties",
          "Vulkan");
    return std::any_of(layers.begin(), layers.end(),
                       [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, name) == 0; });
}

bool extensionPresent(const char* name) {
    std::uint32_t count = 0;
    check(loader().vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr),
          "vkEnumerateInstanceExtensionProperties", "Vulkan");
    std::vector<VkExtensionProperties> extensions(count);
    check(loader().vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data()),
          "vkEnumerateInstanceExtensionProperties", "Vulkan");
    return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
        return std::strcmp(extension.extensionName, name) == 0;
    });
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(std::atomic<std::uint64_t>& counter) {
    auto info = structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    info.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // The loader's own remarks, such as a driver it could not load, are of the general type and no fault of ours.
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    info.pfnUserCallback = onMessage;
    info.pUserData = &counter;
    return info;
}

} // namespace

std::uint64_t totalValidationMessages() {
    return allMessages;
}

Instance::Instance(const Validation& validation) {
    const TraceSpan span("Vulkan instance");
    if (validation.layer && !layerPresent(kValidationLayer)) {
        fail(ExitCode::Usage,
             "validation was asked for, but the layer {} is not installed (Debian: vulkan-validationlayers)",
             kValidationLayer);
    }
    const bool debugUtils = validation.layer || extensionPresent(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

    auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "aureole";
    application.apiVersion = VK_API_VERSION_1_3;

    const std::array<VkValidationFeatureEnableEXT, 1> checks = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(messages_);
    auto features = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    features.enabledValidationFeatureCount = static_cast<std::uint32_t>(checks.size());
    features.pEnabledValidationFeatures = checks.data();
    features.pNext = &messenger; // so that messages while the instance is made and destroyed count too

    auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pNext = validation.layer ? &features : nullptr;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = validation.layer ? 1 : 0;
    info.ppEnabledLayerNames = &kValidationLayer;
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    info.enabledExtensionCount = debugUtils ? 1 : 0;
    info.ppEnabledExtensionNames = &extension;

    const VkResult result = loader().vkCreateInstance(&info, nullptr, &handle_);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        fail(ExitCode::NoDevice, "no Vulkan driver found; install a GPU driver with Vulkan 1.3, or Mesa's software "
                                 "device (Debian: mesa-vulkan-drivers)");
    }
    check(result, "vkCreateInstance", "Vulkan");
    vk_ = loadInstanceFunctions(handle_);
    if (validation.layer) {
        const VkResult made = vk_.vkCreateDebugUtilsMessengerEXT(handle_, &messenger, nullptr, &messenger_);
        if (made != VK_SUCCESS) {
            vk_.vkDestroyInstance(handle_, nullptr);
            check(made, "vkCreateDebugUtilsMessengerEXT", "Vulkan");
        }
    }
}

void Instance::countMessage(const std::string& message) {
    ++messages_;
    ++allMessages;
    logError("memory accesses out of bounds: {}", message);
}

Instance::~Instance() {
    const TraceSpan span("end Vulkan instance");
    if (messenger_ != VK_NULL_HANDLE) {
        vk_.vkDestroyDebugUtilsMessengerEXT(handle_, messenger_, nullptr);
    }
    vk_.vkDestroyInstance(handle_, nullptr);
}

} // namespace aureole::gpu
