#pragma once

#include <span>
#include <vector>

#include "shared/sampling/sampling.h"

namespace aureole {

/// An alias table for the weights, which are at least 0 and not all 0. Vose, "A Linear Algorithm for Generating Random
/// Numbers with a Given Distribution" (1991).
std::vector<shared::AliasSlot> makeAliasTable(std::span<const double> weights);

} // namespace aureole
