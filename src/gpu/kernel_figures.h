#pragma once

// What drivers tell of the kernels that they compile (VK_KHR_pipeline_executable_properties). Internal to the module.

#include "gpu/device.h"
#include "gpu/vulkan.h"

namespace aureole::gpu {

/// The functions of the extension; null where it is not enabled.
struct FigureFunctions {
    PFN_vkGetPipelineExecutablePropertiesKHR vkGetPipelineExecutablePropertiesKHR = nullptr;
    PFN_vkGetPipelineExecutableStatisticsKHR vkGetPipelineExecutableStatisticsKHR = nullptr;
};

/// What a pipeline has to be made with, so that the driver tells of it.
inline constexpr VkPipelineCreateFlags kFiguresFlag = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;

FigureFunctions loadFigureFunctions(const InstanceFunctions& instance, VkDevice device);

/// Throws Error (Internal, OutOfMemory) where the driver cannot tell.
KernelFigures readKernelFigures(const FigureFunctions& vk, VkDevice device, VkPipeline pipeline,
                                const std::string& name);

} // namespace aureole::gpu
