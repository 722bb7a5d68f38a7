#pragma once

// NBT written byte by byte, for tests of readers: a value is the bytes behind a tag's name.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aureole::test::nbt {

/// A value with the number of its type.
struct Value {
    char type = 0;
    std::string bytes;
};

using Entries = std::vector<std::pair<std::string, Value>>;

Value byteOf(int value);
Value shortOf(int value);
Value intOf(std::int32_t value);
Value longOf(std::int64_t value);
Value text(const std::string& value);
Value byteArray(const std::string& bytes);
Value longArray(const std::vector<std::uint64_t>& values);
/// Of values of one type; an empty one has the type 0.
Value list(const std::vector<Value>& values);
Value compound(const Entries& entries);

/// A whole file, not packed: a compound with a name.
std::string file(const Value& root, const std::string& name = "");

/// The bytes as gzip packs them.
std::string gzip(const std::string& bytes);

} // namespace aureole::test::nbt
