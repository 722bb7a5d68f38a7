#include "gpu/ray_tracer.h"

#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/trace.h"
#include "gpu/buffer.h"
#include "gpu/context.h"
#include "gpu/encoder.h"
#include "gpu/pipeline.h"

namespace aureole::gpu {

#define AUREOLE_RAY_FUNCTIONS(X)                                                                                       \
    X(vkGetAccelerationStructureBuildSizesKHR)                                                                         \
    X(vkCreateAccelerationStructureKHR)                                                                                \
    X(vkDestroyAccelerationStructureKHR)                                                                               \
    X(vkGetAccelerationStructureDeviceAddressKHR)                                                                      \
    X(vkCmdBuildAccelerationStructuresKHR)                                                                             \
    X(vkCmdWriteAccelerationStructuresPropertiesKHR)                                                                   \
    X(vkCmdCopyAccelerationStructureKHR)                                                                               \
    X(vkCreateRayTracingPipelinesKHR)                                                                                  \
    X(vkGetRayTracingShaderGroupHandlesKHR)                                                                            \
    X(vkCmdTraceRaysKHR)

struct RayFunctions {
#define AUREOLE_DECLARE_FUNCTION(function) PFN_##function function = nullptr;
    AUREOLE_RAY_FUNCTIONS(AUREOLE_DECLARE_FUNCTION)
#undef AUREOLE_DECLARE_FUNCTION
};

namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR |
                                       VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR;

constexpr VkBuildAccelerationStructureFlagsKHR kBuild = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR |
                                                        VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR;

RayFunctions loadRayFunctions(const Context& context) {
    RayFunctions functions;
#define AUREOLE_LOAD_FUNCTION(function)                                                                                \
    functions.function =                                                                                               \
        reinterpret_cast<PFN_##function>(context.instance().vk().vkGetDeviceProcAddr(context.device(), #function));
    AUREOLE_RAY_FUNCTIONS(AUREOLE_LOAD_FUNCTION)
#undef AUREOLE_LOAD_FUNCTION
    return functions;
}

/// What a hierarchy is built over: boxes, or the one instance of what was built over these.
struct Input {
    VkAccelerationStructureTypeKHR type;
    VkAccelerationStructureGeometryKHR geometry;
    std::uint32_t count;
};

Input inputOfBoxes(const Buffer& boxes, std::uint32_t count) {
    auto geometry =
        structure<VkAccelerationStructureGeometryKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
    geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
    geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
    geometry.geometry.aabbs = structure<VkAccelerationStructureGeometryAabbsDataKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR);
    geometry.geometry.aabbs.data.deviceAddress = boxes.address();
    geometry.geometry.aabbs.stride = sizeof(VkAabbPositionsKHR);
    return {VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, geometry, count};
}

Input inputOfInstance(const Buffer& instance) {
    auto geometry =
        structure<VkAccelerationStructureGeometryKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
    geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
    geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
    geometry.geometry.instances = structure<VkAccelerationStructureGeometryInstancesDataKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR);
    geometry.geometry.instances.data.deviceAddress = instance.address();
    return {VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry, 1};
}

/// The groups of a pipeline's stages, which they name by their places: of generation, of misses, and of hits.
std::array<VkRayTracingShaderGroupCreateInfoKHR, 3> shaderGroups() {
    std::array<VkRayTracingShaderGroupCreateInfoKHR, 3> groups{};
    for (VkRayTracingShaderGroupCreateInfoKHR& group : groups) {
        group =
            structure<VkRayTracingShaderGroupCreateInfoKHR>(VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR);
        group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR;
        group.generalShader = group.closestHitShader = group.anyHitShader = group.intersectionShader =
            VK_SHADER_UNUSED_KHR;
    }
    groups[0].generalShader = 0;
    groups[1].generalShader = 1;
    groups[2].type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
    groups[2].closestHitShader = 2;
    groups[2].intersectionShader = 3;
    return groups;
}

} // namespace

struct RayTracer::State {
    State(std::shared_ptr<Context> owner, std::string label);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    struct Hierarchy {
        Buffer memory;
        std::unique_ptr<std::remove_pointer_t<VkAccelerationStructureKHR>,
                        std::function<void(VkAccelerationStructureKHR)>>
            handle;
    };

    Hierarchy makeHierarchy(const Device& device, VkAccelerationStructureTypeKHR type, std::uint64_t size) const;
    Hierarchy build(const Device& device, const Input& input) const;
    Hierarchy compact(const Device& device, const Hierarchy& from) const;
    std::uint64_t addressOf(const Hierarchy& hierarchy) const;
    void createPipeline(const RayTracerOptions& options);
    void makeTable(const Device& device);

    std::shared_ptr<Context> context;
    RayFunctions functions;
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR limits{};
    std::uint64_t scratchAlignment = 0;
    std::string name;
    std::uint32_t pushConstantBytes = 0;
    Hierarchy boxes;
    Hierarchy top;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    Buffer table;
    std::array<VkStridedDeviceAddressRegionKHR, 3> regions{}; ///< of generation, miss and hit
};

