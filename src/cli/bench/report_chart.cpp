#include "cli/bench/report_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/bench/markup.h"
#include "cli/bench/plot_scale.h"

namespace aureole::cli {

namespace {

constexpr double kWidth = 480.0;    // of the whole picture, in its own units
constexpr std::size_t kColours = 7; // of the page

/// The class of a line, a bar or a key by its place; dashed once the colours are used up.
std::string seriesClass(std::size_t index) {
    return fmt::format("c{}{}", index % kColours, index / kColours % 2 == 1 ? " dashed" : "");
}

std::string textAt(double x, double y, const char* anchor, const std::string& text, const char* kind = "tick") {
    return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, x, y,
                       anchor, escapeMarkup(text));
}

std::string legend(const std::vector<std::string>& names, const std::string& markName) {
    std::string items;
    for (std::size_t i = 0; i < names.size(); ++i) {
        items += fmt::format("<li><span class=\"key {}\"></span>{}</li>\n", seriesClass(i), escapeMarkup(names[i]));
    }
    if (!markName.empty()) {
        items += fmt::format("<li><span class=\"key mark\"></span>{}</li>\n", escapeMarkup(markName));
    }
    return items.empty() ? "" : "<ul class=\"legend\">\n" + items + "</ul>\n";
}

std::string figure(const std::string& kind, const std::string& title, double height, const std::string& drawing,
                   const std::string& keys) {
    return fmt::format("<figure class=\"chart {}\">\n<figcaption>{}</figcaption>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" "
                       "aria-label=\"{}\">\n{}</svg>\n{}</figure>\n",
                       kind, escapeMarkup(title), kWidth, height, escapeMarkup(title), drawing, keys);
}

/// Lines over a grid.
class LineDrawing {
public:
    explicit LineDrawing(const LineChart& chart)
        : chart_(chart) {
        const auto& ticks = chart_.panel.xTicks;
        const auto [low, high] = std::minmax_element(ticks.begin(), ticks.end());
        low_ = low->first;
        high_ = high->first;
        scaleValues();
        // The outer labels reach neither into those of the other axis nor out of the picture.
        leftInset_ = std::max(10.0, halfWidth(low->second));
        rightInset_ = std::max(0.0, halfWidth(high->second) - (kWidth - kRight));
    }

    std::string markup() const {
        std::string svg = grid() + labels();
        std::vector<std::string> names;
        for (const PlotLine& line : chart_.panel.lines) {
            svg += drawLine(line, names.size());
            names.push_back(line.name);
        }
        return figure("lines", chart_.panel.title, kBottom + 42.0, svg, legend(names, chart_.markName));
    }

private:
    static constexpr double kLeft = 54.0;
    static constexpr double kRight = kWidth - 16.0;
    static constexpr double kTop = 26.0;
    static constexpr double kBottom = 246.0;

    /// Of a label, at its largest.
    static double halfWidth(const std::string& label) {
        constexpr double kCharacter = 8.0;
        return kCharacter / 2.0 * static_cast<double>(label.size());
    }

    double x(double value) const {
        const double width = kRight - rightInset_ - kLeft - leftInset_;
        return kLeft + leftInset_ + width * (high_ > low_ ? (value - low_) / (high_ - low_) : 0.5);
    }
    double y(double value) const {
        const double share =
            chart_.logarithmic ? std::log10(value / bottom_) / std::log10(top_ / bottom_) : value / top_;
        return kBottom - (kBottom - kTop) * share;
    }

    void scaleValues() {
        double least = std::numeric_limits<double>::infinity();
        double most = chart_.mark;
        for (const PlotLine& line : chart_.panel.lines) {
            for (const PlotPoint& point : line.points) {
                least = point.y > 0.0 ? std::min(least, point.y) : least;
                most = std::max(most, point.y);
            }
        }
        if (chart_.logarithmic && most > 0.0) {
            bottom_ = std::pow(10.0, std::floor(std::log10(std::min(least, most))));
            top_ = std::max(std::pow(10.0, std::ceil(std::log10(most))), 10.0 * bottom_);
        } else {
            top_ = niceTop(most);
        }
    }

