#pragma once

#include <memory>

#include "ranks/launch.h"
#include "ranks/messenger.h"

namespace aureole {

/// Joins the job that `launch` tells of, by the library libaureole_mpi.so beside the program or in ../lib/aureole of
/// its folder (where 'cmake --install' puts it). Null where this process is the only one of its job and the library is
/// missing. Throws Error (Usage) where the processes cannot find each other: they would all write the same files.
std::unique_ptr<Messenger> openMessenger(const Launch& launch);

} // namespace aureole
