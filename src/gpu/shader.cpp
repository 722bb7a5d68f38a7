#include "gpu/shader.h"

#include <memory>

#include <zstd.h>

#include "core/error.h"

namespace aureole::gpu {

namespace {

/// The largest shader is a quarter of a megabyte; with names and lines some more.
constexpr unsigned long long kMaxBytes = 64ULL << 20U;

std::vector<std::uint32_t> unpackFrame(std::span<const std::byte> frame, std::span<const std::byte> dictionary,
                                       const std::string& name) {
    const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (bytes > kMaxBytes || bytes % sizeof(std::uint32_t) != 0) { // the two results that tell of errors are large
        fail(ExitCode::Internal, "shader '{}': {} bytes that are no compressed SPIR-V", name, frame.size());
    }
    std::vector<std::uint32_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint32_t));
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> state(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    const std::size_t done =
        ZSTD_decompress_usingDict(state.get(), words.data(), static_cast<std::size_t>(bytes), frame.data(),
                                  frame.size(), dictionary.data(), dictionary.size());
    if (ZSTD_isError(done) != 0 || done != bytes) {
        fail(ExitCode::Internal, "shader '{}': {} bytes that are no compressed SPIR-V: {}", name, frame.size(),
             ZSTD_isError(done) != 0 ? ZSTD_getErrorName(done) : "cut short");
    }
    return words;
}

} // namespace

std::vector<std::uint32_t> unpackShader(const Shader& shader, const std::string& name) {
    if (shader.empty()) {
        return {};
    }
    std::vector<std::uint32_t> dictionary;
    if (!shader.like.empty()) {
        dictionary = unpackFrame(shader.like, {}, name);
    }
    return unpackFrame(shader.packed, std::as_bytes(std::span(dictionary)), name);
}

} // namespace aureole::gpu
