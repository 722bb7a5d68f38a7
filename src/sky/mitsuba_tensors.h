#pragma once

// Named arrays of numbers in the form of Mitsuba 3's tensor files (its mi.tensor_io).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace aureole::sky {

/// A file of version 1.0, little-endian: "tensor_file" and a zero byte, two bytes of version, the number of tensors in
/// four; for each its name's length in two, the name, its rank in two, the type of its numbers in one, the place of its
/// numbers from the file's start in eight, and its size along each dimension, slowest first, in eight; then the
/// numbers.
class MitsubaTensors {
public:
    /// Throws Error (BadInput) where the file cannot be read, is larger than 8 MiB, is of another format or version, is
    /// cut short before the tensors' numbers, or names a tensor twice.
    explicit MitsubaTensors(const std::filesystem::path& file);

    /// Fills `values`, as many as `shape` has, with a tensor's numbers, which are of double precision. Throws Error
    /// (BadInput) where it is missing, has another shape or type, or reaches beyond the file, or a number is not
    /// finite or beyond 1e30.
    void read(const std::string& name, const std::vector<std::uint64_t>& shape, std::span<double> values) const;

private:
    struct Tensor {
        unsigned type = 0;
        std::uint64_t offset = 0;
        std::vector<std::uint64_t> shape;
    };
    const Tensor& find(const std::string& name, const std::string& expected) const;

    std::string file_;
    std::vector<std::byte> bytes_;
    std::map<std::string, Tensor> tensors_;
};

} // namespace aureole::sky
