#include "json_schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "matches.h"

namespace aureole {

using Json = nlohmann::json;

namespace {

const std::set<std::string> kKeywords = {"$schema",       "$defs",         "$ref",       "title",
                                         "description",   "default",       "type",       "const",
                                         "enum",          "required",      "properties", "additionalProperties",
                                         "propertyNames", "minProperties", "items",      "minItems",
                                         "maxItems",      "minimum",       "maximum",    "exclusiveMinimum",
                                         "minLength",     "pattern",       "oneOf",      "anyOf"};

bool hasType(const Json& value, const std::string& type) {
    if (type == "integer") {
        return value.is_number() && value.get<double>() == std::floor(value.get<double>());
    }
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "number" && value.is_number()) || (type == "null" && value.is_null());
}

/// `types` is one or a list of them.
bool hasAnyType(const Json& value, const Json& types) {
    return types.is_array() ? std::any_of(types.begin(), types.end(), [&](const Json& t) { return hasType(value, t); })
                            : hasType(value, types);
}

std::string escaped(std::string key) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"~", "~0"}, {"/", "~1"}}) {
        for (std::size_t at = 0; (at = key.find(from, at)) != std::string::npos; at += 2) {
            key.replace(at, 1, to);
        }
    }
    return key;
}

void checkScalar(const Json& schema, const Json& value, const std::string& place, std::vector<std::string>& errors) {
    const auto require = [&](bool good, const char* keyword) {
        if (!good) {
            errors.push_back(place + ": " + value.dump() + " against " + keyword);
        }
    };
    if (schema.contains("type")) {
        require(hasAnyType(value, schema["type"]), "type");
    }
    if (schema.contains("const")) {
        require(value == schema["const"], "const");
    }
    if (schema.contains("enum")) {
        const Json& choices = schema["enum"];
        require(std::find(choices.begin(), choices.end(), value) != choices.end(), "enum");
    }
    if (value.is_number()) {
        const double number = value;
        require(!schema.contains("minimum") || number >= schema["minimum"].get<double>(), "minimum");
        require(!schema.contains("maximum") || number <= schema["maximum"].get<double>(), "maximum");
        require(!schema.contains("exclusiveMinimum") || number > schema["exclusiveMinimum"].get<double>(),
                "exclusiveMinimum");
    }
    if (value.is_string()) {
        const std::string text = value;
        require(!schema.contains("minLength") || text.size() >= schema["minLength"].get<std::size_t>(), "minLength");
        require(!schema.contains("pattern") || !matchesOf(text, schema["pattern"].get<std::string>()).empty(),
                "pattern");
    }
}

} // namespace

const Json& JsonSchema::resolve(const Json& schema) const {
    const auto& reference = schema["$ref"].get_ref<const std::string&>();
    const auto [entry, isNew] = resolved_.try_emplace(reference, nullptr);
    if (isNew) {
        entry->second = &root_.at(Json::json_pointer(reference.substr(1)));
    }
    return *entry->second;
}

bool JsonSchema::accepts(const Json& schema, const Json& value) const {
    std::vector<std::string> found;
    check(schema, value, "", found);
    return found.empty();
}

std::vector<std::string> JsonSchema::errors(const Json& value) const {
    std::vector<std::string> found;
    check(root_, value, "", found);
    return found;
}

void JsonSchema::checkKeywords(const Json& schema) const {
    if (!known_.insert(&schema).second) {
        return;
    }
    for (const auto& [keyword, unused] : schema.items()) {
        if (!kKeywords.contains(keyword)) {
            throw std::runtime_error("unknown schema keyword " + keyword);
        }
    }
}

void JsonSchema::check(const Json& schema, const Json& value, const std::string& place,
                       std::vector<std::string>& errors) const {
    checkKeywords(schema);
    if (schema.contains("$ref")) {
        check(resolve(schema), value, place, errors);
    }
    checkScalar(schema, value, place, errors);
    if (value.is_object()) {
        checkObject(schema, value, place, errors);
    }
    if (value.is_array()) {
        checkArray(schema, value, place, errors);
    }
    checkBranches(schema, value, place, errors);
}

