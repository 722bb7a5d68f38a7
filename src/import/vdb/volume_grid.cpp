#include "import/vdb/volume_grid.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/suggest.h"

namespace aureole::vdb {

namespace {

bool hasReadableValues(const GridTitle& title) {
    return title.type == "float" || title.type == "half";
}

bool isColours(const GridTitle& title) {
    return title.type == "vec3s" || title.type == "vec3h" || title.type == "vec3f"; // of OpenVDB, halves, of NanoVDB
}

bool isReadable(const GridTitle& title) {
    return hasReadableValues(title) && (title.kind == kLevelSetKind || isFog(title));
}

std::string described(const GridTitle& title) {
    return fmt::format("'{}' ({} of {})", excerpt(title.name),
                       title.kind.empty() ? "no kind given," : excerpt(title.kind), excerpt(title.type));
}

std::string describedAll(const std::vector<GridTitle>& titles) {
    constexpr std::size_t kShown = 8;
    std::string all;
    for (std::size_t i = 0; i < titles.size() && i < kShown; ++i) {
        all += (i > 0 ? ", " : "") + described(titles[i]);
    }
    return titles.size() > kShown ? fmt::format("{} and {} more", all, titles.size() - kShown) : all;
}

/// The index of the grid to read where none is named; that of none where there is no such grid.
std::size_t firstReadable(const std::vector<GridTitle>& titles) {
    const auto find = [&](const auto& fits) {
        const auto found = std::find_if(titles.begin(), titles.end(),
                                        [&](const GridTitle& title) { return isReadable(title) && fits(title); });
        return static_cast<std::size_t>(found - titles.begin());
    };
    std::size_t found = find([](const GridTitle& title) { return !isFog(title); });
    found = found < titles.size() ? found : find([](const GridTitle& title) { return title.name == "density"; });
    return found < titles.size() ? found : find([](const GridTitle&) { return true; });
}

/// What messages about a grid begin with, behind the name of the file: here, and of a grid that was chosen.
constexpr const char* kNone = "found no grid";
constexpr const char* kUnfit = "found the grid";
constexpr std::array kOfGrids = {kNone, kUnfit, "grid '"};

constexpr const char* kExpected = "a level set or fog, of floats or halves";

/// So too of colours.
constexpr const char* kNoColours = "found no colour grid";
constexpr const char* kUnfitColours = "found the colour grid";
constexpr std::array kOfColours = {kNoColours, kUnfitColours, "colour grid '"};

constexpr const char* kExpectedColours = "colours: vectors of 3 floats or halves";

/// The index of the grid of that name; the number of grids where there is none. OpenVDB calls the first of several
/// "density[0]" too.
std::size_t findNamed(const std::vector<GridTitle>& titles, std::string_view name) {
    const auto find = [&](std::string_view wanted) {
        const auto named =
            std::find_if(titles.begin(), titles.end(), [&](const GridTitle& title) { return title.name == wanted; });
        return static_cast<std::size_t>(named - titles.begin());
    };
    constexpr std::string_view kFirst = "[0]";
    const std::size_t found = find(name);
    const bool asFirst = found == titles.size() && name.ends_with(kFirst);
    return asFirst ? find(name.substr(0, name.size() - kFirst.size())) : found;
}

[[noreturn]] void failOfName(const std::vector<GridTitle>& titles, const std::string& wanted, const char* found,
                             const std::string& file) {
    std::vector<std::string> names;
    names.reserve(titles.size());
    for (const GridTitle& title : titles) {
        names.push_back(title.name);
    }
    fail(ExitCode::BadInput, "{}: {} '{}', expected one of {}{}", file, found, excerpt(wanted), describedAll(titles),
         didYouMean(wanted, names));
}

std::size_t chooseGrid(const std::vector<GridTitle>& titles, const std::string& wanted, const std::string& file) {
    if (titles.empty()) {
        fail(ExitCode::BadInput, "{}: holds no grid, expected {}", file, kExpected);
    }
    const std::size_t found = wanted.empty() ? firstReadable(titles) : findNamed(titles, wanted);
    if (found < titles.size() && isReadable(titles[found])) {
        return found;
    }
    if (found < titles.size()) {
        fail(ExitCode::BadInput, "{}: {} {}, expected {}", file, kUnfit, described(titles[found]), kExpected);
    }
    if (wanted.empty()) {
        fail(ExitCode::BadInput, "{}: found {} {}, expected {}", file, titles.size() == 1 ? "the grid" : "the grids",
             describedAll(titles), kExpected);
    }
    failOfName(titles, wanted, kNone, file);
}

std::optional<std::size_t> chooseColours(const std::vector<GridTitle>& titles, const std::optional<std::string>& wanted,
                                         const std::string& file) {
    const std::size_t found = findNamed(titles, wanted.value_or(kColourName));
    if (wanted == "" || (!wanted && found == titles.size())) {
        return std::nullopt;
    }
    if (found == titles.size()) {
        failOfName(titles, *wanted, kNoColours, file);
    }
    if (isColours(titles[found])) {
        return found;
    }
    if (wanted) {
        fail(ExitCode::BadInput, "{}: {} {}, expected {}", file, kUnfitColours, described(titles[found]),
             kExpectedColours);
    }
    logWarning("{}: the grid {} is no colour of the level set, which is {}", file, described(titles[found]),
               "given by vectors of 3 floats or halves");
    return std::nullopt;
}

} // namespace

bool isFog(const GridTitle& title) {
    return title.kind == kFogKind || title.kind.empty() || title.kind == "unknown";
}

void tellApart(std::vector<GridTitle>& titles) {
    std::map<std::string, std::size_t> known;
    for (GridTitle& title : titles) {
        if (const std::size_t before = known[title.name]++; before > 0) {
            title.name += fmt::format("[{}]", before);
        }
    }
}

ChosenGrids chooseGrids(const std::vector<GridTitle>& titles, const GridChoice& wanted, const std::string& file) {
    ChosenGrids chosen{chooseGrid(titles, wanted.grid, file), {}};
    if (!isFog(titles[chosen.grid])) {
        chosen.colours = chooseColours(titles, wanted.colours, file);
    } else if (wanted.colours && !wanted.colours->empty()) {
        fail(ExitCode::BadInput, "{}: {} '{}' for the fog '{}', expected none: level sets have colours", file,
             kUnfitColours, excerpt(*wanted.colours), excerpt(titles[chosen.grid].name));
    }
    return chosen;
}

GridSubject subjectOf(const std::string& message, const std::string& file) {
    const auto startsWithAny = [&](const auto& starts) {
        return std::any_of(starts.begin(), starts.end(), [&](const char* start) {
            return message.rfind(fmt::format("{}: {}", file, start), 0) == 0;
        });
    };
    return startsWithAny(kOfGrids)     ? GridSubject::Grid
           : startsWithAny(kOfColours) ? GridSubject::Colours
                                       : GridSubject::File;
}

} // namespace aureole::vdb
