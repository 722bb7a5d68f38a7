#include "gpu_test/bounds/spirv_module.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.h"

namespace aureole::gpu::spirv {

namespace {

enum class Form { NoResult, Result, TypedResult };

/// Instructions from `first` to `last` of one form. None of them reaches memory but those that add_checks.cpp names
/// and those whose pointers come from an access chain, which is checked itself. Copies of memory, images, ray queries
/// and the like are in none, so that a shader that takes to them is refused instead of running unchecked.
struct Known {
    std::uint32_t first;
    std::uint32_t last;
    Form form;
};

constexpr std::array kKnown = {
    Known{0, 0, Form::NoResult},        // OpNop
    Known{1, 1, Form::TypedResult},     // OpUndef
    Known{2, 6, Form::NoResult},        // source, names
    Known{7, 7, Form::Result},          // OpString
    Known{8, 8, Form::NoResult},        // OpLine
    Known{10, 10, Form::NoResult},      // OpExtension
    Known{11, 11, Form::Result},        // OpExtInstImport
    Known{12, 12, Form::TypedResult},   // OpExtInst
    Known{14, 17, Form::NoResult},      // memory model, entry point, execution mode, capability
    Known{19, 33, Form::Result},        // types
    Known{39, 39, Form::NoResult},      // OpTypeForwardPointer
    Known{41, 46, Form::TypedResult},   // constants
    Known{48, 52, Form::TypedResult},   // specialization constants
    Known{54, 55, Form::TypedResult},   // OpFunction, OpFunctionParameter
    Known{56, 56, Form::NoResult},      // OpFunctionEnd
    Known{57, 57, Form::TypedResult},   // OpFunctionCall
    Known{59, 59, Form::TypedResult},   // OpVariable
    Known{61, 61, Form::TypedResult},   // OpLoad
    Known{62, 62, Form::NoResult},      // OpStore
    Known{65, 67, Form::TypedResult},   // OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain
    Known{71, 72, Form::NoResult},      // OpDecorate, OpMemberDecorate
    Known{77, 84, Form::TypedResult},   // vectors and composites
    Known{109, 118, Form::TypedResult}, // conversions
    Known{120, 120, Form::TypedResult}, // OpConvertUToPtr
    Known{124, 124, Form::TypedResult}, // OpBitcast
    Known{126, 152, Form::TypedResult}, // arithmetic
    Known{154, 191, Form::TypedResult}, // comparisons
    Known{194, 205, Form::TypedResult}, // bits
    Known{224, 225, Form::NoResult},    // barriers
    Known{227, 227, Form::TypedResult}, // OpAtomicLoad
    Known{228, 228, Form::NoResult},    // OpAtomicStore
    Known{229, 242, Form::TypedResult}, // other atomic operations
    Known{245, 245, Form::TypedResult}, // OpPhi
    Known{246, 247, Form::NoResult},    // merges
    Known{248, 248, Form::Result},      // OpLabel
    Known{249, 251, Form::NoResult},    // branches, OpSwitch
    Known{253, 255, Form::NoResult},    // returns, OpUnreachable
    Known{317, 317, Form::NoResult},    // OpNoLine
    Known{330, 332, Form::NoResult},    // OpModuleProcessed, execution modes and decorations by id
    Known{333, 366, Form::TypedResult}, // of subgroups
    Known{400, 400, Form::TypedResult}, // OpCopyLogical
};

Form formOf(std::uint32_t op, const std::string& shader) {
    const auto* const known =
        std::ranges::find_if(kKnown, [&](const Known& k) { return op >= k.first && op <= k.last; });
    if (known == kKnown.end()) {
        fail(ExitCode::Internal, "shader '{}': SPIR-V instruction {} is not known to the checks of bounds", shader, op);
    }
    return known->form;
}

std::string text(std::span<const std::uint32_t> words) {
    std::string bytes(words.size_bytes(), '\0');
    std::memcpy(bytes.data(), words.data(), words.size_bytes());
    return bytes.substr(0, bytes.find('\0')); // which ends it
}

constexpr std::uint32_t kArrayStride = 6;
constexpr std::uint32_t kOffset = 35;

} // namespace

Module::Module(std::span<const std::uint32_t> spirv, std::string shader)
    : shader_(std::move(shader))
    , header_(spirv.first(5)) {
    for (std::span<const std::uint32_t> rest = spirv.subspan(5); !rest.empty();) {
        Instruction instruction;
        instruction.op = rest[0] & 0xFFFFU;
        const std::size_t count = rest[0] >> 16U;
        if (count == 0 || count > rest.size()) {
            fail(ExitCode::Internal, "shader '{}': a SPIR-V instruction of {} words, where {} are left", shader_, count,
                 rest.size());
        }
        instruction.words = rest.first(count);
        rest = rest.subspan(count);
        const Form form = formOf(instruction.op, shader_);
        if (form == Form::TypedResult) {
            instruction.type = instruction.words[1];
            instruction.result = instruction.words[2];
        } else if (form == Form::Result) {
            instruction.result = instruction.words[1];
        }
        note(instruction);
        instructions_.push_back(instruction);
    }
}

void Module::note(const Instruction& instruction) {
    const std::span<const std::uint32_t> words = instruction.words;
    if (instruction.result != 0) {
        definitions_[instruction.result] = instructions_.size();
    }
    if (instruction.op == OpName) {
        names_[words[1]] = text(words.subspan(2));
    } else if (instruction.op == OpDecorate && words[2] == kArrayStride) {
        strides_[words[1]] = words[3];
    } else if (instruction.op == OpMemberDecorate && words[3] == kOffset) {
        offsets_[{words[1], words[2]}] = words[4];
    }
}

const Instruction& Module::definition(std::uint32_t id) const {
    const auto found = definitions_.find(id);
    if (found == definitions_.end()) {
        fail(ExitCode::Internal, "shader '{}': the id {} of its SPIR-V is not defined", shader_, id);
    }
    return instructions_[found->second];
}

std::string Module::nameOf(std::uint32_t id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? "" : found->second;
}

std::string Module::stringOf(std::uint32_t id) const {
    return text(definition(id).words.subspan(2));
}

bool Module::constant(std::uint32_t id, std::uint32_t& value) const {
    const Instruction& instruction = definition(id);
    if (instruction.op != OpConstant || instruction.words.size() != 4) {
        return false;
    }
    value = instruction.words[3];
    return true;
}

std::uint32_t Module::strideOf(std::uint32_t type) const {
    const auto found = strides_.find(type);
    return found == strides_.end() ? 0 : found->second;
}

std::uint64_t Module::bytesOf(std::uint32_t type) const {
    const Instruction& definedBy = definition(type);
    const std::span<const std::uint32_t> words = definedBy.words;
    switch (definedBy.op) {
    case OpTypeInt:
    case OpTypeFloat:
        return words[2] / 8;
    case OpTypePointer:
        return sizeof(std::uint64_t);
    case OpTypeVector:
        return bytesOf(words[2]) * words[3];
    case OpTypeArray: {
        std::uint32_t length = 0;
        if (constant(words[3], length) && length > 0) {
            return std::uint64_t{strideOf(type)} * (length - 1) + bytesOf(words[2]);
        }
        break;
    }
    case OpTypeStruct: {
        std::uint64_t bytes = 0;
        for (std::uint32_t member = 0; member + 2 < words.size(); ++member) {
            const auto offset = offsets_.find({type, member});
            if (offset == offsets_.end()) {
                fail(ExitCode::Internal, "shader '{}': member {} of type {} has no offset", shader_, member, type);
            }
            bytes = std::max(bytes, offset->second + bytesOf(words[member + 2]));
        }
        return bytes;
    }
    default:
        break;
    }
    fail(ExitCode::Internal, "shader '{}': the size of type {} in memory (SPIR-V instruction {}) is not known", shader_,
         type, definedBy.op);
}

} // namespace aureole::gpu::spirv
