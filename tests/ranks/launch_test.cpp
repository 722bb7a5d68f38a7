#include "ranks/launch.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace aureole {

namespace {

std::optional<Launch> launchWith(const std::map<std::string, std::string>& variables) {
    return findLaunch([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(Launch, AProgramStartedByItselfHasNone) {
    EXPECT_FALSE(launchWith({}));
    // One task of a job step, as tools/slurm starts it, whatever the cluster's default of --mpi is.
    EXPECT_FALSE(launchWith({{"SLURM_STEP_NUM_TASKS", "1"}}));
    EXPECT_FALSE(launchWith({{"SLURM_STEP_NUM_TASKS", "1"}, {"PMIX_NAMESPACE", "slurm.pmix.7.0"}}));
    EXPECT_FALSE(launchWith({{"SLURM_STEP_NUM_TASKS", "1"}, {"PMI_SIZE", "1"}}));
    // The script of a job of many tasks, which is none of them.
    EXPECT_FALSE(launchWith({{"SLURM_NTASKS", "8"}}));
}

TEST(Launch, OpenMpiTellsOfOneProcessToo) {
    for (const int size : {1, 12}) {
        const std::optional<Launch> launch =
            launchWith({{"OMPI_COMM_WORLD_SIZE", std::to_string(size)}, {"PMIX_NAMESPACE", "1"}});
        ASSERT_TRUE(launch);
        EXPECT_EQ(launch->processes, size);
        EXPECT_EQ(launch->launcher, "mpirun");
        EXPECT_EQ(launch->sign, "OMPI_COMM_WORLD_SIZE");
        EXPECT_TRUE(launch->hasMpi);
    }
}

TEST(Launch, SlurmHasMpiOnlyWithAnInterfaceForIt) {
    const std::optional<Launch> pmix = launchWith({{"SLURM_STEP_NUM_TASKS", "4"}, {"PMIX_NAMESPACE", "slurm"}});
    ASSERT_TRUE(pmix);
    EXPECT_EQ(pmix->processes, 4);
    EXPECT_EQ(pmix->launcher, "srun");
    EXPECT_TRUE(pmix->hasMpi);
    const std::optional<Launch> pmi = launchWith({{"SLURM_STEP_NUM_TASKS", "4"}, {"PMI_SIZE", "4"}});
    ASSERT_TRUE(pmi);
    EXPECT_EQ(pmi->sign, "PMI_SIZE");
    EXPECT_TRUE(pmi->hasMpi);
    const std::optional<Launch> none = launchWith({{"SLURM_STEP_NUM_TASKS", "4"}});
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->hasMpi);
}

TEST(Launch, OtherLaunchersWithPmixNeedNotTellHowMany) {
    const std::optional<Launch> launch = launchWith({{"PMIX_NAMESPACE", "prterun"}});
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->processes, 0);
    EXPECT_TRUE(launch->hasMpi);
}

} // namespace

} // namespace aureole
