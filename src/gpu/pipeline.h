#pragma once

// Compute pipelines. Internal to the module.

#include <memory>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

struct Pipeline::State {
    State(std::shared_ptr<Context> owner, const PipelineOptions& options);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    std::shared_ptr<Context> context;
    std::string name;
    std::uint32_t pushConstantBytes = 0;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline handle = VK_NULL_HANDLE;

private:
    void createLayout();
    void createPipeline(VkShaderModule module, const PipelineOptions& options);
    void release();
};

} // namespace aureole::gpu
