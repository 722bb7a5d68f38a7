#pragma once

// SPIR-V that is added to a module. Internal to these checks.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "gpu_test/bounds/spirv_module.h"

namespace aureole::gpu::spirv {

/// Instructions under way, numbered on from a bound that several writers share.
class Writer {
public:
    explicit Writer(std::uint32_t& idBound)
        : bound_(&idBound) {}

    const std::vector<std::uint32_t>& words() const { return words_; }
    std::uint32_t newId() { return (*bound_)++; }

    /// An instruction without a result, or one whose result is among the operands.
    void put(Op op, std::initializer_list<std::uint32_t> operands);
    /// One with a result of that type, which is returned.
    std::uint32_t add(Op op, std::uint32_t type, std::initializer_list<std::uint32_t> operands);
    void copy(std::span<const std::uint32_t> words);
    void append(const Writer& other) { copy(other.words_); }

private:
    std::uint32_t* bound_;
    std::vector<std::uint32_t> words_;
};

/// The types and constants that checks use: those of the module, and new ones where it lacks them.
class Globals {
public:
    Globals(const Module& module, std::uint32_t& idBound);

    const Writer& added() const { return writer_; }
    std::uint32_t boolean() const { return boolean_; }
    std::uint32_t uint32() const { return uint32_; }
    std::uint32_t uint64() const { return uint64_; }
    /// Pointers, reached by address, to one of those two.
    std::uint32_t pointerTo(std::uint32_t type) const { return type == uint64_ ? pointer64_ : pointer32_; }
    /// A function of that type with parameters of those types.
    std::uint32_t function(std::initializer_list<std::uint32_t> resultAndParameters);
    std::uint32_t constant32(std::uint32_t value);
    std::uint32_t constant64(std::uint64_t value);

private:
    std::uint32_t type(const Module& module, Op op, std::initializer_list<std::uint32_t> operands);

    Writer writer_;
    std::uint32_t boolean_;
    std::uint32_t uint32_;
    std::uint32_t uint64_;
    std::uint32_t pointer32_;
    std::uint32_t pointer64_;
    std::vector<std::pair<std::vector<std::uint32_t>, std::uint32_t>> functions_; ///< of the module and new
    std::map<std::uint32_t, std::uint32_t> constants32_;
    std::map<std::uint64_t, std::uint32_t> constants64_;
};

} // namespace aureole::gpu::spirv
