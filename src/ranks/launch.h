#pragma once

#include <functional>
#include <optional>
#include <string>

namespace aureole {

/// What started this process together with others.
struct Launch {
    std::string launcher; ///< "mpirun", "srun"...
    std::string sign;     ///< the environment variable that tells
    int processes = 0;    ///< 0: not known
    bool hasMpi = false;  ///< the processes can find each other by MPI
};

/// Reads the value of an environment variable; null where there is none.
using VariableReader = std::function<const char*(const char*)>;

/// The launcher by the variables that it sets: Open MPI's mpirun, any with PMIx or PMI (srun --mpi=pmix, MPICH's
/// mpirun), srun without. Nothing where the process was started by itself, or as the only one of a job step.
std::optional<Launch> findLaunch(const VariableReader& environment);

} // namespace aureole
