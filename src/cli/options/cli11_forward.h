#pragma once

// What headers need of CLI11, which takes the compiler seconds to parse.

namespace CLI { // NOLINT(readability-identifier-naming): not ours to name
class App;
class Option;
} // namespace CLI
