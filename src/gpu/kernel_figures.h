#pragma once

// Figures of kernels: their width, and what drivers tell of them (VK_KHR_pipeline_executable_properties). Internal to
// the module.

#include <cstdint>
#include <span>

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

/// KernelFigures::fromDriver. Throws Error (Internal, OutOfMemory) where the driver cannot tell.
std::vector<std::pair<std::string, double>> readKernelFigures(const FigureFunctions& vk, VkDevice device,
                                                              VkPipeline pipeline, const std::string& name);

/// The invocations of a workgroup of a compute shader, given as SPIR-V, with those specialization constants.
std::uint32_t workgroupWidth(std::span<const std::uint32_t> spirv, std::span<const Specialization> specialization);

} // namespace aureole::gpu
