#include <array>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "spirv_layout.h"

namespace aureole {
namespace {

constexpr std::uint32_t instruction(std::uint32_t length, std::uint32_t opcode) {
    return length << 16U | opcode;
}

// Assembled by hand from the specification:
//   struct S { uint a; vec3 b; uint c[5]; }, offsets 0, 4, 16, stride 4, and a twin without offsets.
const std::vector<std::uint32_t> kModule = {
    0x07230203,         0x00010600, 0,          20,         0,  // header
    instruction(3, 5),  9,          0x00000053,                 // OpName %9 "S": the twin
    instruction(3, 5),  6,          0x00000053,                 // OpName %6 "S"
    instruction(4, 6),  6,          0,          0x00000061,     // OpMemberName "a"
    instruction(4, 6),  6,          1,          0x00000062,     // "b"
    instruction(4, 6),  6,          2,          0x00000063,     // "c"
    instruction(5, 72), 6,          0,          35,         0,  // OpMemberDecorate Offset
    instruction(5, 72), 6,          1,          35,         4,  //
    instruction(5, 72), 6,          2,          35,         16, //
    instruction(4, 71), 5,          6,          4,              // OpDecorate ArrayStride
    instruction(4, 21), 1,          32,         0,              // OpTypeInt
    instruction(3, 22), 2,          32,                         // OpTypeFloat
    instruction(4, 23), 3,          2,          3,              // OpTypeVector
    instruction(4, 43), 1,          4,          5,              // OpConstant 5
    instruction(4, 28), 5,          1,          4,              // OpTypeArray
    instruction(5, 30), 6,          1,          3,          5,  // OpTypeStruct
    instruction(5, 30), 9,          1,          3,          5,  // OpTypeStruct: the twin
};

TEST(SpirvLayout, ReadsNamesOffsetsAndSizes) {
    const SpirvLayout layout(kModule);
    const std::uint32_t type = layout.find("S");
    EXPECT_EQ(type, 6U);
    EXPECT_EQ(layout.size(type), 36U);
    const std::vector<SpirvLayout::Member> members = layout.members(type);
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[1].name, "b");
    EXPECT_EQ(members[1].offset, 4U);
    EXPECT_EQ(layout.size(members[1].type), 12U);
    EXPECT_TRUE(layout.isArray(members[2].type));
    EXPECT_EQ(layout.arrayStride(members[2].type), 4U);
    EXPECT_EQ(layout.size(members[2].type), 20U);
    EXPECT_THROW(layout.find("T"), std::runtime_error);
}

TEST(SpirvLayout, RefusesWhatIsNoModule) {
    EXPECT_THROW(SpirvLayout{std::span(kModule).first(4)}, std::runtime_error);
    EXPECT_THROW(SpirvLayout{std::span(kModule).first(kModule.size() - 1)}, std::runtime_error);
    std::vector<std::uint32_t> endless = kModule;
    endless[5] = instruction(0, 5);
    EXPECT_THROW(SpirvLayout{endless}, std::runtime_error);
}

} // namespace
} // namespace aureole
