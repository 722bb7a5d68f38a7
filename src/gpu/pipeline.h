#pragma once

// Compute pipelines. Internal to the module.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

/// The words to give to the driver; `name` is that of what they are for.
std::vector<std::uint32_t> spirvOf(const Shader& shader, const std::string& name);
VkShaderModule createShaderModule(const Context& context, std::span<const std::uint32_t> spirv,
                                  const std::string& name);

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
    VkDescriptorSetLayout images = VK_NULL_HANDLE; ///< none unless asked for
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline handle = VK_NULL_HANDLE;

private:
    void createLayout();
    void createPipeline(VkShaderModule module, const PipelineOptions& options);
    void release();
};

} // namespace aureole::gpu
