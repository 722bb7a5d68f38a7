#include "gpu/image.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "gpu/allocation.h"
#include "gpu/buffer.h"
#include "gpu/context.h"
#include "gpu/encoder.h"
#include "gpu/image_layout.h"
#include "gpu/pipeline.h"

namespace aureole::gpu {

namespace {

constexpr VkFormat kFormat = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr std::array kTypes = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                               VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

} // namespace

VkDescriptorSetLayout makeImageLayout(const Context& context, const std::string& name) {
    std::array<VkDescriptorSetLayoutBinding, kTypes.size()> bindings{};
    for (std::uint32_t i = 0; i < bindings.size(); ++i) {
        bindings.at(i) = {i, kTypes.at(i), 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    }
    auto info = structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    check(context.vk().vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &layout),
          "vkCreateDescriptorSetLayout", name);
    return layout;
}

struct Image::State {
    explicit State(std::shared_ptr<Context> owner)
        : context(std::move(owner)) {}
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    void createImage(std::uint32_t width, std::uint32_t height, const std::string& name);
    void createView(const std::string& name);
    void createSampler(const std::string& name);

    std::shared_ptr<Context> context;
    VkImage image = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
};

Image::State::~State() {
    const DeviceFunctions& vk = context->vk();
    vk.vkDestroySampler(context->device(), sampler, nullptr);
    vk.vkDestroyImageView(context->device(), view, nullptr);
    vk.vkDestroyImage(context->device(), image, nullptr);
    vk.vkFreeMemory(context->device(), memory, nullptr);
}

void Image::State::createImage(std::uint32_t width, std::uint32_t height, const std::string& name) {
    const DeviceFunctions& vk = context->vk();
    auto info = structure<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = kFormat;
    info.extent = {width, height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    check(vk.vkCreateImage(context->device(), &info, nullptr, &image), "vkCreateImage", name);
    VkMemoryRequirements requirements;
    vk.vkGetImageMemoryRequirements(context->device(), image, &requirements);
    auto allocation = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.allocationSize = requirements.size;
    allocation.memoryTypeIndex = chooseMemoryType(context->memory(), requirements.memoryTypeBits, MemoryKind::Device);
    check(vk.vkAllocateMemory(context->device(), &allocation, nullptr, &memory), "vkAllocateMemory", name);
    check(vk.vkBindImageMemory(context->device(), image, memory, 0), "vkBindImageMemory", name);
    context->setName(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(image), name);
}

void Image::State::createView(const std::string& name) {
    auto info = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    info.image = image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = kFormat;
    info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    check(context->vk().vkCreateImageView(context->device(), &info, nullptr, &view), "vkCreateImageView", name);
}

void Image::State::createSampler(const std::string& name) {
    auto info = structure<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    info.magFilter = VK_FILTER_LINEAR;
    info.minFilter = VK_FILTER_LINEAR;
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    check(context->vk().vkCreateSampler(context->device(), &info, nullptr, &sampler), "vkCreateSampler", name);
}

Image::Image(const Device& device, std::uint32_t width, std::uint32_t height, const std::string& name) {
    CommandEncoder commands = device.encoder();
    state_ = std::make_shared<State>(commands.state_->context);
    state_->createImage(width, height, name);
    state_->createView(name);
    state_->createSampler(name);
    // In the layout that suits all uses, for good.
    auto barrier = structure<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.image = state_->image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    auto info = structure<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    state_->context->vk().vkCmdPipelineBarrier2(commands.state_->slot.commands, &info);
    device.submit(std::move(commands)).wait();
}

struct ImageBinding::State {
    explicit State(std::array<std::shared_ptr<Image::State>, kTypes.size()> of)
        : images(std::move(of))
        , context(images[0]->context) {}
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    void create();

    std::array<std::shared_ptr<Image::State>, kTypes.size()> images;
    std::shared_ptr<Context> context;
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
};

void ImageBinding::State::create() {
    layout = makeImageLayout(*context, "images");
    const DeviceFunctions& vk = context->vk();
    const std::array<VkDescriptorPoolSize, 2> sizes = {
        {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2}, {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}}};
    auto poolInfo = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    poolInfo.maxSets = 1;
    poolInfo.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    poolInfo.pPoolSizes = sizes.data();
    check(vk.vkCreateDescriptorPool(context->device(), &poolInfo, nullptr, &pool), "vkCreateDescriptorPool", "images");
    auto info = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    check(vk.vkAllocateDescriptorSets(context->device(), &info, &set), "vkAllocateDescriptorSets", "images");
    std::array<VkDescriptorImageInfo, kTypes.size()> what{};
    std::array<VkWriteDescriptorSet, kTypes.size()> writes{};
    for (std::uint32_t i = 0; i < writes.size(); ++i) {
        what.at(i) = {images.at(i)->sampler, images.at(i)->view, VK_IMAGE_LAYOUT_GENERAL};
        writes.at(i) = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        writes.at(i).dstSet = set;
        writes.at(i).dstBinding = i;
        writes.at(i).descriptorCount = 1;
        writes.at(i).descriptorType = kTypes.at(i);
        writes.at(i).pImageInfo = &what.at(i);
    }
    vk.vkUpdateDescriptorSets(context->device(), static_cast<std::uint32_t>(writes.size()), writes.data(), 0, nullptr);
}

ImageBinding::State::~State() {
    context->vk().vkDestroyDescriptorPool(context->device(), pool, nullptr);
    context->vk().vkDestroyDescriptorSetLayout(context->device(), layout, nullptr);
}

ImageBinding::ImageBinding(const Image& first, const Image& second, const Image& target)
    : state_(std::make_shared<State>(
          std::array<std::shared_ptr<Image::State>, kTypes.size()>{first.state_, second.state_, target.state_})) {
    state_->create();
}

void ImageBinding::bind(CommandEncoder& commands, const Pipeline& pipeline) const {
    CommandEncoder::State& recorded = *commands.state_;
    recorded.context->vk().vkCmdBindDescriptorSets(recorded.slot.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                   pipeline.state_->layout, 0, 1, &state_->set, 0, nullptr);
    recorded.kept.insert(state_);
}

} // namespace aureole::gpu
