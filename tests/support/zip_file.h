#pragma once

#include <string>
#include <utility>
#include <vector>

namespace aureole::test {

/// A ZIP archive of files (name, content), deflated.
std::string makeZip(const std::vector<std::pair<std::string, std::string>>& files);

/// A 3MF package whose model has these resources, the object 1 built, and more files beside the model.
std::string make3mf(const std::string& resources, const std::vector<std::pair<std::string, std::string>>& files = {});

/// An object of a 3MF model: a tetrahedron, 1 millimetre wide.
std::string tetrahedron3mf(const std::string& attributes = "");

} // namespace aureole::test
