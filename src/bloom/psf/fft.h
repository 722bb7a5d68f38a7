#pragma once

// Fourier transforms on the host in double precision, of lengths that are powers of two.

#include <complex>
#include <cstddef>
#include <vector>

namespace aureole {

/// A forward transform of a fixed length: X[k] = sum of x[n] exp(-2 pi i k n / length), not scaled.
class HostFft {
public:
    /// `length` is a power of two, 2 or more.
    explicit HostFft(std::size_t length);
    std::size_t length() const { return length_; }
    /// Transforms `data` of `length` values in place; `scratch` has as many. Safe to call from several threads.
    void transform(std::complex<double>* data, std::complex<double>* scratch) const;

private:
    std::size_t length_;
    std::vector<std::complex<double>> roots_; ///< exp(-2 pi i k / length)
};

} // namespace aureole