    /// Where lines of the grid stand.
    std::vector<double> steps() const {
        std::vector<double> values;
        if (!chart_.logarithmic) {
            const double step = niceStep(top_);
            for (int i = 0; i * step <= top_ * 1.001; ++i) {
                values.push_back(i * step);
            }
            return values;
        }
        const bool few = top_ <= 100.1 * bottom_;
        const int decades = static_cast<int>(std::lround(std::log10(top_ / bottom_)));
        for (int i = 0; i <= decades; ++i) {
            const double decade = bottom_ * std::pow(10.0, i);
            for (const double digit : {1.0, 2.0, 5.0}) {
                if (digit * decade <= top_ * 1.001 && (few || digit == 1.0)) {
                    values.push_back(digit * decade);
                }
            }
        }
        return values;
    }

    std::string grid() const {
        std::string svg;
        for (const double value : steps()) {
            svg += fmt::format("<path class=\"{}\" d=\"M{} {:.1f}H{}\"/>\n", svg.empty() ? "axis" : "grid", kLeft,
                               y(value), kRight);
            svg += textAt(kLeft - 7.0, y(value) + 4.0, "end", fmt::format("{:g}", value));
        }
        if (chart_.mark > 0.0) {
            svg += fmt::format("<path class=\"mark\" d=\"M{} {:.1f}H{}\"/>\n", kLeft, y(chart_.mark), kRight);
        }
        return svg;
    }

    /// Those of ticks that would run into the one before are left out; the last one stays.
    std::string labels() const {
        constexpr double kGap = 8.0;
        std::string svg = textAt(kLeft - 7.0, kTop - 13.0, "start", chart_.panel.yLabel, "name");
        svg += textAt((kLeft + kRight) / 2.0, kBottom + 36.0, "middle", chart_.panel.xLabel, "name");
        const auto& ticks = chart_.panel.xTicks;
        const double lastBegins = x(ticks.back().first) - halfWidth(ticks.back().second);
        double free = 0.0;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const double at = x(ticks[i].first);
            const double half = halfWidth(ticks[i].second);
            const bool isLast = i + 1 == ticks.size();
            if (!isLast && (at - half < free || at + half + kGap > lastBegins)) {
                continue;
            }
            svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {}v4\"/>\n", at, kBottom);
            svg += textAt(at, kBottom + 17.0, "middle", ticks[i].second);
            free = at + half + kGap;
        }
        return svg;
    }

    std::string labelOf(double value) const {
        for (const auto& [tick, label] : chart_.panel.xTicks) {
            if (tick == value) {
                return label;
            }
        }
        return fmt::format("{:g}", value);
    }

    std::string drawLine(const PlotLine& line, std::size_t index) const {
        std::string points;
        std::string dots;
        for (const PlotPoint& point : line.points) {
            if (chart_.logarithmic && !(point.y > 0.0)) {
                continue;
            }
            points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(point.x), y(point.y));
            dots +=
                fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"><title>{}</title></circle>\n",
                            seriesClass(index), x(point.x), y(point.y),
                            escapeMarkup(fmt::format("{}, {}: {} {}", line.name, labelOf(point.x), figureText(point.y),
                                                     chart_.panel.yLabel)));
        }
        return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", seriesClass(index), points) + dots;
    }

    const LineChart& chart_;
    double low_ = 0.0;
    double high_ = 1.0;
    double leftInset_ = 0.0;
    double rightInset_ = 0.0;
    double bottom_ = 1.0; ///< of logarithmic ones
    double top_ = 10.0;
};

/// Bars below their labels, as wide as the picture, so that no label is too long for its place.
class BarDrawing {
public:
    explicit BarDrawing(const BarChart& chart)
        : chart_(chart) {
        for (const Bar& bar : chart_.bars) {
            most_ = std::max({most_, sum(bar), bar.mark, bar.high});
        }
    }