RayTracer::State::State(std::shared_ptr<Context> owner, std::string label)
    : context(std::move(owner))
    , name(std::move(label)) {
    if (!context->tracesRays()) {
        fail(ExitCode::Internal, "'{}': '{}' has no ray-tracing pipelines, or was opened without them", name,
             context->physical().info.name);
    }
    functions = loadRayFunctions(*context);
    limits = structure<VkPhysicalDeviceRayTracingPipelinePropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR);
    auto hierarchies = structure<VkPhysicalDeviceAccelerationStructurePropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR);
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &limits;
    limits.pNext = &hierarchies;
    context->instance().vk().vkGetPhysicalDeviceProperties2(context->physical().handle, &properties);
    limits.pNext = nullptr;
    scratchAlignment = hierarchies.minAccelerationStructureScratchOffsetAlignment;
}

RayTracer::State::~State() {
    context->vk().vkDestroyPipeline(context->device(), pipeline, nullptr);
    context->vk().vkDestroyPipelineLayout(context->device(), layout, nullptr);
}

RayTracer::State::Hierarchy RayTracer::State::makeHierarchy(const Device& device, VkAccelerationStructureTypeKHR type,
                                                            std::uint64_t size) const {
    Hierarchy made;
    made.memory = device.createBuffer(size, MemoryKind::Device, name + ", hierarchy");
    auto info =
        structure<VkAccelerationStructureCreateInfoKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR);
    info.buffer = made.memory.state_->allocation.buffer;
    info.size = size;
    info.type = type;
    VkAccelerationStructureKHR handle = VK_NULL_HANDLE;
    check(functions.vkCreateAccelerationStructureKHR(context->device(), &info, nullptr, &handle),
          "vkCreateAccelerationStructureKHR", name);
    made.handle = {handle, [destroy = functions.vkDestroyAccelerationStructureKHR, owner = context->device()](
                               VkAccelerationStructureKHR old) { destroy(owner, old, nullptr); }};
    return made;
}

RayTracer::State::Hierarchy RayTracer::State::build(const Device& device, const Input& input) const {
    auto info = structure<VkAccelerationStructureBuildGeometryInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR);
    info.type = input.type;
    info.flags = kBuild;
    info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
    info.geometryCount = 1;
    info.pGeometries = &input.geometry;
    auto sizes = structure<VkAccelerationStructureBuildSizesInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR);
    functions.vkGetAccelerationStructureBuildSizesKHR(
        context->device(), VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &input.count, &sizes);
    const Buffer scratch =
        device.createBuffer(sizes.buildScratchSize + scratchAlignment, MemoryKind::Device, name + ", scratch");
    Hierarchy made = makeHierarchy(device, input.type, sizes.accelerationStructureSize);
    info.dstAccelerationStructure = made.handle.get();
    info.scratchData.deviceAddress = roundUp(scratch.address(), scratchAlignment);
    VkAccelerationStructureBuildRangeInfoKHR range{};
    range.primitiveCount = input.count;
    const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
    CommandEncoder commands = device.encoder();
    functions.vkCmdBuildAccelerationStructuresKHR(commands.state_->slot.commands, 1, &info, &ranges);
    device.submit(std::move(commands)).wait();
    return made;
}