void JsonSchema::checkObject(const Json& schema, const Json& value, const std::string& place,
                             std::vector<std::string>& errors) const {
    for (const Json& key : schema.value("required", Json::array())) {
        if (!value.contains(key.get<std::string>())) {
            errors.push_back(place + ": lacks " + key.get<std::string>());
        }
    }
    if (value.size() < schema.value("minProperties", 0U)) {
        errors.push_back(place + ": too few properties");
    }
    const Json none = Json::object();
    const Json& properties = schema.contains("properties") ? schema["properties"] : none;
    for (const auto& [key, member] : value.items()) {
        const std::string below = place + "/" + escaped(key);
        if (schema.contains("propertyNames")) {
            check(schema["propertyNames"], key, below, errors);
        }
        if (properties.contains(key)) {
            check(properties[key], member, below, errors);
        } else if (schema.contains("additionalProperties")) {
            const Json& other = schema["additionalProperties"];
            if (other.is_boolean() && !other.get<bool>()) {
                errors.push_back(below + ": unknown");
            } else if (other.is_object()) {
                check(other, member, below, errors);
            }
        }
    }
}

void JsonSchema::checkArray(const Json& schema, const Json& value, const std::string& place,
                            std::vector<std::string>& errors) const {
    if (value.size() < schema.value("minItems", std::size_t{0}) ||
        value.size() > schema.value("maxItems", value.size())) {
        errors.push_back(place + ": length " + std::to_string(value.size()));
    }
    if (schema.contains("items")) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            check(schema["items"], value[i], place + "/" + std::to_string(i), errors);
        }
    }
}

void JsonSchema::checkBranches(const Json& schema, const Json& value, const std::string& place,
                               std::vector<std::string>& errors) const {
    for (const char* keyword : {"oneOf", "anyOf"}) {
        if (!schema.contains(keyword)) {
            continue;
        }
        std::size_t matches = 0;
        for (const Json& branch : schema[keyword]) {
            matches += accepts(branch, value) ? 1U : 0U;
        }
        if (matches == 0 || (matches > 1 && keyword == std::string("oneOf"))) {
            errors.push_back(place + ": " + std::to_string(matches) + " branches of " + keyword);
        }
    }
}

void JsonSchema::collect(const Json& schema, const Json& value, std::vector<const Json*>& found) const {
    found.push_back(&schema);
    if (schema.contains("$ref")) {
        collect(resolve(schema), value, found);
    }
    for (const char* keyword : {"oneOf", "anyOf"}) {
        if (schema.contains(keyword)) {
            for (const Json& branch : schema[keyword]) {
                if (accepts(branch, value)) {
                    collect(branch, value, found);
                }
            }
        }
    }
}

std::vector<const Json*> JsonSchema::at(const Json& document, const std::string& pointer) const {
    std::vector<const Json*> current;
    collect(root_, document, current);
    Json::json_pointer rest(pointer);
    std::vector<std::string> parts;
    for (; !rest.empty(); rest.pop_back()) {
        parts.insert(parts.begin(), rest.back());
    }
    const Json* value = &document;
    for (const std::string& part : parts) {
        value = value->is_array() ? &value->at(std::stoul(part)) : &value->at(part);
        std::vector<const Json*> next;
        for (const Json* schema : current) {
            if (schema->contains("properties") && (*schema)["properties"].contains(part)) {
                collect((*schema)["properties"][part], *value, next);
            } else if (schema->contains("additionalProperties") && (*schema)["additionalProperties"].is_object()) {
                collect((*schema)["additionalProperties"], *value, next);
            } else if (schema->contains("items")) {
                collect((*schema)["items"], *value, next);
            }
        }
        current = next;
    }
    return current;
}

std::set<const Json*> JsonSchema::objects() const {
    std::set<const Json*> found;
    const std::function<void(const Json&)> walk = [&](const Json& node) {
        if (node.is_object() && node.contains("properties") && node.value("type", Json()) == "object") {
            found.insert(&node);
        }
        if (node.is_structured()) {
            for (const Json& child : node) {
                walk(child);
            }
        }
    };
    walk(root_);
    return found;
}

} // namespace aureole
