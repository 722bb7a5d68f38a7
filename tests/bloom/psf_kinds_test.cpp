// What holds for every generated point-spread function.

#include <functional>
#include <ostream>

#include <gtest/gtest.h>

#include "bloom/psf/airy.h"
#include "bloom/psf/aperture.h"
#include "bloom/psf/eye.h"
#include "bloom/psf/gaussians.h"
#include "psf_util.h"

namespace aureole {
namespace {

using testing::blockSum;
using testing::sumOf;
using testing::texel;

struct Kind {
    const char* name;
    double degrees; ///< a texel at which there is something to see
    std::function<BloomKernel(const PsfFrame&)> make;
};

std::ostream& operator<<(std::ostream& out, const Kind& kind) {
    return out << kind.name;
}

const std::vector<Kind>& kinds() {
    static const ApertureShape kDirty{5, 0.3, 17.0, 20, 4, 9};
    static const std::vector<Kind> all = {
        {"Default", 0.04,
         [](const PsfFrame& frame) {
             return glareKernel({frame.degreesPerPixel, frame.width, frame.height});
         }},
        {"Airy", 0.01, [](const PsfFrame& frame) { return airyKernel(frame, 2.0); }},
        {"Aperture", 0.01, [](const PsfFrame& frame) { return apertureKernel(frame, 2.0, kDirty); }},
        {"Eye", 0.04,
         [](const PsfFrame& frame) {
             return eyeKernel(frame, {0.05, 60, 3});
         }},
        {"Gaussians", 0.04,
         [](const PsfFrame& frame) {
             return gaussianKernel(frame, {{0.9, 0.03, {1, 1, 1}}, {0.1, 0.5, {1, 0.5, 0.25}}});
         }},
    };
    return all;
}

class PsfKind : public ::testing::TestWithParam<Kind> {};

TEST_P(PsfKind, SumsToOneInEachChannelWhateverTheSize) {
    for (const auto& [width, height] : {std::pair{65U, 65U}, {64U, 48U}, {1U, 1U}, {2U, 33U}, {101U, 7U}}) {
        const BloomKernel kernel = GetParam().make({width, height, GetParam().degrees});
        ASSERT_EQ(kernel.width, width);
        ASSERT_EQ(kernel.height, height);
        for (const std::size_t c : {0U, 1U, 2U}) {
            EXPECT_NEAR(sumOf(kernel, c), 1.0, 1e-6) << width << 'x' << height;
            for (const float value : kernel.planes.at(c)) {
                ASSERT_GE(value, 0.0F);
            }
        }
    }
}

TEST_P(PsfKind, IsTheSameTurnedByHalfATurn) {
    const BloomKernel kernel = GetParam().make({63, 41, GetParam().degrees});
    for (const std::vector<float>& plane : kernel.planes) {
        for (std::size_t i = 0; i < plane.size(); ++i) {
            ASSERT_EQ(plane[i], plane[plane.size() - 1 - i]) << i;
        }
    }
    // Of an even size too, where it has a partner.
    const BloomKernel even = GetParam().make({40, 30, GetParam().degrees});
    for (std::int64_t y = -14; y <= 14; ++y) {
        for (std::int64_t x = -19; x <= 19; ++x) {
            ASSERT_EQ(texel(even, x, y, 1), texel(even, -x, -y, 1)) << x << ", " << y;
        }
    }
}

TEST_P(PsfKind, IsDeterministic) {
    const PsfFrame frame{51, 51, GetParam().degrees};
    EXPECT_EQ(GetParam().make(frame).planes, GetParam().make(frame).planes);
}

/// A texel is worth the 3 x 3 texels of a third of its angle in which it can be divided.
TEST_P(PsfKind, DoesNotChangeWithTheResolution) {
    constexpr std::int64_t kDivide = 3;
    constexpr std::int64_t kReach = 40;
    const double angle = GetParam().degrees;
    const BloomKernel coarse = GetParam().make({2 * kReach + 1, 2 * kReach + 1, angle});
    const BloomKernel fine = GetParam().make({kDivide * (2 * kReach + 1), kDivide * (2 * kReach + 1), angle / kDivide});
    for (const std::size_t c : {0U, 1U, 2U}) {
        double difference = 0.0;
        for (std::int64_t y = -kReach; y <= kReach; ++y) {
            for (std::int64_t x = -kReach; x <= kReach; ++x) {
                const double expected = texel(coarse, x, y, c);
                const double found = blockSum(fine, x, y, kDivide, c);
                difference += std::abs(found - expected);
                // Where the frame does not fade them out, single texels agree to 10 % of the brightest beside them.
                if (std::hypot(x, y) < 0.5 * kReach && std::hypot(x, y) > 0) {
                    double around = 0.0;
                    for (std::int64_t k = 0; k < 9; ++k) {
                        around = std::max(around, texel(coarse, x + k % 3 - 1, y + k / 3 - 1, c));
                    }
                    ASSERT_NEAR(found, expected, 0.1 * around) << "channel " << c << " at " << x << ", " << y;
                }
            }
        }
        EXPECT_LT(difference, 0.01) << "channel " << c;
    }
}

/// A frame half as large shows the same inside, but for the light that it cuts off, which is kept in the middle or
/// scales all.
TEST_P(PsfKind, DoesNotChangeWithTheFrame) {
    const BloomKernel large = GetParam().make({161, 161, GetParam().degrees});
    const BloomKernel small = GetParam().make({81, 81, GetParam().degrees});
    for (const std::size_t c : {0U, 1U, 2U}) {
        for (std::int64_t y = -14; y <= 14; ++y) {
            for (std::int64_t x = -14; x <= 14; ++x) {
                if (std::max(std::abs(x), std::abs(y)) > 2) {
                    ASSERT_NEAR(texel(small, x, y, c) / texel(large, x, y, c), 1.0, 0.05)
                        << "channel " << c << " at " << x << ", " << y;
                }
            }
        }
    }
}

/// No rectangle around a bright light: towards the border it goes to nothing.
TEST_P(PsfKind, FadesOutTowardsTheBorder) {
    const BloomKernel kernel = GetParam().make({81, 61, GetParam().degrees});
    for (std::int64_t y = -30; y <= 30; ++y) {
        EXPECT_LT(texel(kernel, 40, y, 1), 0.01 * texel(kernel, 20, 0, 1)) << y;
    }
    for (std::int64_t x = -40; x <= 40; ++x) {
        EXPECT_LT(texel(kernel, x, 30, 1), 0.01 * texel(kernel, 0, 15, 1)) << x;
    }
}

INSTANTIATE_TEST_SUITE_P(All, PsfKind, ::testing::ValuesIn(kinds()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

} // namespace
} // namespace aureole
