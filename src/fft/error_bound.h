#pragma once

// How far the transforms are from exact ones.

#include <cstdint>

namespace aureole::fft {

/// A bound of the relative L2 error of one line, ||X' - X|| / ||X||, of a transform of that length from 2, forward or
/// inverse, on its fp32 input: 1.2 u (2 sqrt(log2 N) - 1) with u = 2^-24. Rounding errors of the log2 N levels of
/// additions add up like noise, hence the root (Gentleman and Sande 1966 have the same growth); an inner one also
/// rounds its twiddle factors' products. The constants are fitted to the worst of eight kinds of input (README.md).
double errorBound(std::uint32_t length);

} // namespace aureole::fft
