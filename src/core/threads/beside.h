#pragma once

#include <cstddef>
#include <functional>

namespace aureole {

/// Calls body(i) for every i in [0, count), begun in order, on half of the CPU cores. For work beside other loops:
/// threads that have nothing to do are gone, where those of parallelFor spin for a while. After a body has thrown, no
/// further one is begun, and what it threw is thrown here.
void forEachBeside(std::size_t count, const std::function<void(std::size_t)>& body);

} // namespace aureole
