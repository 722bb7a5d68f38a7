#include "ranks/launch.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace aureole {

namespace {

constexpr const char* kOpenMpiSize = "OMPI_COMM_WORLD_SIZE";
constexpr const char* kPmixJob = "PMIX_NAMESPACE";
constexpr const char* kPmiSize = "PMI_SIZE";
constexpr const char* kSlurmStepTasks = "SLURM_STEP_NUM_TASKS";

/// The number in a variable, 0 where there is none.
int numberIn(const VariableReader& environment, const char* name) {
    const char* const value = environment(name);
    const std::string_view text = value == nullptr ? "" : value;
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::max(number, 0);
}

} // namespace

std::optional<Launch> findLaunch(const VariableReader& environment) {
    if (const int size = numberIn(environment, kOpenMpiSize); size > 0) {
        return Launch{"mpirun", kOpenMpiSize, size, true};
    }
    const int tasks = numberIn(environment, kSlurmStepTasks);
    const char* const slurm = tasks > 0 ? "srun" : "mpirun";
    if (environment(kPmixJob) != nullptr && tasks != 1) {
        return Launch{slurm, kPmixJob, tasks, true};
    }
    if (const int size = numberIn(environment, kPmiSize); size > 1) {
        return Launch{slurm, kPmiSize, size, true};
    }
    if (tasks > 1) {
        return Launch{"srun", kSlurmStepTasks, tasks, false};
    }
    return std::nullopt;
}

} // namespace aureole