RayTracer::State::Hierarchy RayTracer::State::compact(const Device& device, const Hierarchy& from) const {
    auto info = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR;
    info.queryCount = 1;
    VkAccelerationStructureKHR old = from.handle.get();
    VkQueryPool pool = VK_NULL_HANDLE;
    check(context->vk().vkCreateQueryPool(context->device(), &info, nullptr, &pool), "vkCreateQueryPool", name);
    CommandEncoder asking = device.encoder();
    VkCommandBuffer recorded = asking.state_->slot.commands;
    context->vk().vkCmdResetQueryPool(recorded, pool, 0, 1);
    functions.vkCmdWriteAccelerationStructuresPropertiesKHR(recorded, 1, &old, info.queryType, pool, 0);
    device.submit(std::move(asking)).wait();
    std::uint64_t size = 0;
    const VkResult result =
        context->vk().vkGetQueryPoolResults(context->device(), pool, 0, 1, sizeof(size), &size, sizeof(size),
                                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    context->vk().vkDestroyQueryPool(context->device(), pool, nullptr);
    check(result, "vkGetQueryPoolResults", name);

    Hierarchy made = makeHierarchy(device, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, size);
    auto copy = structure<VkCopyAccelerationStructureInfoKHR>(VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR);
    copy.src = old;
    copy.dst = made.handle.get();
    copy.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
    CommandEncoder commands = device.encoder();
    functions.vkCmdCopyAccelerationStructureKHR(commands.state_->slot.commands, &copy);
    device.submit(std::move(commands)).wait();
    return made;
}

std::uint64_t RayTracer::State::addressOf(const Hierarchy& hierarchy) const {
    auto info = structure<VkAccelerationStructureDeviceAddressInfoKHR>(
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR);
    info.accelerationStructure = hierarchy.handle.get();
    return functions.vkGetAccelerationStructureDeviceAddressKHR(context->device(), &info);
}

void RayTracer::State::createPipeline(const RayTracerOptions& options) {
    pushConstantBytes = options.pushConstantBytes;
    const VkPushConstantRange push{kStages, 0, pushConstantBytes};
    auto layoutInfo = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &push;
    check(context->vk().vkCreatePipelineLayout(context->device(), &layoutInfo, nullptr, &layout),
          "vkCreatePipelineLayout", name);

    // In the order of shaderGroups.
    const std::array<std::pair<const Shader*, VkShaderStageFlagBits>, 4> sources = {
        {{&options.generation, VK_SHADER_STAGE_RAYGEN_BIT_KHR},
         {&options.miss, VK_SHADER_STAGE_MISS_BIT_KHR},
         {&options.hit, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
         {&options.intersection, VK_SHADER_STAGE_INTERSECTION_BIT_KHR}}};
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    for (const auto& [shader, stage] : sources) {
        stages.push_back(
            structure<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
        stages.back().stage = stage;
        stages.back().module = createShaderModule(*context, spirvOf(*shader, name), name);
        stages.back().pName = "main";
    }
    const std::array groups = shaderGroups();
    auto info = structure<VkRayTracingPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR);
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.groupCount = static_cast<std::uint32_t>(groups.size());
    info.pGroups = groups.data();
    info.maxPipelineRayRecursionDepth = 1;
    info.layout = layout;
    const VkResult result = functions.vkCreateRayTracingPipelinesKHR(
        context->device(), VK_NULL_HANDLE, context->pipelineCache(), 1, &info, nullptr, &pipeline);
    for (const VkPipelineShaderStageCreateInfo& stage : stages) {
        context->vk().vkDestroyShaderModule(context->device(), stage.module, nullptr);
    }
    check(result, "vkCreateRayTracingPipelinesKHR", name);
    context->setName(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(pipeline), name);
}

/// A region for each group, of one handle.
void RayTracer::State::makeTable(const Device& device) {
    const std::uint32_t size = limits.shaderGroupHandleSize;
    std::vector<std::byte> handles(regions.size() * size);
    check(functions.vkGetRayTracingShaderGroupHandlesKHR(context->device(), pipeline, 0,
                                                         static_cast<std::uint32_t>(regions.size()), handles.size(),
                                                         handles.data()),
          "vkGetRayTracingShaderGroupHandlesKHR", name);
    const std::uint64_t stride =
        roundUp(roundUp(size, limits.shaderGroupHandleAlignment), limits.shaderGroupBaseAlignment);
    const std::uint64_t slack = limits.shaderGroupBaseAlignment;
    table = device.createBuffer(regions.size() * stride + slack, MemoryKind::Device, name + ", shaders");
    const std::uint64_t first = roundUp(table.address(), limits.shaderGroupBaseAlignment);
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const std::uint64_t address = first + i * stride;
        device.upload(table, address - table.address(), std::span(handles).subspan(i * size, size));
        regions.at(i) = {address, stride, stride};
    }
}

RayTracer::RayTracer(const Device& device, const RayTracerOptions& options, const Buffer& boxes, std::uint32_t count)
    : state_(std::make_shared<State>(boxes.state_->context, options.name)) {
    const TraceSpan span("hierarchy");
    state_->boxes = state_->compact(device, state_->build(device, inputOfBoxes(boxes, count)));
    VkAccelerationStructureInstanceKHR instance{};
    for (int axis = 0; axis < 3; ++axis) {
        instance.transform.matrix[axis][axis] = 1.0F;
    }
    instance.mask = 0xFF;
    instance.accelerationStructureReference = state_->addressOf(state_->boxes);
    const Buffer instances = device.createBufferWith(std::span<const VkAccelerationStructureInstanceKHR>(&instance, 1),
                                                     options.name + ", instance");
    state_->top = state_->build(device, inputOfInstance(instances));
    state_->createPipeline(options);
    state_->makeTable(device);
}

std::uint64_t RayTracer::hierarchy() const {
    return state_->addressOf(state_->top);
}

std::uint64_t RayTracer::bytes() const {
    return state_->boxes.memory.size() + state_->top.memory.size();
}

void RayTracer::recordBytes(CommandEncoder& commands, std::span<const std::byte> push, std::uint32_t rays) const {
    if (push.size() != state_->pushConstantBytes || rays > state_->limits.maxRayDispatchInvocationCount) {
        fail(ExitCode::Internal, "'{}': {} rays with {} bytes of push constants, expected at most {} with {}",
             state_->name, rays, push.size(), state_->limits.maxRayDispatchInvocationCount, state_->pushConstantBytes);
    }
    const DeviceFunctions& vk = state_->context->vk();
    VkCommandBuffer recorded = commands.state_->slot.commands;
    vk.vkCmdBindPipeline(recorded, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, state_->pipeline);
    vk.vkCmdPushConstants(recorded, state_->layout, kStages, 0, state_->pushConstantBytes, push.data());
    const VkStridedDeviceAddressRegionKHR none{};
    state_->functions.vkCmdTraceRaysKHR(recorded, state_->regions.data(), &state_->regions[1], &state_->regions[2],
                                        &none, rays, 1, 1);
    commands.state_->kept.insert(state_);
}

} // namespace aureole::gpu
