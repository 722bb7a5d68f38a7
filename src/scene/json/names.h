#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aureole {

/// Names by number, and numbers by name without going through all of them: scene files may have many of both.
class Names {
public:
    /// Gives the name the next number, from 0 on. Of several that are alike, the first is found.
    void add(std::string name) {
        numbers_.try_emplace(name, list_.size());
        list_.push_back(std::move(name));
    }

    std::optional<std::size_t> find(const std::string& name) const {
        const auto found = numbers_.find(name);
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }

    const std::vector<std::string>& list() const { return list_; }

private:
    std::vector<std::string> list_;
    std::unordered_map<std::string, std::size_t> numbers_;
};

} // namespace aureole
