#include "gpu/pipeline.h"

#include <bit>

#include "core/error.h"
#include "gpu/image_layout.h"
#include "gpu/kernel_figures.h"

namespace aureole::gpu {

namespace {

constexpr std::uint32_t kSpirvMagic = 0x07230203;

void checkOptions(const PhysicalDevice& physical, const PipelineOptions& options) {
    if (options.pushConstantBytes > physical.maxPushConstantBytes || options.pushConstantBytes % 4 != 0) {
        fail(ExitCode::Internal, "pipeline '{}': {} bytes of push constants, expected a multiple of 4 of at most {}",
             options.name, options.pushConstantBytes, physical.maxPushConstantBytes);
    }
    const std::uint32_t size = options.requiredSubgroupSize;
    if (size == 0) {
        return;
    }
    const DeviceInfo& info = physical.info;
    const bool fixed = !physical.subgroupSizeSelectable;
    const std::uint32_t least = fixed ? info.subgroupSize : info.minSubgroupSize;
    const std::uint32_t most = fixed ? info.subgroupSize : info.maxSubgroupSize;
    if (!std::has_single_bit(size) || size < least || size > most) {
        fail(ExitCode::Internal, "pipeline '{}': subgroup size {}, expected a power of two from {} to {} on '{}'",
             options.name, size, least, most, info.name);
    }
}

} // namespace

std::vector<std::uint32_t> spirvOf(const Shader& shader, const std::string& name) {
    std::vector<std::uint32_t> words = unpackShader(shader, name);
    if (words.empty() || words[0] != kSpirvMagic) {
        fail(ExitCode::Internal, "pipeline '{}': {} words that are no SPIR-V", name, words.size());
    }
    return words;
}

VkShaderModule createShaderModule(const Context& context, std::span<const std::uint32_t> spirv,
                                  const std::string& name) {
    auto info = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv.size_bytes();
    info.pCode = spirv.data();
    VkShaderModule module = VK_NULL_HANDLE;
    check(context.vk().vkCreateShaderModule(context.device(), &info, nullptr, &module), "vkCreateShaderModule",
          fmt::format("pipeline '{}'", name));
    return module;
}

Pipeline::State::State(std::shared_ptr<Context> owner, const PipelineOptions& options)
    : context(std::move(owner))
    , name(options.name)
    , pushConstantBytes(options.pushConstantBytes) {
    checkOptions(context->physical(), options);
    std::vector<std::uint32_t> spirv = spirvOf(options.shader, name);
    if (context->bounds() != nullptr) {
        const auto locked = context->lock();
        spirv = context->bounds()->instrument(spirv, name);
    }
    VkShaderModule module = createShaderModule(*context, spirv, name);
    try {
        if (options.images) {
            images = makeImageLayout(*context, fmt::format("pipeline '{}'", name));
        }
        createLayout();
        createPipeline(module, options);
        if (context->keepsFigures()) {
            context->noteKernel(handle, {name, workgroupWidth(spirv, options.specialization), {}, options.figures});
        }
    } catch (...) {
        context->vk().vkDestroyShaderModule(context->device(), module, nullptr);
        release();
        throw;
    }
    context->vk().vkDestroyShaderModule(context->device(), module, nullptr);
}

Pipeline::State::~State() {
    release();
}

void Pipeline::State::createLayout() {
    VkPushConstantRange range{};
    range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    range.size = pushConstantBytes;
    auto info = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.pushConstantRangeCount = pushConstantBytes > 0 ? 1 : 0;
    info.pPushConstantRanges = &range;
    info.setLayoutCount = images != VK_NULL_HANDLE ? 1 : 0;
    info.pSetLayouts = &images;
    check(context->vk().vkCreatePipelineLayout(context->device(), &info, nullptr, &layout), "vkCreatePipelineLayout",
          fmt::format("pipeline '{}'", name));
}

void Pipeline::State::createPipeline(VkShaderModule module, const PipelineOptions& options) {
    std::vector<VkSpecializationMapEntry> entries;
    entries.reserve(options.specialization.size());
    for (const Specialization& constant : options.specialization) {
        const auto index = static_cast<std::uint32_t>(&constant - options.specialization.data());
        const auto offset =
            static_cast<std::uint32_t>(index * sizeof(Specialization) + offsetof(Specialization, value));
        entries.push_back({constant.id, offset, sizeof(constant.value)});
    }
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<std::uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = options.specialization.size() * sizeof(Specialization);
    specialization.pData = options.specialization.data();

    auto subgroup = structure<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    subgroup.requiredSubgroupSize = options.requiredSubgroupSize;

    auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &specialization;
    if (options.requiredSubgroupSize != 0) {
        info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
        // Without the structure the size is the device's own, which checkOptions has found to be the one asked for.
        // Where there is but one size the structure would only limit the subgroups of a workgroup.
        const PhysicalDevice& physical = context->physical();
        const bool oneSize = physical.info.minSubgroupSize == physical.info.maxSubgroupSize;
        info.stage.pNext = physical.subgroupSizeSelectable && !oneSize ? &subgroup : nullptr;
    }
    info.layout = layout;
    info.flags = context->driverTells() ? kFiguresFlag : 0;
    check(
        context->vk().vkCreateComputePipelines(context->device(), context->pipelineCache(), 1, &info, nullptr, &handle),
        "vkCreateComputePipelines", fmt::format("pipeline '{}'", name));
    context->setName(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(handle), name);
}

void Pipeline::State::release() {
    context->vk().vkDestroyPipeline(context->device(), handle, nullptr);
    context->vk().vkDestroyPipelineLayout(context->device(), layout, nullptr);
    context->vk().vkDestroyDescriptorSetLayout(context->device(), images, nullptr);
}

} // namespace aureole::gpu
