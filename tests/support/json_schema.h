#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

namespace aureole {

/// The part of JSON Schema (draft 2020-12) that the scene schema uses. Throws std::runtime_error for a keyword that it
/// does not know, so that no part of the schema goes unchecked.
class JsonSchema {
public:
    explicit JsonSchema(nlohmann::json root)
        : root_(std::move(root)) {}

    const nlohmann::json& root() const { return root_; }
    bool accepts(const nlohmann::json& value) const { return errors(value).empty(); }
    /// Where and why a value does not conform.
    std::vector<std::string> errors(const nlohmann::json& value) const;

    /// The schemas that hold for the value at a pointer in a conforming document, references resolved and the matching
    /// branches of oneOf and anyOf chosen.
    std::vector<const nlohmann::json*> at(const nlohmann::json& document, const std::string& pointer) const;

    /// Every schema of an object with "properties", as its place in the schema file.
    std::set<const nlohmann::json*> objects() const;

private:
    void check(const nlohmann::json& schema, const nlohmann::json& value, const std::string& place,
               std::vector<std::string>& errors) const;
    void checkObject(const nlohmann::json& schema, const nlohmann::json& value, const std::string& place,
                     std::vector<std::string>& errors) const;
    void checkArray(const nlohmann::json& schema, const nlohmann::json& value, const std::string& place,
                    std::vector<std::string>& errors) const;
    void checkBranches(const nlohmann::json& schema, const nlohmann::json& value, const std::string& place,
                       std::vector<std::string>& errors) const;
    bool accepts(const nlohmann::json& schema, const nlohmann::json& value) const;
    void checkKeywords(const nlohmann::json& schema) const;
    const nlohmann::json& resolve(const nlohmann::json& schema) const;
    /// The schema and everything that it refers to for this value.
    void collect(const nlohmann::json& schema, const nlohmann::json& value,
                 std::vector<const nlohmann::json*>& found) const;

    nlohmann::json root_;
    // Looked up once each, since the tests validate thousands of documents.
    mutable std::unordered_map<std::string, const nlohmann::json*> resolved_;
    mutable std::unordered_set<const nlohmann::json*> known_;
};

} // namespace aureole
