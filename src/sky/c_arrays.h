#pragma once

// Arrays of numbers in C source text.

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace aureole::sky {

/// The definitions "double NAME[] = { numbers };" of a file.
class CArrays {
public:
    /// Throws Error (BadInput) where the file cannot be read, is larger than 8 MiB or defines an array twice.
    explicit CArrays(const std::filesystem::path& file);

    /// Fills `values` with an array's numbers. Throws Error (BadInput) where it is missing, has more or fewer numbers,
    /// or one is no number, not finite or beyond 1e30.
    void read(const std::string& name, std::span<double> values) const;

private:
    std::size_t lineAt(std::size_t offset) const;

    std::string file_;
    std::string text_;                          ///< with blanks for comments
    std::map<std::string, std::size_t> arrays_; ///< where each name's numbers begin
};

} // namespace aureole::sky
