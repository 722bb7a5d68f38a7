#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/input_file.h"

namespace aureole::off {

/// The words of an OFF file: blank lines and comments (from # on) are left out.
class OffLines {
public:
    explicit OffLines(InputFile file);

    /// Goes on to the next line; false at the file's end.
    bool start();

    /// The next word, of a later line where this one has no more. Throws Error (BadInput) at the file's end.
    std::string_view word();
    /// The next word as a number, as a whole one from 0 on. Throws Error (BadInput) where it is none.
    float number();
    std::uint64_t count();

    /// The words left in this line.
    std::size_t left() const { return words_.size() - at_; }

    /// Puts back the word that was read last, without its first characters; nothing where that is all.
    void putBack(std::size_t characters);

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: line {}: {}", stream_.file().name(), line_,
             fmt::format(format, std::forward<Args>(args)...));
    }

private:
    InputStream stream_;
    std::string text_;
    std::vector<std::string_view> words_;
    std::size_t at_ = 0; ///< the next one's place in words_
    std::size_t line_ = 0;
};

} // namespace aureole::off
