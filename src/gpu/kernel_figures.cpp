#include "gpu/kernel_figures.h"

namespace aureole::gpu {

namespace {

double valueOf(const VkPipelineExecutableStatisticKHR& statistic) {
    switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic.value.b32 != VK_FALSE ? 1.0 : 0.0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return static_cast<double>(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        return static_cast<double>(statistic.value.u64);
    default:
        return statistic.value.f64;
    }
}

} // namespace

FigureFunctions loadFigureFunctions(const InstanceFunctions& instance, VkDevice device) {
    FigureFunctions functions;
    functions.vkGetPipelineExecutablePropertiesKHR = reinterpret_cast<PFN_vkGetPipelineExecutablePropertiesKHR>(
        instance.vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR"));
    functions.vkGetPipelineExecutableStatisticsKHR = reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(
        instance.vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR"));
    return functions;
}

KernelFigures readKernelFigures(const FigureFunctions& vk, VkDevice device, VkPipeline pipeline,
                                const std::string& name) {
    KernelFigures kernel{name, {}};
    auto whose = structure<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
    whose.pipeline = pipeline;
    std::uint32_t executables = 0;
    check(vk.vkGetPipelineExecutablePropertiesKHR(device, &whose, &executables, nullptr),
          "vkGetPipelineExecutablePropertiesKHR", name);
    for (std::uint32_t i = 0; i < executables; ++i) {
        auto executable = structure<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
        executable.pipeline = pipeline;
        executable.executableIndex = i;
        std::uint32_t count = 0;
        check(vk.vkGetPipelineExecutableStatisticsKHR(device, &executable, &count, nullptr),
              "vkGetPipelineExecutableStatisticsKHR", name);
        std::vector<VkPipelineExecutableStatisticKHR> statistics(
            count, structure<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
        check(vk.vkGetPipelineExecutableStatisticsKHR(device, &executable, &count, statistics.data()),
              "vkGetPipelineExecutableStatisticsKHR", name);
        for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
            kernel.figures.emplace_back(statistic.name, valueOf(statistic));
        }
    }
    return kernel;
}

} // namespace aureole::gpu