    std::string markup() const {
        std::string svg;
        double y = 0.0;
        for (const Bar& bar : chart_.bars) {
            svg += drawBar(bar, y);
            y += kPitch;
        }
        const std::vector<std::string> keys = chart_.series.size() > 1 ? chart_.series : std::vector<std::string>{};
        const std::string title = chart_.unit.empty() ? chart_.title : chart_.title + ", " + chart_.unit;
        return figure("bars", title, y, svg, legend(keys, chart_.markName));
    }

private:
    static constexpr double kPitch = 38.0;
    static constexpr double kLabel = 14.0; // its baseline, below a bar's place
    static constexpr double kBar = 20.0;
    static constexpr double kHeight = 11.0;

    static double sum(const Bar& bar) {
        double total = 0.0;
        for (const double part : bar.parts) {
            total += part;
        }
        return total;
    }
    double x(double value) const { return most_ > 0.0 ? (kWidth - 2.0) * value / most_ : 0.0; }

    std::string drawBar(const Bar& bar, double y) const {
        const std::string value = bar.text.empty() ? figureText(sum(bar)) : bar.text;
        std::string svg = textAt(0.0, y + kLabel, "start", bar.label, "label");
        svg += textAt(kWidth, y + kLabel, "end", value, "value");
        svg += fmt::format("<rect class=\"track\" x=\"0\" y=\"{:.1f}\" width=\"{:g}\" height=\"{:g}\"/>\n", y + kBar,
                           kWidth, kHeight);
        double begin = 0.0;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            const std::string name = i < chart_.series.size() ? chart_.series[i] + " " : "";
            svg += fmt::format(
                "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                "height=\"{:g}\"><title>{}</title></rect>\n",
                seriesClass(i), x(begin), y + kBar, x(bar.parts[i]), kHeight,
                escapeMarkup(fmt::format("{}: {}{} {}", bar.label, name, figureText(bar.parts[i]), chart_.unit)));
            begin += bar.parts[i];
        }
        if (bar.high > 0.0) {
            svg += fmt::format("<path class=\"whisker\" d=\"M{:.1f} {:.1f}v5m0 -2.5H{:.1f}m0 -2.5v5\"/>\n", x(bar.low),
                               y + kBar + kHeight / 2.0 - 2.5, x(bar.high));
        }
        if (bar.mark > 0.0) {
            svg += fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}v{:g}\"/>\n", x(bar.mark), y + kBar - 3.0,
                               kHeight + 6.0);
        }
        return svg;
    }

    const BarChart& chart_;
    double most_ = 0.0;
};

} // namespace

Chart lineOrBarChart(const LineChart& chart) {
    std::set<double> places;
    for (const PlotLine& line : chart.panel.lines) {
        for (const PlotPoint& point : line.points) {
            places.insert(point.x);
        }
    }
    if (places.size() > 1) {
        return chart;
    }
    const std::string place = chart.panel.xTicks.empty() ? "" : chart.panel.xTicks.front().second;
    BarChart bars{fmt::format("{}, {} {}", chart.panel.title, place, chart.panel.xLabel),
                  chart.panel.yLabel,
                  {},
                  chart.markName,
                  {}};
    for (const PlotLine& line : chart.panel.lines) {
        for (const PlotPoint& point : line.points) {
            bars.bars.push_back({line.name, {point.y}, {}, chart.mark});
        }
    }
    return bars;
}

std::string chartMarkup(const Chart& chart) {
    const auto* const lines = std::get_if<LineChart>(&chart);
    return lines != nullptr ? LineDrawing(*lines).markup() : BarDrawing(std::get<BarChart>(chart)).markup();
}

std::string figureText(double number) {
    if (number > 0.0 && number < 0.01) {
        return fmt::format("{:.3g}", number);
    }
    return fmt::format("{:.{}f}", number, number < 10 ? 3 : number < 1000 ? 1 : 0);
}

std::string countText(double count) {
    constexpr double kKi = 1024.0;
    for (const auto& [unit, name] :
         {std::pair(kKi * kKi * kKi, "Gi"), std::pair(kKi * kKi, "Mi"), std::pair(kKi, "Ki")}) {
        if (count >= unit && std::fmod(count, unit) == 0.0) {
            return fmt::format("{:g} {}", count / unit, name);
        }
    }
    return fmt::format("{:.0f}", count);
}

} // namespace aureole::cli
