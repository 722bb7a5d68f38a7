// Stockham's autosort transform, radix 4 with one stage of radix 2 where the length is no power of four (Van Loan,
// Computational Frameworks for the Fast Fourier Transform, 1.7 and 2.4).

#include "bloom/psf/fft.h"

#include <cmath>
#include <utility>

#include "core/math.h"

namespace aureole {

namespace {

using Complex = std::complex<double>;

/// Complex multiplication without the detour for infinities that the standard asks for.
Complex times(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// One stage: transforms of `groups` * 4 values, `stride` of them interleaved.
void radixFour(const Complex* in, Complex* out, std::size_t groups, std::size_t stride, const Complex* roots) {
    const std::size_t quarter = groups * stride;
    for (std::size_t p = 0; p < groups; ++p) {
        const Complex w1 = roots[p * stride];
        const Complex w2 = roots[2 * p * stride];
        const Complex w3 = times(w1, w2);
        const Complex* const from = in + p * stride;
        Complex* const to = out + 4 * p * stride;
        for (std::size_t q = 0; q < stride; ++q) {
            const Complex a = from[q];
            const Complex b = from[q + quarter];
            const Complex c = from[q + 2 * quarter];
            const Complex d = from[q + 3 * quarter];
            const Complex sum = a + c;
            const Complex difference = a - c;
            const Complex otherSum = b + d;
            const Complex turned(b.imag() - d.imag(), d.real() - b.real()); // -i (b - d)
            to[q] = sum + otherSum;
            to[q + stride] = times(w1, difference + turned);
            to[q + 2 * stride] = times(w2, sum - otherSum);
            to[q + 3 * stride] = times(w3, difference - turned);
        }
    }
}

void radixTwo(const Complex* in, Complex* out, std::size_t stride) {
    for (std::size_t q = 0; q < stride; ++q) {
        out[q] = in[q] + in[q + stride];
        out[q + stride] = in[q] - in[q + stride];
    }
}

} // namespace

HostFft::HostFft(std::size_t length)
    : length_(length)
    , roots_(length) {
    for (std::size_t k = 0; k < length; ++k) {
        const double angle = -2.0 * kPi * static_cast<double>(k) / static_cast<double>(length);
        roots_[k] = {std::cos(angle), std::sin(angle)};
    }
}

void HostFft::transform(Complex* data, Complex* scratch) const {
    Complex* in = data;
    Complex* out = scratch;
    std::size_t stride = 1;
    std::size_t left = length_;
    for (; left >= 4; left /= 4) {
        radixFour(in, out, left / 4, stride, roots_.data());
        std::swap(in, out);
        stride *= 4;
    }
    if (left == 2) {
        radixTwo(in, out, stride);
        std::swap(in, out);
    }
    if (in != data) {
        std::copy(in, in + length_, data);
    }
}

} // namespace aureole
