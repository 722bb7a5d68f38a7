#include "gpu/shader.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include "gpu_test/affine.h"
#include "gpu_test/error_test.h"

namespace aureole::gpu {
namespace {

using Words = std::vector<std::uint32_t>;

std::vector<std::byte> pack(const Words& words, const Words& dictionary = {}) {
    std::vector<std::byte> frame(ZSTD_compressBound(words.size() * 4));
    ZSTD_CCtx* state = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(state, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_loadDictionary(state, dictionary.data(), dictionary.size() * 4);
    frame.resize(ZSTD_compress2(state, frame.data(), frame.size(), words.data(), words.size() * 4));
    ZSTD_freeCCtx(state);
    return frame;
}

/// Words that do not repeat themselves, so that they compress only by another shader's.
Words wordsFrom(std::uint32_t seed) {
    Words words(5000);
    for (std::uint32_t& word : words) {
        seed = seed * 1664525U + 1013904223U;
        word = seed ^ (seed >> 15U);
    }
    return words;
}

TEST(Shader, WordsComeBack) {
    const Words base = wordsFrom(1);
    const std::vector<std::byte> alone = pack(base);
    EXPECT_EQ(unpackShader({alone}, "alone"), base);

    Words variant = base;
    variant[1000] = 7;
    variant.resize(4000);
    const std::vector<std::byte> like = pack(variant, base);
    EXPECT_LT(like.size(), alone.size() / 10);
    EXPECT_EQ(unpackShader({like, alone}, "variant"), variant);

    EXPECT_TRUE(unpackShader({}, "none").empty());
    const Words affine = unpackShader(shaders::affine(), "affine");
    ASSERT_FALSE(affine.empty());
    EXPECT_EQ(affine[0], 0x07230203U);
}

TEST(Shader, DamagedFramesAreErrors) {
    const Words words = wordsFrom(2);
    std::vector<std::byte> frame = pack(words);
    const std::vector<std::byte> other = pack(wordsFrom(4));
    expectError(ExitCode::Internal, {"'cut'", "no compressed SPIR-V"},
                [&] { unpackShader({std::span(frame).first(frame.size() - 8)}, "cut"); });
    expectError(ExitCode::Internal, {"'no frame'", "no compressed SPIR-V"},
                [&] { unpackShader({std::as_bytes(std::span(words))}, "no frame"); });
    frame[frame.size() / 2] ^= std::byte{1};
    expectError(ExitCode::Internal, {"'changed'", "no compressed SPIR-V"}, [&] { unpackShader({frame}, "changed"); });
    const Words odd(2, 5);
    expectError(ExitCode::Internal, {"'of bytes'", "no compressed SPIR-V"}, [&] {
        std::vector<std::byte> bytes(ZSTD_compressBound(7));
        bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), odd.data(), 7, 1));
        unpackShader({bytes}, "of bytes");
    });
    // A dictionary that is not the one it was packed with.
    const Words base = wordsFrom(5);
    Words changed = base;
    changed[10] = 3;
    const std::vector<std::byte> likeBase = pack(changed, base);
    expectError(ExitCode::Internal, {"'unlike'", "no compressed SPIR-V"}, [&] {
        unpackShader({likeBase, other}, "unlike");
    });
}

} // namespace
} // namespace aureole::gpu
