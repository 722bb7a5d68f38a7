#pragma once

#include <memory>

#include "core/error.h"
#include "ranks/messenger.h"
#include "session/options.h"

namespace aureole {

/// renderToFile by the processes of a job together. Each rank renders a range of the samples, or some of the frames;
/// the film of each goes to rank 0, which writes the picture and tells of it all. What a rank has so far is in a
/// checkpoint in partsFolder() of its host until then, from which a later run goes on, by any number of ranks. On rank
/// 0 as renderToFile; on others, failures are returned without a word, as rank 0 tells of them.
ExitCode renderOnRanks(const RenderOptions& options, std::unique_ptr<Messenger> messenger);

} // namespace aureole
