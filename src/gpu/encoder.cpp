#include "gpu/encoder.h"

#include "core/error.h"
#include "gpu/buffer.h"
#include "gpu/pipeline.h"

namespace aureole::gpu {

namespace {

/// The state of a buffer or pipeline that commands are to use, which must be made and of the same device.
template <typename State>
const State& usable(const std::shared_ptr<State>& state, const std::shared_ptr<Context>& context, const char* call) {
    if (!state) {
        fail(ExitCode::Internal, "{}: a default-constructed or moved-from object, expected one made by the device",
             call);
    }
    if (state->context != context) {
        fail(ExitCode::Internal, "{}: '{}' belongs to another device", call, state->name);
    }
    return *state;
}

constexpr Accesses kAnyWrite{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT};
constexpr Accesses kAnything{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                             VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
constexpr Accesses kShaderWrite{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT};
constexpr Accesses kDispatch{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
                                 VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT};
constexpr Accesses kHostRead{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};

} // namespace

CommandEncoder::State::State(std::shared_ptr<Context> owner)
    : context(std::move(owner))
    , slot(context->takeSlot()) {}

void CommandEncoder::State::begin() {
    auto info = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(context->vk().vkBeginCommandBuffer(slot.commands, &info), "vkBeginCommandBuffer", "commands");
    // Submissions on one queue start in order but may overlap; this makes each see what the earlier ones wrote.
    barrier(kAnyWrite, kAnything);
    if (context->timeline() != nullptr) {
        writeTimestamp();
    }
}

CommandEncoder::State::~State() {
    if (slot.pool != VK_NULL_HANDLE) {
        context->returnSlot(std::move(slot));
    }
}

void CommandEncoder::State::barrier(const Accesses& from, const Accesses& to) {
    auto memory = structure<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    memory.srcStageMask = from.stages;
    memory.srcAccessMask = from.access;
    memory.dstStageMask = to.stages;
    memory.dstAccessMask = to.access;
    auto info = structure<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.memoryBarrierCount = 1;
    info.pMemoryBarriers = &memory;
    context->vk().vkCmdPipelineBarrier2(slot.commands, &info);
}

void CommandEncoder::State::writeTimestamp() {
    const std::uint32_t pool = timestamps / kQueriesPerPool;
    const std::uint32_t query = timestamps % kQueriesPerPool;
    if (pool == slot.queries.size()) {
        auto info = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = kQueriesPerPool;
        VkQueryPool made = VK_NULL_HANDLE;
        check(context->vk().vkCreateQueryPool(context->device(), &info, nullptr, &made), "vkCreateQueryPool",
              "timestamps");
        slot.queries.push_back(made);
    }
    if (query == 0) {
        context->vk().vkCmdResetQueryPool(slot.commands, slot.queries[pool], 0, kQueriesPerPool);
    }
    context->vk().vkCmdWriteTimestamp2(slot.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.queries[pool], query);
    ++timestamps;
}

void CommandEncoder::State::finish() {
    if (!passes.empty() || context->timeline() != nullptr) {
        writeTimestamp();
    }
    barrier(kAnyWrite, kHostRead);
    check(context->vk().vkEndCommandBuffer(slot.commands), "vkEndCommandBuffer", "commands");
}

CommandEncoder::CommandEncoder(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CommandEncoder::CommandEncoder(CommandEncoder&&) noexcept = default;
CommandEncoder& CommandEncoder::operator=(CommandEncoder&&) noexcept = default;
CommandEncoder::~CommandEncoder() = default;

void CommandEncoder::State::bind(const std::shared_ptr<Pipeline::State>& pipeline, std::span<const std::byte> push) {
    const Pipeline::State& state = usable(pipeline, context, "dispatch");
    if (push.size() != state.pushConstantBytes) {
        fail(ExitCode::Internal, "dispatch of '{}': {} bytes of push constants, expected {}", state.name, push.size(),
             state.pushConstantBytes);
    }
    if (bound != state.handle) {
        context->vk().vkCmdBindPipeline(slot.commands, VK_PIPELINE_BIND_POINT_COMPUTE, state.handle);
        bound = state.handle;
        kept.insert(pipeline);
    }
    if (!push.empty()) {
        context->vk().vkCmdPushConstants(slot.commands, state.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                         state.pushConstantBytes, push.data());
    }
}

void CommandEncoder::dispatchBytes(const Pipeline& pipeline, std::span<const std::byte> push, std::uint32_t groupsX,
                                   std::uint32_t groupsY, std::uint32_t groupsZ) {
    state_->bind(pipeline.state_, push);
    const auto& most = state_->context->physical().maxGroups;
    if (groupsX > most[0] || groupsY > most[1] || groupsZ > most[2]) {
        fail(ExitCode::Internal, "dispatch of '{}': {} x {} x {} workgroups, expected at most {} x {} x {}",
             pipeline.state_->name, groupsX, groupsY, groupsZ, most[0], most[1], most[2]);
    }
    state_->context->vk().vkCmdDispatch(state_->slot.commands, groupsX, groupsY, groupsZ);
}

void CommandEncoder::dispatchIndirectBytes(const Pipeline& pipeline, std::span<const std::byte> push,
                                           const Buffer& groups, std::uint64_t offset) {
    const Buffer::State& from = usable(groups.state_, state_->context, "dispatch");
    checkRange("dispatch", from.name, from.bytes, offset, sizeof(VkDispatchIndirectCommand));
    if (offset % 4 != 0) {
        fail(ExitCode::Internal, "dispatch: offset {} in buffer '{}', expected a multiple of 4", offset, from.name);
    }
    state_->bind(pipeline.state_, push);
    state_->context->vk().vkCmdDispatchIndirect(state_->slot.commands, from.allocation.buffer, offset);
    state_->kept.insert(groups.state_);
}

void CommandEncoder::barrier() {
    state_->barrier(kAnyWrite, kAnything);
}

void CommandEncoder::dispatchBarrier() {
    state_->barrier(kShaderWrite, kDispatch);
}

void CommandEncoder::copy(const Buffer& source, std::uint64_t sourceOffset, const Buffer& target,
                          std::uint64_t targetOffset, std::uint64_t bytes) {
    const Buffer::State& from = usable(source.state_, state_->context, "copy");
    const Buffer::State& to = usable(target.state_, state_->context, "copy");
    checkRange("copy", from.name, from.bytes, sourceOffset, bytes);
    checkRange("copy", to.name, to.bytes, targetOffset, bytes);
    if (bytes == 0) {
        return;
    }
    if (&from == &to && sourceOffset < targetOffset + bytes && targetOffset < sourceOffset + bytes) {
        fail(ExitCode::Internal, "copy: {} bytes from {} to {} of buffer '{}' overlap", bytes, sourceOffset,
             targetOffset, to.name);
    }
    const VkBufferCopy region{sourceOffset, targetOffset, bytes};
    state_->context->vk().vkCmdCopyBuffer(state_->slot.commands, from.allocation.buffer, to.allocation.buffer, 1,
                                          &region);
    state_->kept.insert(source.state_);
    state_->kept.insert(target.state_);
}

void CommandEncoder::fill(const Buffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
    const Buffer::State& to = usable(target.state_, state_->context, "fill");
    checkRange("fill", to.name, to.bytes, offset, bytes);
    if (offset % 4 != 0 || bytes % 4 != 0) {
        fail(ExitCode::Internal, "fill: offset {} and size {} in buffer '{}', expected multiples of 4", offset, bytes,
             to.name);
    }
    if (bytes == 0) {
        return;
    }
    state_->context->vk().vkCmdFillBuffer(state_->slot.commands, to.allocation.buffer, offset, bytes, word);
    state_->kept.insert(target.state_);
}

void CommandEncoder::beginPass(std::string name) {
    if (state_->wholeOnly) {
        return;
    }
    state_->writeTimestamp();
    state_->passes.push_back(std::move(name));
}

void CommandEncoder::beginWhole(std::string name) {
    beginPass(std::move(name));
    state_->wholeOnly = true;
}

} // namespace aureole::gpu
