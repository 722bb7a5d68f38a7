#pragma once

// Seeds: small inputs of each target, FOLDER/TARGET/NAME.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace aureole::fuzz {

/// Writes the seeds of the targets into the folder.
class Seeds {
public:
    explicit Seeds(std::filesystem::path folder)
        : folder_(std::move(folder)) {}

    void add(const std::string& target, const std::string& name, std::span<const std::byte> bytes) const;
    void add(const std::string& target, const std::string& name, std::string_view text) const {
        add(target, name, std::as_bytes(std::span(text)));
    }
    /// Adds the content of a file.
    void addFile(const std::string& target, const std::filesystem::path& file) const;

private:
    std::filesystem::path folder_;
};

void addImageSeeds(const Seeds& seeds);
void addRefusedSeeds(const Seeds& seeds);
void addSceneSeeds(const Seeds& seeds);
void addVoxelSeeds(const Seeds& seeds);

} // namespace aureole::fuzz
