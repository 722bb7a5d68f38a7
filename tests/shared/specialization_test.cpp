// The ids of specialization constants are those of shared/specialization.h, and each has one meaning.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "shared/specialization.h"

namespace aureole {
namespace {

/// A constant that a shader declares.
struct Declared {
    std::string file;
    std::string id;       ///< as it is written
    std::string constant; ///< its name in the shader, or "local_size"
};

const std::vector<Declared> kDeclared = {
#define DECLARED(file, id, constant) {file, id, constant},
#include "constants_declared.inc"
#undef DECLARED
};

const std::map<std::string, std::uint32_t> kIds = {
#define NAMED(name) {#name, name},
#include "constant_names.inc"
#undef NAMED
};

/// Shaders of one family never use the same id for two things.
std::string familyOf(const std::string& name) {
    const std::string word = name.substr(5, name.find('_', 5) - 5); // behind SPEC_
    return word == "SORT" ? "SCAN" : word == "BLOOM" ? "FFT" : word;
}

TEST(Specialization, ShadersDeclareConstantsByNameAlone) {
    EXPECT_GT(kDeclared.size(), 50U);
    for (const Declared& declared : kDeclared) {
        EXPECT_TRUE(kIds.contains(declared.id)) << declared.file << ": found the id '" << declared.id << "' of "
                                                << declared.constant << ", expected a name of shared/specialization.h";
    }
}

TEST(Specialization, EveryNameIsThatOfOneConstant) {
    std::map<std::string, std::set<std::string>> constants;
    for (const Declared& declared : kDeclared) {
        std::set<std::string>& named = constants[declared.id];
        if (declared.constant != "local_size") {
            named.insert(declared.constant);
        }
    }
    for (const auto& [name, id] : kIds) {
        EXPECT_TRUE(constants.contains(name)) << name << " is declared by no shader";
        EXPECT_LE(constants[name].size(), 1U)
            << name << " is the id of " << *constants[name].begin() << " and of " << *constants[name].rbegin();
    }
}

TEST(Specialization, NoTwoNamesOfAFamilyShareAnId) {
    std::map<std::pair<std::string, std::uint32_t>, std::string> names;
    for (const auto& [name, id] : kIds) {
        const auto [found, isNew] = names.try_emplace({familyOf(name), id}, name);
        EXPECT_TRUE(isNew) << name << " and " << found->second << " have the same id " << id;
    }
}

TEST(Specialization, AShaderTakesItsNamesFromOneFamily) {
    std::map<std::string, std::set<std::string>> families;
    for (const Declared& declared : kDeclared) {
        if (kIds.contains(declared.id)) {
            families[declared.file].insert(familyOf(declared.id));
        }
    }
    for (const auto& [file, used] : families) {
        EXPECT_EQ(used.size(), 1U) << file << " uses names of " << *used.begin() << " and of " << *used.rbegin();
    }
}

} // namespace
} // namespace aureole
