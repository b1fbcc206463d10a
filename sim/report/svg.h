// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vnpu::sim {

/// Text as it may stand in an SVG file.
std::string svgEscape(std::string_view text);

/// The head of a picture of that size, white, with a small sans-serif type; ends with svgEnd().
std::string svgBegin(int width, int height);
std::string svgEnd();

std::string svgText(double x, double y, std::string_view text, std::string_view anchor = "start");
std::string svgLine(double x1, double y1, double x2, double y2, std::string_view colour,
                    std::string_view dashes = "");
/// A dot with a title that shows when the pointer rests on it.
std::string svgDot(double x, double y, std::string_view colour, std::string_view title);

}  // namespace vnpu::sim
