#pragma once

#include <random>

namespace aureole {

/// Uniform on [0, 1), the same with every standard library.
inline double uniform(std::mt19937& random) {
    return static_cast<double>(random()) * 0x1p-32;
}

} // namespace aureole
