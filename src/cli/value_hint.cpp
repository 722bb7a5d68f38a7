#include "cli/value_hint.h"

#include <memory>

#include "core/error.h"

namespace aureole::cli {

namespace {

HintedFormatter& formatterOf(const CLI::App& command) {
    const auto formatter = std::dynamic_pointer_cast<HintedFormatter>(command.get_formatter());
    if (!formatter) {
        fail(ExitCode::Internal, "{}: found a command without a HintedFormatter", command.get_name());
    }
    return *formatter;
}

} // namespace

void setHint(const CLI::App& command, const CLI::Option* option, ValueHint hint) {
    formatterOf(command).hints[option] = std::move(hint);
}

ValueHint hintOf(const CLI::App& command, const CLI::Option* option) {
    const auto& hints = formatterOf(command).hints;
    const auto found = hints.find(option);
    return found == hints.end() ? ValueHint{} : found->second;
}

} // namespace aureole::cli
