#include "cli/bench/report_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/bench/markup.h"
#include "cli/bench/report_style.h"

namespace aureole::cli {

namespace {

using Json = nlohmann::ordered_json;

/// "whole us" reads "whole µs".
std::string headingText(const std::string& key) {
    return key == "us" || key.ends_with(" us") ? key.substr(0, key.size() - 2) + "µs" : key;
}

std::string headMarkup(const ReportPage& page) {
    return fmt::format("<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                       "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta name=\"generator\" content=\"aureole {}\"/>\n<style>{}</style>\n</head>\n",
                       escapeMarkup("aureole: " + page.content.title), reportScriptHash(), AUREOLE_VERSION,
                       reportStyle());
}

/// Words that break where lines are too short for them, and nowhere else.
std::string commandMarkup(const std::string& commandLine) {
    std::string markup;
    for (std::size_t from = 0; from < commandLine.size();) {
        const std::size_t end = std::min(commandLine.find(' ', from), commandLine.size());
        markup +=
            fmt::format("{}<span>{}</span>", from > 0 ? " " : "", escapeMarkup(commandLine.substr(from, end - from)));
        from = end + 1;
    }
    return markup;
}

std::string headerMarkup(const ReportPage& page) {
    std::string markup = fmt::format("<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<dl class=\"facts\">\n",
                                     escapeMarkup(page.content.title), escapeMarkup(page.content.measured));
    for (const auto& [name, value] : page.facts) {
        markup += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escapeMarkup(name), escapeMarkup(value));
    }
    markup += fmt::format("<div class=\"wide\"><dt>Command</dt><dd><code>{}</code></dd></div>\n",
                          commandMarkup(page.commandLine));
    return markup + "</dl>\n</header>\n";
}

std::string cellMarkup(const Json& value) {
    if (value.is_string()) {
        return fmt::format("<td class=\"text\">{}</td>", escapeMarkup(value.get<std::string>()));
    }
    const std::string exact = value.is_number() ? fmt::format(" data-value=\"{}\"", value.dump()) : "";
    return fmt::format("<td{}>{}</td>", exact, escapeMarkup(cellText(value)));
}

std::string rowsMarkup(const Json& rows) {
    std::string markup = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
    for (const auto& [key, value] : rows.front().items()) {
        markup += fmt::format(R"(<th scope="col" data-key="{}"{}>{}</th>)", escapeMarkup(key),
                              value.is_string() ? " class=\"text\"" : "", escapeMarkup(headingText(key)));
    }
    markup += "</tr></thead>\n<tbody>\n";
    for (const Json& row : rows) {
        markup += "<tr>";
        for (const Json& value : row) {
            markup += cellMarkup(value);
        }
        markup += "</tr>\n";
    }
    return markup + "</tbody></table></div>\n";
}

std::string tableMarkup(const Json& table) {
    std::string markup = fmt::format("<figure class=\"table\"><figcaption>{}</figcaption>\n",
                                     escapeMarkup(table.at("title").get<std::string>()));
    if (!table.at("rows").empty()) {
        markup += rowsMarkup(table.at("rows"));
    }
    if (!table.at("notes").empty()) {
        markup += "<ul class=\"notes\">\n";
        for (const Json& note : table.at("notes")) {
            markup += fmt::format("<li>{}</li>\n", escapeMarkup(note.get<std::string>()));
        }
        markup += "</ul>\n";
    }
    return markup + "</figure>\n";
}

} // namespace

std::string reportPage(const ReportPage& page, const Json& tables) {
    std::string markup = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n";
    markup += headMarkup(page) + "<body>\n" + headerMarkup(page) + "<main>\n";
    if (!page.content.charts.empty()) {
        markup += "<h2>Plots</h2>\n<div class=\"charts\">\n";
        for (const Chart& chart : page.content.charts) {
            markup += chartMarkup(chart);
        }
        markup += "</div>\n";
    }
    if (!page.content.pictures.empty()) {
        markup += "<h2>Pictures</h2>\n";
        for (const PicturePair& pair : page.content.pictures) {
            markup += pairMarkup(pair);
        }
    }
    markup += "<h2>Tables</h2>\n";
    for (const Json& table : tables) {
        markup += tableMarkup(table);
    }
    markup += fmt::format("</main>\n<footer>Written by aureole {}. Times are medians; plots tell each value where the "
                          "pointer rests, and tables are sorted by a click on a heading.</footer>\n",
                          AUREOLE_VERSION);
    return markup + fmt::format("<script>{}</script>\n</body>\n</html>\n", reportScript());
}

std::string cellText(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_number_float()) {
        return figureText(value.get<double>());
    }
    return value.is_null() ? "-" : value.dump();
}

} // namespace aureole::cli
