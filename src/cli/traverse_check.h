#pragma once

// Proof that the strategies of the traversal benchmark find the same hits, and that the CPU finds them too.

#include <string>
#include <vector>

#include "cli/traverse_arena.h"

namespace aureole::cli {

/// Throws Error (Internal), naming the ray and both hits, unless the hits by pixel are the same.
void expectSameHits(const std::string& what, const std::vector<shared::HitRecord>& expected,
                    const std::vector<shared::HitRecord>& found, std::uint32_t width);

/// Throws Error (Internal) unless as many rays have hits, or misses, as there are.
void expectAllTraced(const std::string& what, const std::vector<shared::HitRecord>& hits, std::uint32_t live);

/// Traces some rays of the set on the CPU, with the device's reciprocals, and throws Error (Internal) where a hit
/// differs in any bit.
void expectHitsOfCpu(const std::string& what, const TraverseArena& arena, const std::vector<shared::HitRecord>& hits);

} // namespace aureole::cli
