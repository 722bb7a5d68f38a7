#include "gpu_test/bounds/spirv_writer.h"

#include <algorithm>

namespace aureole::gpu::spirv {

void Writer::put(Op op, std::initializer_list<std::uint32_t> operands) {
    words_.push_back(firstWord(op, operands.size() + 1));
    words_.insert(words_.end(), operands);
}

std::uint32_t Writer::add(Op op, std::uint32_t type, std::initializer_list<std::uint32_t> operands) {
    const std::uint32_t id = newId();
    words_.push_back(firstWord(op, operands.size() + 3));
    words_.push_back(type);
    words_.push_back(id);
    words_.insert(words_.end(), operands);
    return id;
}

void Writer::copy(std::span<const std::uint32_t> words) {
    words_.insert(words_.end(), words.begin(), words.end());
}

Globals::Globals(const Module& module, std::uint32_t& idBound)
    : writer_(idBound)
    , boolean_(type(module, OpTypeBool, {}))
    , uint32_(type(module, OpTypeInt, {32, 0}))
    , uint64_(type(module, OpTypeInt, {64, 0}))
    , pointer32_(writer_.newId())
    , pointer64_(writer_.newId()) {
    writer_.put(OpTypePointer, {pointer32_, kPhysicalStorageBuffer, uint32_});
    writer_.put(OpTypePointer, {pointer64_, kPhysicalStorageBuffer, uint64_});
    for (const Instruction& instruction : module.instructions()) {
        if (instruction.op == OpTypeFunction) {
            functions_.emplace_back(std::vector(instruction.words.begin() + 2, instruction.words.end()),
                                    instruction.result);
        }
    }
}

/// Types other than pointers, arrays and structs may stand in a module but once.
std::uint32_t Globals::type(const Module& module, Op op, std::initializer_list<std::uint32_t> operands) {
    for (const Instruction& instruction : module.instructions()) {
        if (instruction.op == op && std::ranges::equal(instruction.words.subspan(2), operands)) {
            return instruction.result;
        }
    }
    const std::uint32_t id = writer_.newId();
    const std::uint32_t start[] = {firstWord(op, operands.size() + 2), id};
    writer_.copy(start);
    writer_.copy(std::span(operands.begin(), operands.size()));
    return id;
}

std::uint32_t Globals::function(std::initializer_list<std::uint32_t> resultAndParameters) {
    const auto found = std::ranges::find_if(
        functions_, [&](const auto& f) { return std::ranges::equal(f.first, resultAndParameters); });
    if (found != functions_.end()) {
        return found->second;
    }
    const std::uint32_t id = writer_.newId();
    const std::uint32_t start[] = {firstWord(OpTypeFunction, resultAndParameters.size() + 2), id};
    writer_.copy(start);
    writer_.copy(std::span(resultAndParameters.begin(), resultAndParameters.size()));
    functions_.emplace_back(resultAndParameters, id);
    return id;
}

std::uint32_t Globals::constant32(std::uint32_t value) {
    const auto [place, isNew] = constants32_.try_emplace(value, 0);
    if (isNew) {
        place->second = writer_.add(OpConstant, uint32_, {value});
    }
    return place->second;
}

std::uint32_t Globals::constant64(std::uint64_t value) {
    const auto [place, isNew] = constants64_.try_emplace(value, 0);
    if (isNew) {
        place->second = writer_.add(OpConstant, uint64_,
                                    {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32U)});
    }
    return place->second;
}

} // namespace aureole::gpu::spirv
