#pragma once

// Rays through boxes by the device's own hierarchies and ray-tracing pipelines, where it has them. Only benchmarks use
// it.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "gpu/device.h"

namespace aureole::gpu {

struct RayTracerOptions {
    std::string name{}; ///< for messages
    Shader generation{};
    Shader intersection{}; ///< of a box, whose number is gl_PrimitiveID
    Shader hit{};          ///< of the closest box
    Shader miss{};
    std::uint32_t pushConstantBytes = 0; ///< at most 128, for all four
};

/// A hierarchy over boxes with a pipeline that traces rays through it; move-only owner.
class RayTracer {
public:
    /// Builds the hierarchy, compacted, over boxes of six floats: least x, y, z, greatest x, y, z. They may go then.
    /// The device has ray tracing and was opened for it (DeviceRequest::rayTracing). Throws Error (OutOfMemory,
    /// Internal).
    RayTracer(const Device& device, const RayTracerOptions& options, const Buffer& boxes, std::uint32_t count);
    RayTracer(RayTracer&&) noexcept = default;
    RayTracer& operator=(RayTracer&&) noexcept = default;
    RayTracer(const RayTracer&) = delete;
    RayTracer& operator=(const RayTracer&) = delete;
    ~RayTracer() = default;

    /// What accelerationStructureEXT() is made of in shaders.
    std::uint64_t hierarchy() const;
    std::uint64_t bytes() const; ///< of the hierarchy

    /// Records the shader of generation for so many rays, along x.
    template <typename Push>
    requires std::is_trivially_copyable_v<Push>
    void record(CommandEncoder& commands, const Push& push, std::uint32_t rays) const {
        recordBytes(commands, std::as_bytes(std::span(&push, 1)), rays);
    }
    void recordBytes(CommandEncoder& commands, std::span<const std::byte> push, std::uint32_t rays) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace aureole::gpu
