#pragma once

// Images that shaders sample. Only benchmarks use them: all else is in buffers.

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/device.h"

namespace aureole::gpu {

/// An image of four fp16 channels, which shaders sample linearly between pixels, 0 outside, and store. Its contents are
/// undefined at first. Move-only owner.
class Image {
public:
    Image() = default;
    /// Throws Error (OutOfMemory).
    Image(const Device& device, std::uint32_t width, std::uint32_t height, const std::string& name);
    Image(Image&&) noexcept = default;
    Image& operator=(Image&&) noexcept = default;
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    ~Image() = default;

private:
    friend class ImageBinding;
    struct State;
    std::shared_ptr<State> state_;
};

/// What a dispatch of a pipeline with PipelineOptions::images reaches, in set 0: a sampler2D at binding 0, one at
/// binding 1, and at binding 2 an image2D (rgba16f) to store. They may be one and the same. Move-only owner.
class ImageBinding {
public:
    ImageBinding(const Image& first, const Image& second, const Image& target);
    ImageBinding(ImageBinding&&) noexcept = default;
    ImageBinding& operator=(ImageBinding&&) noexcept = default;
    ImageBinding(const ImageBinding&) = delete;
    ImageBinding& operator=(const ImageBinding&) = delete;
    ~ImageBinding() = default;

    /// For the dispatches of such a pipeline that follow. What they store is read behind a barrier().
    void bind(CommandEncoder& commands, const Pipeline& pipeline) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace aureole::gpu
