#include "import/file_pieces.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

} // namespace

void forEachPiece(const InputFile& file, const Stopwatch& clock,
                  const std::function<void(std::span<const std::byte>)>& take) {
    const sandbox::Settings& limits = sandbox::settings();
    std::vector<std::byte> piece(std::min<std::uint64_t>(kPiece, file.size() + 1));
    std::size_t count = piece.size();
    for (std::uint64_t offset = 0; count == piece.size(); offset += count) {
        if (limits.isolation != sandbox::Isolation::None && clock.seconds() >= limits.seconds) {
            fail(ExitCode::BadInput, "{}: reading it took longer than {:g} s, the most that --asset-time allows",
                 file.name(), limits.seconds);
        }
        count = file.readAt(offset, piece);
        take(std::span(piece).first(count));
    }
}

} // namespace aureole
