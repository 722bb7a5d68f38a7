#pragma once

#include <string>
#include <utility>
#include <vector>

namespace aureole::test {

/// A ZIP archive of files (name, content), deflated.
std::string makeZip(const std::vector<std::pair<std::string, std::string>>& files);

/// A model of 3MF with these resources and what it builds: object 1, unless told.
std::string model3mf(const std::string& resources, const std::string& items = R"(<item objectid="1"/>)",
                     const std::string& unit = "millimeter");

/// A 3MF package of such a model, and more files beside it.
std::string package3mf(const std::string& model, const std::vector<std::pair<std::string, std::string>>& files = {});

/// A 3MF package whose model has these resources, the object 1 built, and more files beside the model.
std::string make3mf(const std::string& resources, const std::vector<std::pair<std::string, std::string>>& files = {});

/// An object of a 3MF model: a tetrahedron, 1 millimetre wide.
std::string tetrahedron3mf(const std::string& attributes = "");

} // namespace aureole::test
