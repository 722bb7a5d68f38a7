#include "core/current_error.h"

#include <exception>
#include <new>

namespace aureole {

Error currentError() {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {ExitCode::OutOfMemory, "out of memory"};
    } catch (const std::exception& error) {
        return {ExitCode::Internal, error.what()};
    } catch (...) {
        return {ExitCode::Internal, "an unknown failure"};
    }
}

} // namespace aureole
