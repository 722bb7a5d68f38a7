#include "import/threemf/document.h"

#include <optional>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/printable.h"
#include "import/threemf/model_part.h"
#include "import/threemf/xml_part.h"

namespace aureole::threemf {

namespace {

constexpr const char* kRelationships = "_rels/.rels";

/// Finds the part that is the model: what the package's relationships name.
class Relationships : public ElementReader {
public:
    void start(const Element& element) override {
        if (element.name() == "Relationship" && element.textOr("Type", "").ends_with("/3dmodel") && !model_) {
            model_ = std::string(element.text("Target"));
        }
    }
    void end() override {}

    const std::optional<std::string>& model() const { return model_; }

private:
    std::optional<std::string> model_;
};

std::string modelOf(Package& package) {
    if (!package.has(kRelationships)) {
        fail(ExitCode::BadInput, "{}: found no part '{}', expected one that names the model", package.name(),
             kRelationships);
    }
    Relationships relationships;
    readXmlPart(package, kRelationships, relationships);
    if (!relationships.model()) {
        fail(ExitCode::BadInput, "{}: {}: found no relationship of the type '.../3dmodel', expected that of the model",
             package.name(), kRelationships);
    }
    if (!package.has(*relationships.model())) {
        fail(ExitCode::BadInput, "{}: {}: found the model '{}', expected a part of the package", package.name(),
             kRelationships, excerpt(*relationships.model()));
    }
    return *relationships.model();
}

} // namespace

std::uint32_t Document::numberOf(std::string_view part) {
    const auto [found, isNew] =
        numbersOfParts.try_emplace(Package::keyOf(part), static_cast<std::uint32_t>(parts.size()));
    if (isNew) {
        parts.emplace_back(part);
    }
    return found->second;
}

Document readDocument(Package& package) {
    Document document;
    document.numberOf(modelOf(package));
    std::set<std::string> unread;
    for (std::uint32_t part = 0; part < document.parts.size(); ++part) { // which become more meanwhile
        readModelPart(package, part, unread, document);
    }
    return document;
}

} // namespace aureole::threemf
