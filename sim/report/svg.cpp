// SPDX-License-Identifier: Apache-2.0
#include "sim/report/svg.h"

#include <fmt/format.h>

namespace vnpu::sim {

std::string svgEscape(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string svgBegin(int width, int height) {
    return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
            "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
            width, height);
}

std::string svgEnd() {
    return "</svg>\n";
}

std::string svgText(double x, double y, std::string_view text, std::string_view anchor) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, svgEscape(text));
}

std::string svgLine(double x1, double y1, double x2, double y2, std::string_view color,
                    std::string_view dashes) {
    return fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1,
            y1, x2, y2, color,
            dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

std::string svgDot(double x, double y, std::string_view color, std::string_view title) {
    return fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" "
            "fill=\"{}\"><title>{}</title></circle>\n",
            x, y, color, svgEscape(title));
}

}  // namespace vnpu::sim
