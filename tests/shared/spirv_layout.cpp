#include "spirv_layout.h"

#include <cstring>
#include <stdexcept>

namespace aureole {

namespace {

// Numbers of the SPIR-V specification, version 1.6.
constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHeaderWords = 5;
enum Opcode : std::uint32_t {
    OpName = 5,
    OpMemberName = 6,
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeVector = 23,
    OpTypeArray = 28,
    OpTypeRuntimeArray = 29,
    OpTypeStruct = 30,
    OpConstant = 43,
    OpDecorate = 71,
    OpMemberDecorate = 72,
};
enum Decoration : std::uint32_t { ArrayStride = 6, Offset = 35 };

std::string readText(std::span<const std::uint32_t> words) {
    const char* text = reinterpret_cast<const char*>(words.data());
    return {text, ::strnlen(text, words.size_bytes())};
}

} // namespace

SpirvLayout::SpirvLayout(std::span<const std::uint32_t> words) {
    if (words.size() < kHeaderWords || words[0] != kMagic) {
        throw std::runtime_error("no SPIR-V module");
    }
    for (std::size_t at = kHeaderWords; at < words.size();) {
        const std::uint32_t length = words[at] >> 16U;
        if (length == 0 || length > words.size() - at) {
            throw std::runtime_error("SPIR-V instruction at word " + std::to_string(at) + " has a wrong length");
        }
        read(words[at] & 0xFFFFU, words.subspan(at + 1, length - 1));
        at += length;
    }
}

void SpirvLayout::read(std::uint32_t opcode, std::span<const std::uint32_t> operands) {
    switch (opcode) {
    case OpName:
        names_[operands[0]] = readText(operands.subspan(1));
        break;
    case OpMemberName:
        memberNames_[{operands[0], operands[1]}] = readText(operands.subspan(2));
        break;
    case OpDecorate:
        if (operands[1] == ArrayStride) {
            strides_[operands[0]] = operands[2];
        }
        break;
    case OpMemberDecorate:
        if (operands[2] == Offset) {
            offsets_[{operands[0], operands[1]}] = operands[3];
        }
        break;
    case OpTypeInt:
    case OpTypeFloat:
    case OpTypeVector:
    case OpTypeArray:
    case OpTypeRuntimeArray:
    case OpTypeStruct:
        definitions_[operands[0]] = {opcode, {operands.begin() + 1, operands.end()}};
        break;
    case OpConstant: // its type comes first
        definitions_[operands[1]] = {opcode, {operands.begin() + 2, operands.end()}};
        break;
    default:
        break;
    }
}

const SpirvLayout::Definition& SpirvLayout::definition(std::uint32_t id) const {
    const auto found = definitions_.find(id);
    if (found == definitions_.end()) {
        throw std::runtime_error("SPIR-V id " + std::to_string(id) + " ('" + name(id) +
                                 "') is no type that this test knows");
    }
    return found->second;
}

std::uint32_t SpirvLayout::find(const std::string& wanted) const {
    for (const auto& [id, text] : names_) {
        if (text == wanted && isStruct(id) && offsets_.contains({id, 0})) {
            return id;
        }
    }
    throw std::runtime_error("no struct '" + wanted + "' with offsets in the SPIR-V");
}

const std::string& SpirvLayout::name(std::uint32_t type) const {
    static const std::string kNoName;
    const auto found = names_.find(type);
    return found == names_.end() ? kNoName : found->second;
}

bool SpirvLayout::isStruct(std::uint32_t type) const {
    const auto found = definitions_.find(type);
    return found != definitions_.end() && found->second.opcode == OpTypeStruct;
}

bool SpirvLayout::isArray(std::uint32_t type) const {
    const std::uint32_t opcode = definition(type).opcode;
    return opcode == OpTypeArray || opcode == OpTypeRuntimeArray;
}

std::vector<SpirvLayout::Member> SpirvLayout::members(std::uint32_t structType) const {
    std::vector<Member> result;
    const std::vector<std::uint32_t>& types = definition(structType).operands;
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        result.push_back({memberNames_.at({structType, i}), types[i], offsets_.at({structType, i})});
    }
    return result;
}

std::uint32_t SpirvLayout::elementType(std::uint32_t arrayType) const {
    return definition(arrayType).operands.at(0);
}

std::uint32_t SpirvLayout::arrayStride(std::uint32_t arrayType) const {
    return strides_.at(arrayType);
}

std::uint32_t SpirvLayout::size(std::uint32_t type) const {
    const Definition& made = definition(type);
    switch (made.opcode) {
    case OpTypeInt:
    case OpTypeFloat:
        return made.operands[0] / 8;
    case OpTypeVector:
        return size(made.operands[0]) * made.operands[1];
    case OpTypeArray:
        return arrayStride(type) * definition(made.operands[1]).operands[0];
    case OpTypeStruct: {
        const std::vector<Member> all = members(type);
        return all.back().offset + size(all.back().type);
    }
    default:
        throw std::runtime_error("type " + std::to_string(type) + " has no size");
    }
}

} // namespace aureole
