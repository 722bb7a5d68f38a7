#include "cli/options/value_hint.h"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "core/error.h"

namespace aureole::cli {

namespace {

/// A tree of commands has nothing in common but its formatter, so the hints are there.
class HintedFormatter : public CLI::Formatter {
public:
    std::map<const CLI::Option*, ValueHint> hints;
};

HintedFormatter& formatterOf(const CLI::App& command) {
    const auto formatter = std::dynamic_pointer_cast<HintedFormatter>(command.get_formatter());
    if (!formatter) {
        fail(ExitCode::Internal, "{}: found a command without a HintedFormatter", command.get_name());
    }
    return *formatter;
}

} // namespace

void keepHints(CLI::App& root) {
    root.formatter(std::make_shared<HintedFormatter>());
}

void setHint(const CLI::App& command, const CLI::Option* option, ValueHint hint) {
    formatterOf(command).hints[option] = std::move(hint);
}

ValueHint hintOf(const CLI::App& command, const CLI::Option* option) {
    const auto& hints = formatterOf(command).hints;
    const auto found = hints.find(option);
    return found == hints.end() ? ValueHint{} : found->second;
}

} // namespace aureole::cli
