// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/svg.h"

namespace vnpu::sim {

namespace {

constexpr const char* kGrid = "#ddd";
constexpr const char* kDark = "#555";

const char* colorOf(Verdict verdict) {
    constexpr const char* kColors[] = {"#2e7d32", "#e69f00", "#c62828", "#607d8b"};
    return kColors[static_cast<std::size_t>(verdict)];
}

/// A logarithmic axis from `low` to `high` over the pixels from `begin` to `end`; values beyond it
/// are drawn at its ends.
class LogAxis {
  public:
    LogAxis(double low, double high, double begin, double end)
        : low_(low), high_(high), begin_(begin), end_(end) {}

    double at(double value) const {
        const double bounded = std::isnan(value) ? low_ : std::clamp(value, low_, high_);
        return begin_ + (end_ - begin_) * std::log(bounded / low_) / std::log(high_ / low_);
    }

  private:
    double low_, high_, begin_, end_;
};

struct Range {
    double low = 0.0, high = 0.0;

    void include(double value) {
        if (value > 0.0) {
            low = low == 0.0 ? value : std::min(low, value);
            high = std::max(high, value);
        }
    }
    /// With a margin, and never empty.
    Range widened() const { return high == 0.0 ? Range{0.5, 2.0} : Range{low / 1.3, high * 1.3}; }
};

std::string labelOf(const Check& check) {
    return fmt::format("{}: {}, {}", check.rung, check.subject, check.quantity);
}

/// The width of the longest label in pixels.
int labelWidth(const std::vector<Check>& checks) {
    constexpr int kLetter = 7;  // at a height of 12 pixels, rounded up
    std::size_t longest = 0;
    for (const Check& check : checks) {
        longest = std::max(longest, labelOf(check).size());
    }
    return 20 + kLetter * static_cast<int>(longest);
}

}  // namespace

std::string checksSvg(const std::vector<Check>& checks) {
    constexpr int kRow = 15, kTop = 40, kAxis = 640;
    const int labels = labelWidth(checks);
    const int height = kTop + kRow * static_cast<int>(checks.size()) + 20;
    const LogAxis axis(0.05, 20.0, labels, labels + kAxis);
    std::string svg = svgBegin(labels + kAxis + 30, height);
    svg += svgText(10, 18, "model / reference (logarithmic), with the tolerance");
    for (const double ratio : {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) {
        svg += svgLine(axis.at(ratio), kTop - 4, axis.at(ratio), height - 14,
                       ratio == 1.0 ? kDark : kGrid);
        svg += svgText(axis.at(ratio), kTop - 8, fmt::format("{:g}", ratio), "middle");
    }
    double y = kTop + 8;
    for (const Check& check : checks) {
        const char* color = colorOf(check.verdict());
        svg += svgText(labels - 10, y + 4, labelOf(check), "end");
        svg += svgLine(axis.at(1.0 - check.tolerance), y, axis.at(1.0 + check.tolerance), y, kDark);
        svg += svgDot(axis.at(check.ratio()), y, color,
                      fmt::format("{}: {:.3f}, {}", labelOf(check), check.ratio(),
                                  verdictName(check.verdict())));
        y += kRow;
    }
    return svg + svgEnd();
}

std::string curveSvg(const Curve& curve) {
    constexpr int kWidth = 700, kHeight = 440, kLeft = 90, kRight = 20, kTop = 40, kBottom = 60;
    Range xs, ys;
    for (const Curve::Point& point : curve.points) {
        xs.include(point.x);
        ys.include(point.model);
        ys.include(point.closedForm);
    }
    const Range x = xs.widened(), y = ys.widened();
    const LogAxis across(x.low, x.high, kLeft, kWidth - kRight);
    const LogAxis up(y.low, y.high, kHeight - kBottom, kTop);
    std::string svg = svgBegin(kWidth, kHeight);
    svg += svgText(10, 20, curve.title);
    svg += svgText(kWidth / 2.0, kHeight - 10, curve.xLabel, "middle");
    svg += svgText(10, kTop, curve.yLabel);
    svg += svgLine(kLeft, kTop, kLeft, kHeight - kBottom, kDark);
    svg += svgLine(kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom, kDark);
    constexpr double kLabelRoom = 45.0;  // pixels. chosen: six digits
    double nextLabel = 0.0;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const Curve::Point& point = curve.points[i];
        if (across.at(point.x) >= nextLabel) {
            svg += svgText(across.at(point.x), kHeight - kBottom + 16,
                           fmt::format("{:.3g}", point.x), "middle");
            nextLabel = across.at(point.x) + kLabelRoom;
        }
        if (i > 0) {
            const Curve::Point& before = curve.points[i - 1];
            svg += svgLine(across.at(before.x), up.at(before.closedForm), across.at(point.x),
                           up.at(point.closedForm), kDark);
        }
        svg += svgDot(across.at(point.x), up.at(point.model), "#4e79a7",
                      fmt::format("{:g}: {:.0f}, closed form {:.0f}", point.x, point.model,
                                  point.closedForm));
    }
    for (const double value : {y.low * 1.3, y.high / 1.3}) {
        svg += svgText(kLeft - 6, up.at(value) + 4, fmt::format("{:.4g}", value), "end");
    }
    svg += svgLine(across.at(curve.knee), kTop, across.at(curve.knee), kHeight - kBottom, kDark,
                   "4 3");
    svg += svgText(across.at(curve.knee) + 4, kTop + 12,
                   fmt::format("knee {:.4g}, measured {:.4g}", curve.knee, curve.measuredKnee));
    return svg + svgEnd();
}

}  // namespace vnpu::sim
