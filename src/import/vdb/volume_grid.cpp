#include "import/vdb/volume_grid.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/printable.h"
#include "core/suggest.h"

namespace aureole::vdb {

namespace {

bool hasReadableValues(const GridTitle& title) {
    return title.type == "float" || title.type == "half";
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

} // namespace

bool isFog(const GridTitle& title) {
    return title.kind == kFogKind || title.kind.empty() || title.kind == "unknown";
}

std::size_t chooseGrid(const std::vector<GridTitle>& titles, const std::string& wanted, const std::string& file) {
    if (titles.empty()) {
        fail(ExitCode::BadInput, "{}: holds no grid, expected {}", file, kExpected);
    }
    const auto named =
        std::find_if(titles.begin(), titles.end(), [&](const GridTitle& title) { return title.name == wanted; });
    const std::size_t found = wanted.empty() ? firstReadable(titles) : static_cast<std::size_t>(named - titles.begin());
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
    std::vector<std::string> names;
    names.reserve(titles.size());
    for (const GridTitle& title : titles) {
        names.push_back(title.name);
    }
    fail(ExitCode::BadInput, "{}: {} '{}', expected one of {}{}", file, kNone, excerpt(wanted), describedAll(titles),
         didYouMean(wanted, names));
}

bool isAboutGrid(const std::string& message, const std::string& file) {
    return std::any_of(kOfGrids.begin(), kOfGrids.end(),
                       [&](const char* start) { return message.rfind(fmt::format("{}: {}", file, start), 0) == 0; });
}

} // namespace aureole::vdb
