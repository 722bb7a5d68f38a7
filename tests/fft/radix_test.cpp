// The butterflies shared with the shaders, on the CPU, against the definition in double.

#include <cmath>
#include <complex>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "shared/fft/fft_radix.h"

namespace aureole::shared {
namespace {

using Values = std::vector<vec2>;

void transform(Values& x) {
    switch (x.size()) {
    case 2:
        dft2(x[0], x[1]);
        break;
    case 3:
        dft3(x[0], x[1], x[2]);
        break;
    case 4:
        dft4(x[0], x[1], x[2], x[3]);
        break;
    case 5:
        dft5(x[0], x[1], x[2], x[3], x[4]);
        break;
    case 6:
        dft6(x[0], x[1], x[2], x[3], x[4], x[5]);
        break;
    case 7:
        dft7(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
        break;
    case 8:
        dft8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
        break;
    case 9:
        dft9(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]);
        break;
    case 10:
        dft10(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
        break;
    case 12:
        dft12(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]);
        break;
    case 14:
        dft14(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13]);
        break;
    case 15:
        dft15(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14]);
        break;
    case 16:
        dft16(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
        break;
    default:
        FAIL() << "no butterfly of radix " << x.size();
    }
}

TEST(FftRadix, ButterfliesEqualTheDefinition) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    for (const std::size_t radix : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 12U, 14U, 15U, 16U}) {
        Values input(radix);
        for (vec2& value : input) {
            value = {uniform(random), uniform(random)};
        }
        Values output = input;
        transform(output);
        for (std::size_t k = 0; k < radix; ++k) {
            std::complex<double> expected = 0;
            for (std::size_t n = 0; n < radix; ++n) {
                const double angle =
                    -2 * 3.14159265358979323846 * static_cast<double>(n * k) / static_cast<double>(radix);
                expected += std::complex<double>(input[n].x, input[n].y) * std::polar(1.0, angle);
            }
            EXPECT_NEAR(output[k].x, expected.real(), 2e-6) << "radix " << radix << " frequency " << k;
            EXPECT_NEAR(output[k].y, expected.imag(), 2e-6) << "radix " << radix << " frequency " << k;
        }
    }
}

} // namespace
} // namespace aureole::shared
