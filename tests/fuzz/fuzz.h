#pragma once

// What the fuzz targets share. A target is a file NAME_fuzz.cpp that defines runInput().

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace aureole::fuzz {

using Bytes = std::span<const std::byte>;

/// Reads one input. Whatever it throws is a finding; so see goesThrough().
void runInput(Bytes input);

/// Ends the program where a promise is broken, which is a finding.
void require(bool kept, std::string_view promise);

/// Makes sure that an error refuses `file` as people need it.
void requireGoodRefusal(const Error& error, ExitCode code, const std::string& file);

/// Calls read(), which may refuse `file` by an Error of that code. Returns whether it went through.
template <typename Read>
bool goesThrough(const std::string& file, const Read& read, ExitCode code = ExitCode::BadInput) {
    try {
        read();
        return true;
    } catch (const Error& error) {
        requireGoodRefusal(error, code, file);
        return false;
    }
}

/// A folder that goes with the process; in TMPDIR, which should be memory.
const std::filesystem::path& folder();

/// Writes a file into that folder; returns its path.
std::filesystem::path written(const std::string& name, Bytes bytes);

inline std::string_view textOf(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

} // namespace aureole::fuzz
