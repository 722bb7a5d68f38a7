#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/progress.h"
#include "core/stopwatch.h"

namespace aureole {

/// Shows how far a render is, with its rates, on stderr.
class RenderBar {
public:
    /// A count to show beside the rates: its key in JSON and its name for people.
    struct Count {
        const char* key = nullptr;
        const char* name = nullptr;
        std::uint64_t value = 0;
    };

    RenderBar();

    /// Shows that a share of the render, 0 to 1, is done. The samples of each pixel and the rays are those since this
    /// was made.
    void show(double share, double samples, std::uint64_t rays, const std::optional<Count>& count);

    /// Since this was made.
    double seconds() const { return clock_.seconds(); }

private:
    Progress progress_;
    Stopwatch clock_;
};

} // namespace aureole
