#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/commands.h"
#include "core/error.h"

namespace {

int report(aureole::ExitCode code, const char* message) {
    std::fprintf(stderr, "aureole: error: %s\n", message);
    return static_cast<int>(code);
}

} // namespace

int main(int argc, char** argv) {
    using aureole::ExitCode;
    // A limit on the size of files is then an error of writing like others, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return static_cast<int>(aureole::cli::runCommandLine(argc, argv));
    } catch (const aureole::Error& error) {
        return report(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return report(ExitCode::OutOfMemory, "out of memory");
    } catch (const std::exception& error) {
        return report(ExitCode::Internal, error.what());
    } catch (...) {
        return report(ExitCode::Internal, "an unknown failure");
    }
}
