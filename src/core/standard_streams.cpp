#include "core/standard_streams.h"

#include <cerrno>
#include <cstdlib>
#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace aureole {

void fillStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        // Open for what is not done there, so that the attempt is an error. It gets the lowest number that is free,
        // which is this one.
        if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) {
            std::_Exit(EXIT_FAILURE); // without /dev/null it would be as feared
        }
        // NOLINTEND(cppcoreguidelines-pro-type-vararg)
    }
}

} // namespace aureole
