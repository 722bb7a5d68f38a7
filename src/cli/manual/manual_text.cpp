#include "cli/manual/manual_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace aureole::cli {

namespace {

/// The words of a paragraph in roff, with the fonts of code and emphasis. They may be parted at spaces.
class RoffParagraph {
public:
    explicit RoffParagraph(const std::string& text) {
        for (std::size_t at = 0; at < text.size(); ++at) {
            at = take(text, at);
        }
        endWord();
    }

    const std::vector<std::string>& words() const { return words_; }

private:
    /// Takes what begins at `at`, and returns the place of its last character.
    std::size_t take(const std::string& text, std::size_t at) {
        const char c = text[at];
        if (c == '`') {
            turn(code_, "\\fB");
        } else if (c == '*' && !code_ && (italic_ || (at + 1 < text.size() && text[at + 1] != ' '))) {
            turn(italic_, "\\fI");
        } else if (c == '[' && !code_) {
            return takeLink(text, at);
        } else if (c == ' ') {
            endWord();
        } else {
            // A full stop first in a line would make it a request; within a word it is only itself.
            word_ += c == '.' && !word_.empty() ? "." : escapedForRoff(std::string(1, c));
        }
        return at;
    }

    std::size_t takeLink(const std::string& text, std::size_t at) {
        const std::size_t middle = text.find("](", at);
        const std::size_t end = middle == std::string::npos ? middle : text.find(')', middle);
        if (end == std::string::npos || text.substr(at + 1, middle - at - 1).find('[') != std::string::npos) {
            word_ += '[';
            return at;
        }
        for (std::size_t inner = at + 1; inner < middle; ++inner) {
            inner = take(text, inner);
        }
        return end;
    }

    void turn(bool& on, const char* font) {
        on = !on;
        word_ += on ? font : "\\fR";
    }

    void endWord() {
        if (!word_.empty()) {
            words_.push_back(word_);
            word_.clear();
        }
    }

    std::vector<std::string> words_;
    std::string word_;
    bool code_ = false;
    bool italic_ = false;
};

std::string filledMarkdown(const std::string& text) {
    return filledLines(RoffParagraph(text).words()) + "\n";
}

/// The cells of a row "| a | b |".
std::vector<std::string> cellsOf(const std::string& row) {
    std::vector<std::string> cells;
    for (std::size_t from = 1; from < row.size();) {
        const std::size_t end = std::min(row.find('|', from), row.size());
        const std::size_t first = std::min(row.find_first_not_of(' ', from), end);
        const std::size_t last = row.find_last_not_of(' ', end - 1);
        cells.push_back(last == std::string::npos || last < first ? "" : row.substr(first, last - first + 1));
        from = end + 1;
    }
    return cells;
}

/// Reads a text line by line and writes each block where it ends.
class Converter {
public:
    std::string convert(const std::string& markdown) {
        std::istringstream lines(markdown);
        for (std::string line; std::getline(lines, line);) {
            take(line);
        }
        endBlock();
        return roff_;
    }

private:
    enum class Block { None, Paragraph, Item, Code, Table };

    void take(const std::string& line) {
        const bool fence = line.starts_with("```");
        if (block_ == Block::Code && !fence) {
            text_ += escapedForRoff(line) + "\n";
        } else if (fence) {
            const bool open = block_ != Block::Code;
            endBlock();
            block_ = open ? Block::Code : Block::None;
        } else if (line.starts_with('#')) {
            endBlock();
            heading(line);
        } else if (line.empty()) {
            endBlock();
        } else if (line.starts_with("- ")) {
            begin(Block::Item, line.substr(2));
        } else if (line.starts_with('|')) {
            endBlock();
            row(line);
        } else if (block_ == Block::None) {
            begin(Block::Paragraph, line);
        } else {
            text_ += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
        }
    }

    void begin(Block block, const std::string& text) {
        endBlock();
        block_ = block;
        text_ = text;
    }

    void heading(const std::string& line) {
        const std::size_t level = line.find_first_not_of('#');
        std::string name = line.substr(std::min(level + 1, line.size()));
        if (level == 2) {
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
        }
        if (level > 1) {
            roff_ += (level == 2 ? ".SH " : ".SS ") + escapedForRoff(name) + "\n";
        }
        afterHeading_ = true;
        rows_ = 0;
    }

    /// The first row of a table names its columns, and the second parts it from the others.
    void row(const std::string& line) {
        ++rows_;
        if (rows_ > 2) {
            const std::vector<std::string> cells = cellsOf(line);
            std::string term;
            for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
                term += (term.empty() || cells[i].empty() ? "" : "  ") + cells[i];
            }
            roff_ += ".TP\n" + filledMarkdown(term) + filledMarkdown(cells.back());
            afterHeading_ = false;
        }
        block_ = Block::Table;
    }

    void endBlock() {
        // Text right after a heading begins a paragraph by itself.
        const std::string paragraph = afterHeading_ ? "" : ".PP\n";
        if (block_ == Block::Paragraph) {
            roff_ += paragraph + filledMarkdown(text_);
        } else if (block_ == Block::Item) {
            roff_ += ".IP \\(bu 2\n" + filledMarkdown(text_);
        } else if (block_ == Block::Code) {
            roff_ += paragraph + ".RS 4\n.nf\n" + text_ + ".fi\n.RE\n";
        }
        if (block_ != Block::None && block_ != Block::Table) {
            afterHeading_ = false;
            rows_ = 0;
        }
        block_ = Block::None;
        text_.clear();
    }

    std::string roff_;
    std::string text_; ///< of the block under way
    Block block_ = Block::None;
    std::size_t rows_ = 0; ///< of the table under way
    bool afterHeading_ = true;
};

} // namespace

std::string escapedForRoff(const std::string& text) {
    std::string roff;
    for (const char c : text) {
        switch (c) {
        case '\\':
            roff += "\\e";
            break;
        case '-':
            roff += "\\-";
            break;
        case '\'':
            roff += "\\(aq";
            break;
        case '`':
            roff += "\\(ga";
            break;
        case '^':
            roff += "\\(ha";
            break;
        case '~':
            roff += "\\(ti";
            break;
        case '"':
            roff += "\\(dq";
            break;
        default:
            roff += c;
        }
    }
    // A full stop first in a line would make it a request.
    return roff.starts_with('.') ? "\\&" + roff : roff;
}

std::string filledLines(const std::vector<std::string>& words) {
    constexpr std::size_t kLongest = 76;
    std::string lines;
    std::size_t length = 0;
    for (const std::string& word : words) {
        const bool fits = length + word.size() < kLongest;
        lines += lines.empty() ? "" : fits ? " " : "\n";
        length = fits ? length + word.size() + 1 : word.size();
        lines += word;
    }
    return lines;
}

std::string manualSections(const std::string& markdown) {
    return Converter().convert(markdown);
}

} // namespace aureole::cli
