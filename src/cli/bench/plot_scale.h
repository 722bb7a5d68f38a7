#pragma once

namespace aureole::cli {

/// A step of 1, 2 or 5 times a power of ten, of which at most six reach `most`, which is above 0.
double niceStep(double most);

/// The multiple of niceStep that `most` does not exceed: where an axis from 0 may end. 1 where `most` is 0.
double niceTop(double most);

} // namespace aureole::cli
