#pragma once

// Peers that are programs of their own, since their libraries are not aureole's to link: aureole-bench has their
// sources in it, and a compiler of the machine that it runs on makes them.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace aureole::bench {

/// A file that is in this program.
struct SourceFile {
    std::string name;
    std::string_view text;
};

/// What makes a peer's program.
struct PeerSource {
    std::string name;               ///< of the peer, as options have it
    std::vector<SourceFile> files;  ///< the first is compiled
    bool isCuda = false;            ///< by nvcc, of PATH or of /usr/local/cuda/bin; else by c++
    std::vector<std::string> flags; ///< behind the source, such as libraries
    std::string needs;              ///< beside the compiler, for messages
};

/// The sources of "cub", of "tree64-cuda", and of "cufft", "vkfft" and "fftw".
PeerSource cubSource();
PeerSource tree64Source();
PeerSource bloomSource(const std::string& name);

/// A folder that goes with its owner.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// A program made from such a source.
class PeerProgram {
public:
    /// Compiles it. Throws Error (Usage) that names the peer and what is missing, with the compiler's own words.
    explicit PeerProgram(PeerSource source);

    /// Runs it, and reads the JSON that it prints. Throws Error with what it says: Usage where it does not run on the
    /// device, Internal where it fails otherwise.
    nlohmann::json run(const std::vector<std::string>& arguments) const;

    /// For files of the caller's.
    const std::filesystem::path& folder() const { return folder_.path(); }

private:
    PeerSource source_;
    TemporaryFolder folder_;
};

} // namespace aureole::bench
