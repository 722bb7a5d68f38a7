#include "core/suggest.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/lower_case.h"

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

/// In lower case, without the dashes of options: what people remember of a name.
std::string core(std::string_view name) {
    return lowerCase(name.substr(std::min(name.find_first_not_of('-'), name.size())));
}

/// The first letters of a name's parts, in lower case: spp of samplesPerPixel, or of samples-per-pixel.
std::string initials(std::string_view name) {
    std::string letters;
    char before = '-';
    for (const char c : name) {
        const bool begins = (std::isalpha(static_cast<unsigned char>(before)) == 0) ||
                            (std::isupper(static_cast<unsigned char>(c)) != 0);
        if (begins && std::isalpha(static_cast<unsigned char>(c)) != 0) {
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
        before = c;
    }
    return letters;
}

/// The nearest by edit distance, of those at most `most` away.
std::string nearestSlip(std::string_view word, std::span<const std::string> candidates, std::size_t most) {
    std::string best;
    std::size_t bestDistance = most + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t length = std::max(word.size(), candidate.size());
        if (length - std::min(word.size(), candidate.size()) > most) {
            continue; // at least that far away
        }
        const std::size_t distance = editDistance(word, candidate);
        // A slip leaves something of a name, and about half of a short one.
        if (distance < bestDistance && distance < length && distance <= (length + 1) / 2) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

/// The shortest that the word is part of or the initials of; else the longest that is part of the word.
std::string nearestPart(std::string_view word, std::span<const std::string> candidates) {
    constexpr std::size_t kLeast = 3; // letters that tell something
    const std::string part = core(word);
    std::string whole;
    std::string within;
    for (const std::string& candidate : candidates) {
        const std::string name = core(candidate);
        const bool meant = name.find(part) != std::string::npos || initials(candidate) == part;
        if (part.size() >= kLeast && meant && (whole.empty() || candidate.size() < whole.size())) {
            whole = candidate;
        }
        if (name.size() > kLeast && part.find(name) != std::string::npos && candidate.size() > within.size()) {
            within = candidate;
        }
    }
    return whole.empty() ? within : whole;
}

} // namespace

std::string nearestName(std::string_view word, std::span<const std::string> candidates) {
    constexpr std::size_t kLongest = 256; // of what a person types; distances take the product of the lengths
    if (word.size() > kLongest) {
        return {};
    }
    if (std::string slip = nearestSlip(word, candidates, 1); !slip.empty()) {
        return slip;
    }
    if (std::string part = nearestPart(word, candidates); !part.empty()) {
        return part;
    }
    return nearestSlip(word, candidates, std::max<std::size_t>(2, word.size() / 3));
}

std::string didYouMean(std::string_view word, std::span<const std::string> candidates) {
    const std::string nearest = nearestName(word, candidates);
    return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

} // namespace aureole
