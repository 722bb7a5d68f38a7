#pragma once

// A SPIR-V module taken apart, as far as checks of memory accesses need it. Internal to these checks.
//
// SPIR-V Specification 1.6, sections 2.3 (physical layout) and 3.42 (instructions).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aureole::gpu::spirv {

/// The instructions that are looked at; all that may stand in a module are in spirv_module.cpp.
enum Op : std::uint32_t {
    OpName = 5,
    OpString = 7,
    OpLine = 8,
    OpMemoryModel = 14,
    OpCapability = 17,
    OpTypeBool = 20,
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeVector = 23,
    OpTypeMatrix = 24,
    OpTypeArray = 28,
    OpTypeRuntimeArray = 29,
    OpTypeStruct = 30,
    OpTypePointer = 32,
    OpTypeFunction = 33,
    OpConstant = 43,
    OpFunction = 54,
    OpFunctionParameter = 55,
    OpFunctionEnd = 56,
    OpFunctionCall = 57,
    OpVariable = 59,
    OpLoad = 61,
    OpStore = 62,
    OpAccessChain = 65,
    OpInBoundsAccessChain = 66,
    OpPtrAccessChain = 67,
    OpDecorate = 71,
    OpMemberDecorate = 72,
    OpVectorExtractDynamic = 77,
    OpVectorInsertDynamic = 78,
    OpCopyObject = 83,
    OpUConvert = 113,
    OpConvertPtrToU = 117,
    OpConvertUToPtr = 120,
    OpBitcast = 124,
    OpIAdd = 128,
    OpISub = 130,
    OpIMul = 132,
    OpLogicalAnd = 167,
    OpSelect = 169,
    OpIEqual = 170,
    OpULessThan = 176,
    OpULessThanEqual = 178,
    OpShiftRightLogical = 194,
    OpBitwiseAnd = 199,
    OpAtomicLoad = 227,
    OpAtomicStore = 228,
    OpAtomicExchange = 229,
    OpAtomicXor = 242,
    OpLoopMerge = 246,
    OpSelectionMerge = 247,
    OpLabel = 248,
    OpBranch = 249,
    OpBranchConditional = 250,
    OpReturnValue = 254,
    OpUnreachable = 255,
    OpNoLine = 317,
};

/// The storage class of what is reached by address.
inline constexpr std::uint32_t kPhysicalStorageBuffer = 5349;

/// The word that opens an instruction of so many words.
inline std::uint32_t firstWord(std::uint32_t op, std::size_t words) {
    return static_cast<std::uint32_t>(words) << 16U | op;
}

struct Instruction {
    std::uint32_t op = 0;
    std::span<const std::uint32_t> words; ///< the opening one included
    std::uint32_t type = 0;               ///< of the result; 0 where it has none
    std::uint32_t result = 0;             ///< 0 where it has none
};

class Module {
public:
    /// `spirv` is valid and outlives the module. Throws Error (Internal) naming `shader` where an instruction is not
    /// one of those known not to reach memory behind the checks' back.
    Module(std::span<const std::uint32_t> spirv, std::string shader);

    const std::string& shader() const { return shader_; }
    std::span<const std::uint32_t> header() const { return header_; }
    const std::vector<Instruction>& instructions() const { return instructions_; }
    std::uint32_t idBound() const { return header_[3]; }

    /// What defines an id. Throws Error (Internal) where nothing does.
    const Instruction& definition(std::uint32_t id) const;
    /// The type of an id that has one.
    const Instruction& typeOf(std::uint32_t id) const { return definition(definition(id).type); }
    /// The name of an id, where the module tells; else "".
    std::string nameOf(std::uint32_t id) const;
    /// The text of an OpString.
    std::string stringOf(std::uint32_t id) const;
    /// The value of an OpConstant of 32 bits; false where the id is none, such as a specialization constant.
    bool constant(std::uint32_t id, std::uint32_t& value) const;
    /// The bytes from the first to the last of a type as it lies in memory.
    std::uint64_t bytesOf(std::uint32_t type) const;
    /// The bytes from an element to the next, of an array or of what a pointer points to; 0 where not decorated.
    std::uint32_t strideOf(std::uint32_t type) const;

private:
    void note(const Instruction& instruction);

    std::string shader_;
    std::span<const std::uint32_t> header_;
    std::vector<Instruction> instructions_;
    std::unordered_map<std::uint32_t, std::size_t> definitions_; ///< id to place
    std::unordered_map<std::uint32_t, std::string> names_;
    std::unordered_map<std::uint32_t, std::uint32_t> strides_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> offsets_; ///< of a struct's members
};

} // namespace aureole::gpu::spirv
