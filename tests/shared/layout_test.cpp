// Compares the structs that C++ and GLSL share, member by member, with how the shader compiler laid them out.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/shader.h"
#include "shared_headers.h"
#include "spirv_layout.h"
#include "test_shared_shaders.h"

namespace aureole::shared {
namespace {

struct MemberLayout {
    std::string name;
    std::size_t offset;
    std::size_t size;
};

struct StructLayout {
    std::string name;
    std::size_t size;
    std::vector<MemberLayout> members;
};

/// `names` are those of the members, separated by commas.
template <typename Struct, typename... Members>
StructLayout describe(const char* name, const Struct& object, const std::string& names, const Members&... members) {
    StructLayout layout{name, sizeof(Struct), {}};
    std::size_t begin = 0;
    const auto add = [&](const auto& member) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const auto offset = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&object);
        layout.members.push_back({names.substr(begin, end - begin), static_cast<std::size_t>(offset), sizeof(member)});
        begin = std::min(names.find_first_not_of(", ", end), names.size());
    };
    (add(members), ...);
    return layout;
}

/// What C++ makes of the structs. The structured binding does not compile where a member is missing in the list.
std::vector<StructLayout> hostLayouts() {
    std::vector<StructLayout> layouts;
#define STRUCT(type, ...)                                                                                              \
    {                                                                                                                  \
        const type object{};                                                                                           \
        const auto& [__VA_ARGS__] = object;                                                                            \
        layouts.push_back(describe(#type, object, #__VA_ARGS__, __VA_ARGS__));                                         \
    }
#include "shared_structs.inc"
#undef STRUCT
    return layouts;
}

const StructLayout* findLayout(const std::vector<StructLayout>& layouts, const std::string& name) {
    const auto found =
        std::find_if(layouts.begin(), layouts.end(), [&](const StructLayout& layout) { return layout.name == name; });
    return found == layouts.end() ? nullptr : &*found;
}

class LayoutTest : public ::testing::Test {
protected:
    /// Compares a type inside a struct; structs must have a line of their own, and are compared as they stand here.
    void compareType(std::uint32_t type, std::size_t hostSize, const std::string& where) const {
        if (spirv.isStruct(type)) {
            const StructLayout* layout = findLayout(layouts, spirv.name(type));
            ASSERT_NE(layout, nullptr) << where << ": struct " << spirv.name(type)
                                       << " has no line in shared_structs.inc";
            EXPECT_EQ(layout->size, hostSize) << where;
            compareStruct(type, *layout, where);
        } else if (spirv.isArray(type)) {
            const std::uint32_t stride = spirv.arrayStride(type);
            EXPECT_EQ(spirv.size(type), hostSize) << where;
            compareType(spirv.elementType(type), stride, where + "[]");
        } else {
            EXPECT_EQ(spirv.size(type), hostSize) << where;
        }
    }

    void compareStruct(std::uint32_t type, const StructLayout& layout, const std::string& where) const {
        const std::vector<SpirvLayout::Member> members = spirv.members(type);
        ASSERT_EQ(members.size(), layout.members.size()) << where;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::string member = where + "." + layout.members[i].name;
            EXPECT_EQ(members[i].name, layout.members[i].name) << member;
            EXPECT_EQ(members[i].offset, layout.members[i].offset) << member;
            compareType(members[i].type, layout.members[i].size, member);
        }
    }

    const SpirvLayout spirv{gpu::unpackShader(shaders::probe(), "probe")};
    const std::vector<StructLayout> layouts = hostLayouts();
};

TEST_F(LayoutTest, HostAndDeviceLayOutEveryStructAlike) {
    ASSERT_FALSE(layouts.empty());
    for (const StructLayout& layout : layouts) {
        const SpirvLayout::Member array = spirv.members(spirv.find(layout.name + "Probe")).at(0);
        EXPECT_EQ(spirv.arrayStride(array.type), layout.size) << layout.name;
        compareType(spirv.elementType(array.type), layout.size, layout.name);
    }
}

TEST_F(LayoutTest, EverySharedStructIsListedAndKeepsTheAlignmentOfItsArray) {
#define DECLARED(type, alignment, file)                                                                                \
    EXPECT_NE(findLayout(layouts, #type), nullptr) << #type << " of " file " has no line in shared_structs.inc";       \
    EXPECT_EQ(sizeof(type) % (alignment), 0U) << #type << ": the second element of its array is not aligned";
#include "shared_declared.inc"
#undef DECLARED
}

} // namespace
} // namespace aureole::shared
