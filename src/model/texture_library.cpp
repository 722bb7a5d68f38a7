#include "model/texture_library.h"

#include <algorithm>
#include <exception>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

/// Throws those that are not empty, each once: a file may be part of several textures.
void failOfAny(const std::vector<std::string>& faults) {
    std::vector<std::string> lines;
    for (const std::string& fault : faults) {
        if (!fault.empty() && std::find(lines.begin(), lines.end(), fault) == lines.end()) {
            lines.push_back(fault);
        }
    }
    if (!lines.empty()) {
        fail(ExitCode::BadInput, "{}", fmt::join(lines, "\n"));
    }
}

} // namespace

std::uint32_t TextureLibrary::add(const std::string& key, const std::function<Decode()>& prepare) {
    const auto found = indices_.find(key);
    if (found != indices_.end()) {
        return found->second;
    }
    const auto index = static_cast<std::uint32_t>(pending_.size());
    try {
        pending_.push_back(prepare());
    } catch (const Error& error) {
        // Told with the others, once all are known.
        pending_.emplace_back([failure = error]() -> Texture { throw Error(failure); });
    }
    indices_.emplace(key, index);
    return index;
}

std::vector<Texture> TextureLibrary::decodeAll() {
    std::vector<Texture> textures(pending_.size());
    std::vector<std::string> faults(pending_.size());
    parallelFor(static_cast<std::int64_t>(pending_.size()), 1, [&](std::int64_t i) {
        const auto index = static_cast<std::size_t>(i);
        try {
            textures[index] = pending_[index]();
        } catch (const Error& error) {
            if (error.code() != ExitCode::BadInput) {
                throw;
            }
            faults[index] = error.what();
        }
        pending_[index] = nullptr; // the encoded bytes go as soon as they are decoded
    });
    failOfAny(faults);
    return textures;
}

} // namespace aureole
