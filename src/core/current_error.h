#pragma once

#include "core/error.h"

namespace aureole {

/// The exception that is being handled, as an Error: what is none has the code that the program ends with, which is
/// OutOfMemory for std::bad_alloc. For use in a catch block.
Error currentError();

} // namespace aureole
