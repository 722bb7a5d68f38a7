#pragma once

namespace aureole {

/// Puts something into the places of standard input, output and error that whoever started this process left empty:
/// else the next files that are opened would stand there, and messages go into them. Reading and writing there fails as
/// it did before. To be called before anything is opened.
void fillStandardStreams();

} // namespace aureole
