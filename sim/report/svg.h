// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace vnpu::sim {

/// Text with the escapes of SVG.
std::string svgEscape(std::string_view text);

/// The head of a white picture of that size with a small sans-serif font; it must end with
/// svgEnd().
std::string svgBegin(int width, int height);
std::string svgEnd();

std::string svgText(double x, double y, std::string_view text, std::string_view anchor = "start");
std::string svgLine(double x1, double y1, double x2, double y2, std::string_view color,
                    std::string_view dashes = "");
/// A dot with a title, which is shown while the pointer is on it.
std::string svgDot(double x, double y, std::string_view color, std::string_view title);

}  // namespace vnpu::sim
