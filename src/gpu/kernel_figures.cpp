#include "gpu/kernel_figures.h"

#include <algorithm>
#include <array>
#include <map>

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

/// The opcodes and other numbers of the SPIR-V specification.
enum Spirv : std::uint32_t {
    ExecutionMode = 16,
    Constant = 43,
    SpecConstant = 50,
    SpecConstantComposite = 51,
    Decorate = 71,
    ExecutionModeId = 331,
    LocalSize = 17,
    LocalSizeId = 38,
    SpecId = 1,
    BuiltIn = 11,
    WorkgroupSize = 25
};

} // namespace

FigureFunctions loadFigureFunctions(const InstanceFunctions& instance, VkDevice device) {
    FigureFunctions functions;
    functions.vkGetPipelineExecutablePropertiesKHR = reinterpret_cast<PFN_vkGetPipelineExecutablePropertiesKHR>(
        instance.vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR"));
    functions.vkGetPipelineExecutableStatisticsKHR = reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(
        instance.vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR"));
    return functions;
}

std::vector<std::pair<std::string, double>> readKernelFigures(const FigureFunctions& vk, VkDevice device,
                                                              VkPipeline pipeline, const std::string& name) {
    std::vector<std::pair<std::string, double>> figures;
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
            figures.emplace_back(statistic.name, valueOf(statistic));
        }
    }
    return figures;
}

std::uint32_t workgroupWidth(std::span<const std::uint32_t> spirv, std::span<const Specialization> specialization) {
    constexpr std::uint32_t kHeaderWords = 5;
    std::map<std::uint32_t, std::uint32_t> constantIds; // of specialization constants, by their result
    std::map<std::uint32_t, std::uint32_t> values;      // of constants, by their result
    std::array<std::uint32_t, 3> size = {1, 1, 1};
    std::uint32_t builtIn = 0;      // the variable of the size
    std::vector<std::uint32_t> ids; // of the size's constants; both ways of naming them stand before these
    for (std::size_t at = kHeaderWords; at < spirv.size();) {
        const std::uint32_t words = std::max(spirv[at] >> 16U, 1U);
        const auto is = [&](std::uint32_t opcode, std::uint32_t least) {
            return (spirv[at] & 0xFFFFU) == opcode && words >= least;
        };
        const std::span<const std::uint32_t> operands = spirv.subspan(at + 1).first(words - 1);
        if (is(ExecutionMode, 6) && operands[1] == LocalSize) {
            std::ranges::copy(operands.subspan(2), size.begin());
        } else if ((is(ExecutionModeId, 6) && operands[1] == LocalSizeId) ||
                   (is(SpecConstantComposite, 6) && operands[1] == builtIn)) {
            ids.assign(operands.begin() + 2, operands.end());
        } else if (is(Decorate, 4) && operands[1] == SpecId) {
            constantIds[operands[0]] = operands[2];
        } else if (is(Decorate, 4) && operands[1] == BuiltIn && operands[2] == WorkgroupSize) {
            builtIn = operands[0];
        } else if (is(Constant, 4) || is(SpecConstant, 4)) {
            values[operands[1]] = operands[2];
            const auto given = std::ranges::find_if(specialization, [&](const Specialization& one) {
                return is(SpecConstant, 4) && one.id == constantIds[operands[1]];
            });
            if (given != specialization.end()) {
                values[operands[1]] = given->value;
            }
        }
        at += words;
    }
    if (ids.size() == size.size()) {
        std::ranges::transform(ids, size.begin(), [&](std::uint32_t id) { return values[id]; });
    }
    return size[0] * size[1] * size[2];
}

} // namespace aureole::gpu
