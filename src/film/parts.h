#pragma once

// Films of other samples of one picture, as they pass between processes and are added.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "film/film.h"

namespace aureole {

/// The film as bytes, little-endian and without loss. All of its pixels have as many samples.
std::vector<std::byte> filmToBytes(const FilmSums& film);

/// The film that filmToBytes made bytes of. Throws Error (BadInput), naming `from`, where they are no such bytes.
FilmSums filmFromBytes(std::span<const std::byte> bytes, const std::string& from);

/// Adds a film of higher samples; an empty total becomes it. Throws Error (BadInput), naming `from`, where it is of
/// another size, has other layers, or samples that the total has.
void appendFilm(FilmSums& total, FilmSums later, const std::string& from);

} // namespace aureole
