#pragma once

// Reads from SPIR-V how the compiler laid out structs in memory: the decorations Offset, ArrayStride, and the names.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace aureole {

class SpirvLayout {
public:
    struct Member {
        std::string name;
        std::uint32_t type = 0;
        std::uint32_t offset = 0;
    };

    /// Throws std::runtime_error where the words are no SPIR-V module.
    explicit SpirvLayout(std::span<const std::uint32_t> words);

    /// The type of that name whose members have offsets: the one that memory holds, beside which compilers keep another
    /// without for variables. Throws std::runtime_error where there is none.
    std::uint32_t find(const std::string& wanted) const;

    const std::string& name(std::uint32_t type) const;
    bool isStruct(std::uint32_t type) const;
    bool isArray(std::uint32_t type) const;
    std::vector<Member> members(std::uint32_t structType) const;
    /// Of an array, runtime arrays included.
    std::uint32_t elementType(std::uint32_t arrayType) const;
    std::uint32_t arrayStride(std::uint32_t arrayType) const;
    /// The bytes of a scalar, vector or array of known length; of a struct, up to the end of its last member.
    std::uint32_t size(std::uint32_t type) const;

private:
    /// An instruction that makes a type or a constant: the words behind its result.
    struct Definition {
        std::uint32_t opcode = 0;
        std::vector<std::uint32_t> operands;
    };
    using MemberKey = std::pair<std::uint32_t, std::uint32_t>;

    void read(std::uint32_t opcode, std::span<const std::uint32_t> operands);
    const Definition& definition(std::uint32_t id) const;

    std::map<std::uint32_t, std::string> names_;
    std::map<MemberKey, std::string> memberNames_;
    std::map<MemberKey, std::uint32_t> offsets_;
    std::map<std::uint32_t, std::uint32_t> strides_;
    std::map<std::uint32_t, Definition> definitions_;
};

} // namespace aureole
