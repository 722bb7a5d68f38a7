#include "core/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace aureole {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j + 1] + 1, row[j] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestName(std::string_view word, std::span<const std::string> candidates) {
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        const std::size_t length = std::max(word.size(), candidate.size());
        // A slip leaves something of a name, and about half of a short one.
        if (distance < bestDistance && distance < length && distance <= (length + 1) / 2) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, std::span<const std::string> candidates) {
    const std::string nearest = nearestName(word, candidates);
    return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

} // namespace aureole
